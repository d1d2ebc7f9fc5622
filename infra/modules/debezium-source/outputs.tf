output "sources" {
  description = "What each connector is to the functions: its topics, one a table, and their format, as the config document says it."
  value = {
    for name, connector in var.connectors : name => {
      topics     = [for table in connector.tables : "${connector.topic_prefix}.${table}"]
      generation = 0
      format     = { type = "debezium_flattened", deletes = "rewrite", decimals = "precise" }
    }
  }
}

output "connector_arns" {
  description = "ARNs of the connectors by name."
  value       = { for name, connector in aws_mskconnect_connector.connector : name => connector.arn }
}

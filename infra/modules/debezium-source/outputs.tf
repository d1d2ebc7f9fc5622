output "topics" {
  description = "The topics that each connector writes, one a table."
  value       = { for name, connector in var.connectors : name => [for table in connector.tables : "${connector.topic_prefix}.${table}"] }
}

output "connector_arns" {
  description = "ARNs of the connectors by name."
  value       = { for name, connector in aws_mskconnect_connector.connector : name => connector.arn }
}

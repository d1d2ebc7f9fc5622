# The settings of each connector. What they have in common is the shape of messages that the functions decode:
# flattened rows with __op and __source_ts_ms, deletes as rows with __deleted, exact decimals, whole topics of
# one table each.

locals {
  common = {
    for name, connector in var.connectors : name => {
      "tasks.max"             = "1"
      "database.hostname"     = connector.hostname
      "database.port"         = tostring(connector.port)
      "database.dbname"       = connector.database
      "database.user"         = "$${secretsmanager:${local.secret_names[name]}:username}"
      "database.password"     = "$${secretsmanager:${local.secret_names[name]}:password}"
      "topic.prefix"          = connector.topic_prefix
      "table.include.list"    = join(",", connector.tables)
      "snapshot.mode"         = "initial"
      "decimal.handling.mode" = "precise"

      "transforms"                                       = "unwrap"
      "transforms.unwrap.type"                           = "io.debezium.transforms.ExtractNewRecordState"
      "transforms.unwrap.add.fields"                     = "op,source.ts_ms"
      "transforms.unwrap.delete.tombstone.handling.mode" = "rewrite"
      "transforms.unwrap.replace.null.with.default"      = "false"
    }
  }

  # How Debezium's own clients reach the cluster, which keep the history of an Oracle schema in a topic.
  history_client = {
    "security.protocol"                  = "SASL_SSL"
    "sasl.mechanism"                     = "AWS_MSK_IAM"
    "sasl.jaas.config"                   = "software.amazon.msk.auth.iam.IAMLoginModule required;"
    "sasl.client.callback.handler.class" = "software.amazon.msk.auth.iam.IAMClientCallbackHandler"
  }

  configurations = {
    for name, connector in var.connectors : name => merge(local.common[name], connector.engine == "oracle" ? merge({
      "connector.class"                                 = "io.debezium.connector.oracle.OracleConnector"
      "log.mining.strategy"                             = "online_catalog"
      "schema.history.internal.kafka.topic"             = "${connector.topic_prefix}.schema-history"
      "schema.history.internal.kafka.bootstrap.servers" = var.bootstrap_brokers
      },
      connector.pluggable_database == null ? {} : { "database.pdb.name" = connector.pluggable_database },
      merge([
        for role in ["producer", "consumer"] : {
          for key, value in local.history_client : "schema.history.internal.${role}.${key}" => value
        }
      ]...)
      ) : {
      "connector.class"             = "io.debezium.connector.postgresql.PostgresConnector"
      "plugin.name"                 = "pgoutput"
      "slot.name"                   = replace("${var.name}_${name}", "-", "_")
      "publication.name"            = replace("${var.name}_${name}", "-", "_")
      "publication.autocreate.mode" = "filtered"
    }, connector.settings)
  }
}

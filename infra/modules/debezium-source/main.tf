# Debezium connectors on MSK Connect, which write rows that ExtractNewRecordState flattened. The login of a
# database stays in Secrets Manager: connectors name it, workers fetch it.

locals {
  # arn:…:secret:name-123456 -> name, by which the worker's config provider looks it up.
  secret_names = { for name, connector in var.connectors : name => regex("secret:(.+)-[A-Za-z0-9]{6}$", connector.secret_arn)[0] }
}

resource "aws_s3_object" "plugin" {
  for_each = var.plugins

  bucket = var.plugin_bucket
  key    = "plugins/${each.key}.zip"
  source = each.value
  etag   = fileexists(each.value) ? filemd5(each.value) : null

  lifecycle {
    precondition {
      condition     = fileexists(each.value)
      error_message = "There is no plugin ${each.value}: a zip of Debezium's connector and of AWS's MSK config providers."
    }
  }
}

resource "aws_mskconnect_custom_plugin" "plugin" {
  for_each = aws_s3_object.plugin

  name         = "${var.name}-${each.key}"
  content_type = "ZIP"
  location {
    s3 {
      bucket_arn     = var.plugin_bucket_arn
      file_key       = each.value.key
      object_version = each.value.version_id
    }
  }
}

resource "aws_mskconnect_worker_configuration" "json" {
  name        = "${var.name}-json"
  description = "JSON without schemas, NULL kept apart from defaults, logins from Secrets Manager"
  properties_file_content = join("\n", [for key, value in {
    "key.converter"                                          = "org.apache.kafka.connect.json.JsonConverter"
    "key.converter.schemas.enable"                           = "false"
    "value.converter"                                        = "org.apache.kafka.connect.json.JsonConverter"
    "value.converter.schemas.enable"                         = "false"
    "value.converter.replace.null.with.default"              = "false"
    "config.providers"                                       = "secretsmanager"
    "config.providers.secretsmanager.class"                  = "com.amazonaws.kafka.config.providers.SecretsManagerConfigProvider"
    "config.providers.secretsmanager.param.region"           = var.region
    "config.providers.secretsmanager.param.NotFoundStrategy" = "fail"
  } : "${key}=${value}"])
}

resource "aws_mskconnect_connector" "connector" {
  for_each = var.connectors

  name                       = "${var.name}-${each.key}"
  kafkaconnect_version       = var.kafkaconnect_version
  connector_configuration    = local.configurations[each.key]
  service_execution_role_arn = aws_iam_role.connector[each.key].arn

  capacity {
    # One task reads a database's log; more workers would idle.
    provisioned_capacity {
      mcu_count    = each.value.mcu_count
      worker_count = 1
    }
  }
  kafka_cluster {
    apache_kafka_cluster {
      bootstrap_servers = var.bootstrap_brokers
      vpc {
        subnets         = var.subnet_ids
        security_groups = var.security_group_ids
      }
    }
  }
  kafka_cluster_client_authentication {
    authentication_type = "IAM"
  }
  kafka_cluster_encryption_in_transit {
    encryption_type = "TLS"
  }
  plugin {
    custom_plugin {
      arn      = aws_mskconnect_custom_plugin.plugin[each.value.engine].arn
      revision = aws_mskconnect_custom_plugin.plugin[each.value.engine].latest_revision
    }
  }
  worker_configuration {
    arn      = aws_mskconnect_worker_configuration.json.arn
    revision = aws_mskconnect_worker_configuration.json.latest_revision
  }
  log_delivery {
    worker_log_delivery {
      cloudwatch_logs {
        enabled   = true
        log_group = aws_cloudwatch_log_group.connectors.name
      }
    }
  }

  depends_on = [aws_iam_role_policy.connector]
}

resource "aws_cloudwatch_log_group" "connectors" {
  #checkov:skip=CKV_AWS_158:a customer's key is the account's choice
  #checkov:skip=CKV_AWS_338:how long logs stay is a setting (log_retention_days)
  name              = "/aws/mskconnect/${var.name}"
  retention_in_days = var.log_retention_days
}

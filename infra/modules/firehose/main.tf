# A delivery stream from a topic into one Iceberg table, with our function as its transformation: what the
# stream cannot decode itself. It writes equality deletes, which Snowflake, Databricks and PyIceberg do not read.

resource "aws_kinesis_firehose_delivery_stream" "stream" {
  #checkov:skip=CKV_AWS_240:server-side encryption is no setting of a stream that reads a topic; the buckets encrypt
  #checkov:skip=CKV_AWS_241:as above
  name        = var.name
  destination = "iceberg"

  msk_source_configuration {
    msk_cluster_arn = var.cluster_arn
    topic_name      = var.topic
    authentication_configuration {
      connectivity = "PRIVATE"
      role_arn     = aws_iam_role.stream.arn
    }
  }

  iceberg_configuration {
    role_arn           = aws_iam_role.stream.arn
    catalog_arn        = "${local.glue}:catalog"
    buffering_size     = var.buffering_size
    buffering_interval = var.buffering_interval
    retry_duration     = 300
    s3_backup_mode     = "FailedDataOnly"

    destination_table_configuration {
      database_name          = var.database
      table_name             = var.table
      unique_keys            = var.unique_keys
      s3_error_output_prefix = "${local.error_prefix}${var.database}/${var.table}/"
    }
    processing_configuration {
      enabled = true
      processors {
        type = "Lambda"
        parameters {
          parameter_name  = "LambdaArn"
          parameter_value = "${var.function_arn}:$LATEST"
        }
        # An answer may have 6 MB; a row in an answer is larger than its message.
        parameters {
          parameter_name  = "BufferSizeInMBs"
          parameter_value = "1"
        }
        parameters {
          parameter_name  = "BufferIntervalInSeconds"
          parameter_value = "60"
        }
      }
    }
    s3_configuration {
      role_arn            = aws_iam_role.stream.arn
      bucket_arn          = var.error_bucket_arn
      error_output_prefix = local.error_prefix
      kms_key_arn         = var.kms_key_arn
      compression_format  = "GZIP"
    }
    cloudwatch_logging_options {
      enabled         = true
      log_group_name  = aws_cloudwatch_log_group.stream.name
      log_stream_name = aws_cloudwatch_log_stream.delivery.name
    }
  }

  # Firehose checks on creation that it may read the table.
  depends_on = [aws_iam_role_policy.stream]
}

resource "aws_cloudwatch_log_group" "stream" {
  #checkov:skip=CKV_AWS_158:a customer's key is the account's choice
  #checkov:skip=CKV_AWS_338:how long logs stay is a setting (log_retention_days)
  name              = "/aws/kinesisfirehose/${var.name}"
  retention_in_days = var.log_retention_days
}

resource "aws_cloudwatch_log_stream" "delivery" {
  name           = "delivery"
  log_group_name = aws_cloudwatch_log_group.stream.name
}

# Firehose reaches the brokers through a connection of its own into their network. A given cluster has to have
# multi-VPC connectivity for IAM turned on as well.
resource "aws_msk_cluster_policy" "firehose" {
  count = var.attach_cluster_policy ? 1 : 0

  cluster_arn = var.cluster_arn
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Sid       = "Firehose"
      Effect    = "Allow"
      Principal = { Service = "firehose.amazonaws.com" }
      Action    = ["kafka:CreateVpcConnection"]
      Resource  = var.cluster_arn
    }]
  })
}

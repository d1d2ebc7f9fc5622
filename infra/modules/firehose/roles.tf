# What the stream may do: read its topic, have records transformed, write its table.

locals {
  glue         = "arn:${var.partition}:glue:${var.region}:${var.account_id}"
  resource     = { for kind in ["topic", "group"] : kind => replace(var.cluster_arn, ":cluster/", ":${kind}/") }
  error_prefix = "firehose/"
}

resource "aws_iam_role" "stream" {
  name = var.name
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "firehose.amazonaws.com" }
      Action    = "sts:AssumeRole"
    }]
  })
}

resource "aws_iam_role_policy" "stream" {
  name = "stream"
  role = aws_iam_role.stream.name
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = concat([
      {
        Sid      = "Cluster"
        Effect   = "Allow"
        Action   = ["kafka:GetBootstrapBrokers", "kafka:DescribeCluster", "kafka:DescribeClusterV2", "kafka-cluster:Connect"]
        Resource = [var.cluster_arn]
      },
      {
        Sid      = "Topic"
        Effect   = "Allow"
        Action   = ["kafka-cluster:DescribeTopic", "kafka-cluster:DescribeTopicDynamicConfiguration", "kafka-cluster:ReadData"]
        Resource = ["${local.resource["topic"]}/${var.topic}"]
      },
      {
        # The stream's consumer group has a name that Firehose chooses.
        Sid      = "Groups"
        Effect   = "Allow"
        Action   = ["kafka-cluster:DescribeGroup"]
        Resource = ["${local.resource["group"]}/*"]
      },
      {
        Sid      = "Transformation"
        Effect   = "Allow"
        Action   = ["lambda:InvokeFunction", "lambda:GetFunctionConfiguration"]
        Resource = ["${var.function_arn}:$LATEST"]
      },
      {
        Sid    = "Table"
        Effect = "Allow"
        Action = ["glue:GetTable", "glue:GetDatabase", "glue:UpdateTable"]
        Resource = [
          "${local.glue}:catalog",
          "${local.glue}:database/${var.database}",
          "${local.glue}:table/${var.database}/${var.table}",
        ]
      },
      {
        Sid      = "TableFiles"
        Effect   = "Allow"
        Action   = ["s3:AbortMultipartUpload", "s3:GetObject", "s3:PutObject", "s3:DeleteObject"]
        Resource = ["${var.warehouse_bucket_arn}/${var.database}/${var.table}/*"]
      },
      {
        Sid      = "Errors"
        Effect   = "Allow"
        Action   = ["s3:AbortMultipartUpload", "s3:GetObject", "s3:PutObject"]
        Resource = ["${var.error_bucket_arn}/${local.error_prefix}*"]
      },
      {
        Sid      = "Buckets"
        Effect   = "Allow"
        Action   = ["s3:GetBucketLocation", "s3:ListBucket", "s3:ListBucketMultipartUploads"]
        Resource = [var.warehouse_bucket_arn, var.error_bucket_arn]
      },
      {
        Sid      = "Logs"
        Effect   = "Allow"
        Action   = ["logs:PutLogEvents"]
        Resource = ["${aws_cloudwatch_log_group.stream.arn}:log-stream:${aws_cloudwatch_log_stream.delivery.name}"]
      },
      ], var.kms_key_arn == null ? [] : [{
        Sid      = "Key"
        Effect   = "Allow"
        Action   = ["kms:Decrypt", "kms:GenerateDataKey"]
        Resource = [var.kms_key_arn]
    }])
  })
}

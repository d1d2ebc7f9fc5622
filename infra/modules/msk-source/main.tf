# One event source mapping a topic: Lambda reads the topic and hands batches of a partition, in order, to the
# function. Where it gives up on a batch, the batch goes to the dead letters with its records.

locals {
  # Retries and bisecting belong to provisioned pollers; without those Lambda tries a batch again until it
  # succeeds or its records expire.
  provisioned = var.pollers != null

  # arn:aws:kafka:region:account:cluster/name/uuid names the group and the topics, too.
  resource        = { for kind in ["topic", "group"] : kind => replace(var.cluster_arn, ":cluster/", ":${kind}/") }
  consumer_groups = { for topic in var.topics : topic => "${var.name}-${topic}" }
}

resource "aws_lambda_event_source_mapping" "topic" {
  for_each = toset(var.topics)

  function_name    = var.function.arn
  event_source_arn = var.cluster_arn
  topics           = [each.value]

  starting_position                  = var.starting_position
  batch_size                         = var.batch_size
  maximum_batching_window_in_seconds = var.batching_window_seconds
  function_response_types            = var.partial_batch_responses ? ["ReportBatchItemFailures"] : []
  bisect_batch_on_function_error     = local.provisioned ? var.bisect : null
  maximum_retry_attempts             = local.provisioned ? var.retries : null

  amazon_managed_kafka_event_source_config {
    consumer_group_id = local.consumer_groups[each.value]
  }
  destination_config {
    on_failure {
      destination_arn = var.dead_letter_bucket_arn
    }
  }
  dynamic "provisioned_poller_config" {
    for_each = local.provisioned ? [var.pollers] : []
    content {
      minimum_pollers = provisioned_poller_config.value.minimum
      maximum_pollers = provisioned_poller_config.value.maximum
    }
  }
  dynamic "source_access_configuration" {
    for_each = var.scram_secret_arn == null ? [] : [var.scram_secret_arn]
    content {
      type = "SASL_SCRAM_512_AUTH"
      uri  = source_access_configuration.value
    }
  }

  depends_on = [aws_iam_role_policy.cluster]
}

# Lambda reads the cluster with the function's own role.
resource "aws_iam_role_policy" "cluster" {
  #checkov:skip=CKV_AWS_355:describing networks has no resources in IAM, and interfaces are made in a network that only the cluster knows
  #checkov:skip=CKV_AWS_290:as above: Lambda's pollers make and remove interfaces of their own
  name = "msk-source"
  role = var.function.role_name
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = concat([
      {
        Sid      = "Cluster"
        Effect   = "Allow"
        Action   = ["kafka:DescribeCluster", "kafka:DescribeClusterV2", "kafka:GetBootstrapBrokers"]
        Resource = [var.cluster_arn]
      },
      {
        Sid    = "Network"
        Effect = "Allow"
        Action = [
          "ec2:CreateNetworkInterface", "ec2:DeleteNetworkInterface", "ec2:DescribeNetworkInterfaces",
          "ec2:DescribeSecurityGroups", "ec2:DescribeSubnets", "ec2:DescribeVpcs",
        ]
        Resource = ["*"]
      },
      ],
      var.scram_secret_arn == null ? [
        {
          Sid      = "Connect"
          Effect   = "Allow"
          Action   = ["kafka-cluster:Connect", "kafka-cluster:DescribeClusterDynamicConfiguration"]
          Resource = [var.cluster_arn]
        },
        {
          Sid      = "Topics"
          Effect   = "Allow"
          Action   = ["kafka-cluster:DescribeTopic", "kafka-cluster:ReadData"]
          Resource = [for topic in var.topics : "${local.resource["topic"]}/${topic}"]
        },
        {
          Sid      = "Groups"
          Effect   = "Allow"
          Action   = ["kafka-cluster:AlterGroup", "kafka-cluster:DescribeGroup"]
          Resource = [for topic in var.topics : "${local.resource["group"]}/${local.consumer_groups[topic]}"]
        },
        ] : [
        {
          Sid      = "Credentials"
          Effect   = "Allow"
          Action   = ["secretsmanager:GetSecretValue"]
          Resource = [var.scram_secret_arn]
        },
    ])
  })
}

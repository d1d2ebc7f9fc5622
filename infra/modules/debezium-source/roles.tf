# What a connector may do: write its topics and its workers' own, read its login.

locals {
  resource = { for kind in ["topic", "group"] : kind => replace(var.cluster_arn, ":cluster/", ":${kind}/") }
}

resource "aws_iam_role" "connector" {
  for_each = var.connectors

  name = "${var.name}-${each.key}-connector"
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "kafkaconnect.amazonaws.com" }
      Action    = "sts:AssumeRole"
      Condition = { StringEquals = { "aws:SourceAccount" = var.account_id } }
    }]
  })
}

resource "aws_iam_role_policy" "connector" {
  for_each = var.connectors

  name = "connector"
  role = aws_iam_role.connector[each.key].name
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      {
        Sid      = "Cluster"
        Effect   = "Allow"
        Action   = ["kafka-cluster:Connect", "kafka-cluster:DescribeCluster"]
        Resource = [var.cluster_arn]
      },
      {
        # Topics of the connector's prefix, and those in which MSK Connect keeps offsets and states.
        Sid    = "Topics"
        Effect = "Allow"
        Action = [
          "kafka-cluster:CreateTopic", "kafka-cluster:DescribeTopic", "kafka-cluster:ReadData",
          "kafka-cluster:WriteData", "kafka-cluster:WriteDataIdempotently", "kafka-cluster:DescribeTopicDynamicConfiguration",
        ]
        Resource = [
          "${local.resource["topic"]}/${each.value.topic_prefix}*",
          "${local.resource["topic"]}/__amazon_msk_connect_*",
        ]
      },
      {
        Sid    = "Groups"
        Effect = "Allow"
        Action = ["kafka-cluster:AlterGroup", "kafka-cluster:DescribeGroup"]
        Resource = [
          "${local.resource["group"]}/${each.value.topic_prefix}*",
          "${local.resource["group"]}/__amazon_msk_connect_*",
          "${local.resource["group"]}/connect-*",
        ]
      },
      {
        Sid      = "Login"
        Effect   = "Allow"
        Action   = ["secretsmanager:GetSecretValue", "secretsmanager:DescribeSecret"]
        Resource = [each.value.secret_arn]
      },
    ]
  })
}

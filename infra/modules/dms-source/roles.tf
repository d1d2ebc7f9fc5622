# Roles of DMS: one that writes the raw bucket, one that reads the login, and the two that every account with
# DMS has under fixed names.

locals {
  service_roles = {
    dms-vpc-role             = "AmazonDMSVPCManagementRole"
    dms-cloudwatch-logs-role = "AmazonDMSCloudWatchLogsRole"
  }
  key_access = var.kms_key_arn == null ? [] : [{
    Effect   = "Allow"
    Action   = ["kms:Decrypt", "kms:GenerateDataKey"]
    Resource = [var.kms_key_arn]
  }]
}

resource "aws_iam_role" "raw" {
  name = "${var.name}-raw"
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "dms.amazonaws.com" }
      Action    = "sts:AssumeRole"
      Condition = { StringEquals = { "aws:SourceAccount" = var.account_id } }
    }]
  })
}

resource "aws_iam_role_policy" "raw" {
  name = "raw"
  role = aws_iam_role.raw.name
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = concat([
      {
        Effect   = "Allow"
        Action   = ["s3:PutObject", "s3:PutObjectTagging", "s3:DeleteObject"]
        Resource = [for schema in local.schemas : "${var.bucket_arn}/${schema}/*"]
      },
      {
        Effect   = "Allow"
        Action   = ["s3:ListBucket"]
        Resource = [var.bucket_arn]
      },
    ], local.key_access)
  })
}

resource "aws_iam_role" "secret" {
  name = "${var.name}-secret"
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "dms.${var.region}.amazonaws.com" }
      Action    = "sts:AssumeRole"
    }]
  })
}

resource "aws_iam_role_policy" "secret" {
  name = "login"
  role = aws_iam_role.secret.name
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = concat([{
      Effect   = "Allow"
      Action   = ["secretsmanager:GetSecretValue", "secretsmanager:DescribeSecret"]
      Resource = [var.database.secret_arn]
    }], [for statement in local.key_access : merge(statement, { Action = ["kms:Decrypt"] })])
  })
}

resource "aws_iam_role" "service" {
  for_each = var.create_service_roles ? local.service_roles : {}

  name = each.key
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "dms.amazonaws.com" }
      Action    = "sts:AssumeRole"
    }]
  })
}

resource "aws_iam_role_policy_attachment" "service" {
  for_each = aws_iam_role.service

  role       = each.value.name
  policy_arn = "arn:${var.partition}:iam::aws:policy/service-role/${local.service_roles[each.key]}"
}

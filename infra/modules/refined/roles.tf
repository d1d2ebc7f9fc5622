# What the state machine's queries may do, and the schedule that starts it.

locals {
  glue      = "arn:${var.partition}:glue:${var.region}:${var.account_id}"
  databases = [var.clean_database, var.refined_database]
}

resource "aws_iam_role" "refine" {
  name = "${var.name}-refine"
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "states.amazonaws.com" }
      Action    = "sts:AssumeRole"
      Condition = { StringEquals = { "aws:SourceAccount" = var.account_id } }
    }]
  })
}

resource "aws_iam_role_policy" "refine" {
  name = "refine"
  role = aws_iam_role.refine.name
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = concat([
      {
        Sid      = "Queries"
        Effect   = "Allow"
        Action   = ["athena:StartQueryExecution", "athena:GetQueryExecution", "athena:StopQueryExecution"]
        Resource = [var.workgroup_arn]
      },
      {
        Sid      = "Catalog"
        Effect   = "Allow"
        Action   = ["athena:GetDataCatalog"]
        Resource = ["arn:${var.partition}:athena:${var.region}:${var.account_id}:datacatalog/AwsDataCatalog"]
      },
      {
        Sid    = "ReadTables"
        Effect = "Allow"
        Action = ["glue:GetDatabase", "glue:GetTable", "glue:GetTables"]
        Resource = concat(
          ["${local.glue}:catalog"],
          [for database in local.databases : "${local.glue}:database/${database}"],
          [for database in local.databases : "${local.glue}:table/${database}/*"],
        )
      },
      {
        Sid    = "WriteTables"
        Effect = "Allow"
        Action = ["glue:CreateTable", "glue:UpdateTable"]
        Resource = concat(
          ["${local.glue}:catalog", "${local.glue}:database/${var.refined_database}"],
          [for table in var.tables : "${local.glue}:table/${var.refined_database}/${table}"],
        )
      },
      {
        Sid      = "ReadFiles"
        Effect   = "Allow"
        Action   = ["s3:GetObject"]
        Resource = ["${var.bucket_arns["clean"]}/${var.clean_database}/*"]
      },
      {
        Sid    = "WriteFiles"
        Effect = "Allow"
        Action = ["s3:GetObject", "s3:PutObject", "s3:DeleteObject", "s3:AbortMultipartUpload", "s3:ListMultipartUploadParts"]
        Resource = [
          "${var.bucket_arns["refined"]}/${var.refined_database}/*",
          "${var.bucket_arns["athena-results"]}/*",
        ]
      },
      {
        Sid      = "Buckets"
        Effect   = "Allow"
        Action   = ["s3:GetBucketLocation", "s3:ListBucket", "s3:ListBucketMultipartUploads"]
        Resource = [for zone in ["clean", "refined", "athena-results"] : var.bucket_arns[zone]]
      },
      ],
      var.lake_formation ? [{
        Sid      = "LakeFormation"
        Effect   = "Allow"
        Action   = ["lakeformation:GetDataAccess"]
        Resource = ["*"] # The action has no resources.
      }] : [],
      var.kms_key_arn == null ? [] : [{
        Sid      = "Key"
        Effect   = "Allow"
        Action   = ["kms:Decrypt", "kms:GenerateDataKey"]
        Resource = [var.kms_key_arn]
    }])
  })
}

resource "aws_iam_role" "schedule" {
  name = "${var.name}-refine-schedule"
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "scheduler.amazonaws.com" }
      Action    = "sts:AssumeRole"
      Condition = { StringEquals = { "aws:SourceAccount" = var.account_id } }
    }]
  })
}

resource "aws_iam_role_policy" "schedule" {
  name = "start"
  role = aws_iam_role.schedule.name
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect   = "Allow"
      Action   = ["states:StartExecution"]
      Resource = [aws_sfn_state_machine.refine.arn]
    }]
  })
}

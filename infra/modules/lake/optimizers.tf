# Glue's own upkeep of tables: compaction, expiry of snapshots, removal of files that no snapshot knows. It
# takes tables that exist: those that Terraform creates, and those that are named.

locals {
  optimizers = {
    for pair in setproduct(sort(var.optimized_tables), ["compaction", "retention", "orphan_file_deletion"]) :
    "${pair[0]}/${pair[1]}" => { database = split(".", pair[0])[0], table = split(".", pair[0])[1], type = pair[1] }
  }
  # The log groups that Glue writes to, one a kind of work.
  optimizer_logs = [
    for kind in ["compaction", "retention", "orphan-file-deletion"] :
    "arn:${var.partition}:logs:${var.region}:${var.account_id}:log-group:/aws-glue/iceberg-${kind}/logs:*"
  ]
}

resource "aws_glue_catalog_table_optimizer" "optimizer" {
  for_each = local.optimizers

  catalog_id    = var.account_id
  database_name = each.value.database
  table_name    = each.value.table
  type          = each.value.type

  configuration {
    role_arn = aws_iam_role.optimizer[0].arn
    enabled  = true

    dynamic "retention_configuration" {
      for_each = each.value.type == "retention" ? [1] : []
      content {
        iceberg_configuration {
          snapshot_retention_period_in_days = var.optimizers.snapshot_retention_days
          number_of_snapshots_to_retain     = var.optimizers.snapshots_to_retain
          clean_expired_files               = true
        }
      }
    }
    dynamic "orphan_file_deletion_configuration" {
      for_each = each.value.type == "orphan_file_deletion" ? [1] : []
      content {
        iceberg_configuration {
          orphan_file_retention_period_in_days = var.optimizers.orphan_retention_days
        }
      }
    }
  }

  depends_on = [aws_glue_catalog_table.table, aws_iam_role_policy.optimizer, aws_lakeformation_permissions.tables]
}

resource "aws_iam_role" "optimizer" {
  count = length(var.optimized_tables) > 0 ? 1 : 0

  name = "${var.name}-optimizer"
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "glue.amazonaws.com" }
      Action    = "sts:AssumeRole"
    }]
  })
}

resource "aws_iam_role_policy" "optimizer" {
  count = length(var.optimized_tables) > 0 ? 1 : 0

  name = "tables"
  role = aws_iam_role.optimizer[0].name
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = concat([
      {
        Effect = "Allow"
        Action = ["glue:GetTable", "glue:UpdateTable"]
        Resource = concat(
          ["${local.glue}:catalog"],
          distinct([for table in var.optimized_tables : "${local.glue}:database/${split(".", table)[0]}"]),
          [for table in var.optimized_tables : "${local.glue}:table/${replace(table, ".", "/")}"],
        )
      },
      {
        Effect   = "Allow"
        Action   = ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"]
        Resource = [for zone in ["clean", "refined"] : "${local.bucket_arns[zone]}/*"]
      },
      {
        Effect   = "Allow"
        Action   = ["s3:ListBucket"]
        Resource = [for zone in ["clean", "refined"] : local.bucket_arns[zone]]
      },
      {
        Effect   = "Allow"
        Action   = ["logs:CreateLogGroup", "logs:CreateLogStream", "logs:PutLogEvents"]
        Resource = local.optimizer_logs
      },
    ], local.data_access, local.key_access)
  })
}

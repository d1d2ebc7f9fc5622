# A role by which Snowflake reads the tables through the Iceberg REST endpoint of Glue. Snowflake names the
# user that assumes it, and the external id, once its catalog integration exists: see the README's steps.

resource "aws_iam_role" "snowflake" {
  count = var.snowflake == null ? 0 : 1

  name = "${var.name}-snowflake"
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { AWS = var.snowflake.user_arn }
      Action    = "sts:AssumeRole"
      Condition = { StringEquals = { "sts:ExternalId" = var.snowflake.external_id } }
    }]
  })
}

resource "aws_iam_role_policy" "snowflake" {
  count = var.snowflake == null ? 0 : 1

  name = "read"
  role = aws_iam_role.snowflake[0].name
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = concat([
      {
        Effect = "Allow"
        Action = ["glue:GetCatalog", "glue:GetDatabase", "glue:GetDatabases", "glue:GetTable", "glue:GetTables"]
        Resource = concat(
          ["${local.glue}:catalog"],
          [for database in keys(local.database_zones) : "${local.glue}:database/${database}"],
          [for database in keys(local.database_zones) : "${local.glue}:table/${database}/*"],
        )
      },
      {
        Effect   = "Allow"
        Action   = ["s3:GetObject"]
        Resource = [for zone in ["clean", "refined"] : "${local.bucket_arns[zone]}/*"]
      },
      {
        Effect   = "Allow"
        Action   = ["s3:ListBucket", "s3:GetBucketLocation"]
        Resource = [for zone in ["clean", "refined"] : local.bucket_arns[zone]]
      },
    ], local.data_access, local.key_access)
  })
}

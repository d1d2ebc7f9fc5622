output "buckets" {
  description = "Names of the buckets by zone: raw, clean, refined, quarantine, config, athena-results."
  value       = local.buckets

  depends_on = [aws_s3_bucket_public_access_block.zone]
}

output "bucket_arns" {
  description = "ARNs of the buckets by zone."
  value       = local.bucket_arns

  depends_on = [aws_s3_bucket_public_access_block.zone]
}

output "databases" {
  description = "The Glue databases, each with its place."
  value       = { for name, database in aws_glue_catalog_database.database : name => database.location_uri }
}

output "table_bucket_arn" {
  description = "The S3 table bucket, or null."
  value       = var.s3_tables ? local.table_bucket_arn : null

  depends_on = [aws_s3tables_table_bucket.tables]
}

output "workgroup" {
  description = "The Athena workgroup."
  value       = aws_athena_workgroup.lake.id
}

output "workgroup_arn" {
  description = "ARN of the Athena workgroup."
  value       = aws_athena_workgroup.lake.arn
}

output "snowflake_role_arn" {
  description = "The role that Snowflake reads with, or null."
  value       = one(aws_iam_role.snowflake[*].arn)
}

output "precreated_tables" {
  description = "Tables that exist before their first event, as database.table, under the same name."
  value       = { for name, table in aws_glue_catalog_table.table : name => "${table.database_name}.${table.name}" }

  # Firehose checks its table when a stream is made, with the grants that it then has.
  depends_on = [aws_lakeformation_permissions.databases, aws_lakeformation_permissions.tables]
}

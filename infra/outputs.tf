output "buckets" {
  description = "The buckets by zone: raw, clean, refined, quarantine, config, athena-results."
  value       = module.lake.buckets
}

output "databases" {
  description = "The Glue databases, each with its place."
  value       = module.lake.databases
}

output "table_bucket_arn" {
  description = "The S3 table bucket, or null."
  value       = module.lake.table_bucket_arn
}

output "athena_workgroup" {
  description = "The Athena workgroup with the saved queries."
  value       = module.lake.workgroup
}

output "config_document" {
  description = "The document that the functions read, and that `local show --config` takes, too."
  value       = local.document_json
}

output "config_uri" {
  description = "Where the document is."
  value       = local.config_uri
}

output "functions" {
  description = "Full names of the functions by name."
  value       = { for name, function in module.function : name => function.function_name }
}

output "drop_queue_url" {
  description = "The queue of notifications about dropped files, or null."
  value       = one(module.raw_drops[*].queue_url)
}

output "drop_dead_letter_queue_url" {
  description = "The queue of notifications that were not taken, or null."
  value       = one(module.raw_drops[*].dead_letter_queue_url)
}

output "msk_cluster_arn" {
  description = "The cluster, given or created, or null."
  value       = local.cluster_arn
}

output "rds_endpoint" {
  description = "Host and port of the created database, or null."
  value       = one(module.source_database[*].endpoint)
}

output "replication_config_arn" {
  description = "The DMS replication, for `aws dms start-replication`, or null."
  value       = one(module.dms_source[*].replication_config_arn)
}

output "refine_state_machine_arn" {
  description = "The state machine that makes the refined tables, or null."
  value       = one(module.refined[*].state_machine_arn)
}

output "snowflake_role_arn" {
  description = "The role that Snowflake reads with, or null."
  value       = module.lake.snowflake_role_arn
}

output "dashboard" {
  description = "The CloudWatch dashboard."
  value       = module.observability.dashboard
}

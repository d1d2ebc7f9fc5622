output "rds_endpoint" {
  description = "Host and port of the database."
  value       = module.lakehouse.rds_endpoint
}

output "replication_config_arn" {
  description = "The replication to start."
  value       = module.lakehouse.replication_config_arn
}

output "raw_bucket" {
  description = "Where DMS drops files."
  value       = module.lakehouse.buckets["raw"]
}

output "athena_workgroup" {
  description = "Where to query."
  value       = module.lakehouse.athena_workgroup
}

output "refine_state_machine_arn" {
  description = "Makes the refined tables at once."
  value       = module.lakehouse.refine_state_machine_arn
}

output "config_document" {
  description = "The document that the functions read."
  value       = module.lakehouse.config_document
}

output "athena_workgroup" {
  description = "Where to query."
  value       = module.lakehouse.athena_workgroup
}

output "config_document" {
  description = "The document that the functions read."
  value       = module.lakehouse.config_document
}

output "lakehouse" {
  description = "What there is."
  value       = module.lakehouse
}

output "config_document" {
  description = "The document that the functions read."
  value       = module.lakehouse.config_document
}

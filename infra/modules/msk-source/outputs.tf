output "partial_batch_responses" {
  description = "Whether the mappings read partial answers: what the config document has to say, too."
  value       = local.partial_batch_responses
}

output "mappings" {
  description = "The mappings' ids by topic."
  value       = { for topic, mapping in aws_lambda_event_source_mapping.topic : topic => mapping.uuid }
}

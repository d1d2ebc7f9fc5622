output "function_response_types" {
  description = "How the function answers, as its mappings have it."
  value       = tolist(distinct(flatten([for mapping in aws_lambda_event_source_mapping.topic : coalesce(mapping.function_response_types, [])])))
}

output "mappings" {
  description = "The mappings' ids by topic."
  value       = { for topic, mapping in aws_lambda_event_source_mapping.topic : topic => mapping.uuid }
}

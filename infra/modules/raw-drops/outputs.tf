output "queue_url" {
  description = "The queue of notifications."
  value       = aws_sqs_queue.drops.url
}

output "dead_letter_queue_url" {
  description = "The queue of notifications that were not taken."
  value       = aws_sqs_queue.dead_letters.url
}

output "function_response_types" {
  description = "How the function answers, as its mapping has it."
  value       = tolist(coalesce(aws_lambda_event_source_mapping.drops.function_response_types, []))
}

output "queue_url" {
  description = "The queue of notifications."
  value       = aws_sqs_queue.drops.url
}

output "dead_letter_queue_url" {
  description = "The queue of notifications that were not taken."
  value       = aws_sqs_queue.dead_letters.url
}

output "stream_arn" {
  description = "The delivery stream."
  value       = aws_kinesis_firehose_delivery_stream.stream.arn
}

output "role_arn" {
  description = "The stream's role."
  value       = aws_iam_role.stream.arn
}

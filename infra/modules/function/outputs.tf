output "function_name" {
  description = "The function's full name."
  value       = aws_lambda_function.function.function_name
}

output "function_arn" {
  description = "ARN of the function."
  value       = aws_lambda_function.function.arn
}

output "role_name" {
  description = "The function's role, for those who add permissions of their trigger."
  value       = aws_iam_role.function.name
}

output "role_arn" {
  description = "ARN of the function's role."
  value       = aws_iam_role.function.arn
}

output "timeout_seconds" {
  description = "How long one invocation may take."
  value       = aws_lambda_function.function.timeout
}

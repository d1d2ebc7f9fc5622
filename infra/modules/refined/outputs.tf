output "state_machine_arn" {
  description = "The state machine, to make the refined tables at once: `aws stepfunctions start-execution`."
  value       = aws_sfn_state_machine.refine.arn
}

output "role_arn" {
  description = "The role of the queries."
  value       = aws_iam_role.refine.arn
}

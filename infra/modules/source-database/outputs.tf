output "endpoint" {
  description = "Host and port of the database."
  value       = aws_db_instance.database.endpoint
}

output "secret_arn" {
  description = "The secret with user, password, host and port."
  value       = aws_secretsmanager_secret.login.arn

  # Who reads it has to find a value in it.
  depends_on = [aws_secretsmanager_secret_version.login]
}

# What DMS logs in with. The secret that RDS would manage itself has neither host nor port, without which DMS
# cannot use it (DMS user guide, "Using secrets to access endpoints").

resource "aws_secretsmanager_secret" "login" {
  #checkov:skip=CKV_AWS_149:a customer's key is optional (kms_key_arn)
  #checkov:skip=CKV2_AWS_57:the password is the caller's; raising password_version sets a new one here and in the database
  name                    = "${var.name}-mysql"
  description             = "How DMS logs in to ${aws_db_instance.database.identifier}"
  kms_key_id              = var.kms_key_arn
  recovery_window_in_days = var.force_destroy ? 0 : 30
}

resource "aws_secretsmanager_secret_version" "login" {
  secret_id = aws_secretsmanager_secret.login.id
  secret_string_wo = jsonencode({
    username = var.username
    password = var.password
    host     = aws_db_instance.database.address
    port     = aws_db_instance.database.port
  })
  secret_string_wo_version = var.password_version
}

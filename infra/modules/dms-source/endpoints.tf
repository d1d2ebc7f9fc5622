# Where changes come from, and where the files go.

resource "aws_dms_endpoint" "source" {
  #checkov:skip=CKV_AWS_296:a customer's key is optional (kms_key_arn)
  #checkov:skip=CKV2_AWS_49:TLS needs the database's own certificate (certificate_arn); the login comes from Secrets Manager
  endpoint_id                     = "${var.name}-source"
  endpoint_type                   = "source"
  engine_name                     = var.database.engine
  database_name                   = var.database.database_name
  extra_connection_attributes     = var.database.connection_attributes
  secrets_manager_arn             = var.database.secret_arn
  secrets_manager_access_role_arn = aws_iam_role.secret.arn
  certificate_arn                 = var.database.certificate_arn
  ssl_mode                        = var.database.ssl_mode
  kms_key_arn                     = var.kms_key_arn
}

resource "aws_dms_s3_endpoint" "raw" {
  #checkov:skip=CKV_AWS_298:a customer's key is optional (kms_key_arn)
  endpoint_id             = "${var.name}-raw"
  endpoint_type           = "target"
  service_access_role_arn = aws_iam_role.raw.arn
  bucket_name             = var.bucket
  expected_bucket_owner   = var.account_id
  encryption_mode         = var.kms_key_arn == null ? "SSE_S3" : "SSE_KMS"

  server_side_encryption_kms_key_id = var.kms_key_arn

  data_format = "csv"
  rfc_4180    = true
  # Each file names its columns, which change over time.
  add_column_name          = true
  include_op_for_full_load = true
  # When a change was committed at the source; for a full load the start of the task, which is before all changes.
  timestamp_column_name                       = "dms_commit_time"
  use_task_start_time_for_full_load_timestamp = true
  # NULL, and a value that the source's log left out, are told from any text.
  csv_null_value       = "__cdc_null__"
  use_csv_no_sup_value = true
  csv_no_sup_value     = "__cdc_unchanged__"

  cdc_max_batch_interval = var.max_batch_seconds
  cdc_min_file_size      = 32000
}

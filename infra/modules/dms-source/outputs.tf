output "replication_config_arn" {
  description = "The replication, for `aws dms start-replication`."
  value       = aws_dms_replication_config.replication.arn
}

output "format" {
  description = "The format of the files, as the config document says it: read off the endpoint."
  value = {
    type                = "dms_csv"
    header              = aws_dms_s3_endpoint.raw.add_column_name
    op                  = aws_dms_s3_endpoint.raw.include_op_for_full_load ? "always" : "changes"
    null                = aws_dms_s3_endpoint.raw.csv_null_value
    no_supplemental     = aws_dms_s3_endpoint.raw.csv_no_sup_value
    timestamp_column    = aws_dms_s3_endpoint.raw.timestamp_column_name
    sequence_column     = local.sequence_column
    before_image_prefix = local.before_image_prefix
  }
}

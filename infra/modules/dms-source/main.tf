# A DMS Serverless replication: tables of a database, first whole and then change by change, as CSV files in
# the raw bucket. The format of the files is the endpoint's; what the decoder has to know of it is an output.

locals {
  schemas = sort(keys(var.structure))
  tables = flatten([
    for schema in local.schemas : [for table in sort(var.structure[schema]) : { schema = schema, table = table }]
  ])
  # Columns that DMS adds; the functions take them for what they are, and no table gets them.
  sequence_column     = "dms_change_sequence"
  before_image_prefix = "BI_"
}

resource "aws_dms_replication_config" "replication" {
  replication_config_identifier = var.name
  resource_identifier           = var.name
  replication_type              = "full-load-and-cdc"
  source_endpoint_arn           = aws_dms_endpoint.source.endpoint_arn
  target_endpoint_arn           = aws_dms_s3_endpoint.raw.endpoint_arn
  table_mappings                = jsonencode({ rules = concat(local.selections, local.transformations) })
  replication_settings          = jsonencode(local.settings)
  start_replication             = var.start_replication

  compute_config {
    replication_subnet_group_id = aws_dms_replication_subnet_group.subnets.id
    vpc_security_group_ids      = var.security_group_ids
    min_capacity_units          = var.capacity_units.minimum
    max_capacity_units          = var.capacity_units.maximum
    kms_key_id                  = var.kms_key_arn
  }

  depends_on = [aws_iam_role_policy.raw, aws_iam_role_policy.secret, aws_iam_role_policy_attachment.service]
}

resource "aws_dms_replication_subnet_group" "subnets" {
  replication_subnet_group_id          = var.name
  replication_subnet_group_description = "Where ${var.name} runs"
  subnet_ids                           = var.subnet_ids

  depends_on = [aws_iam_role_policy_attachment.service]
}

resource "aws_cloudwatch_log_group" "replication" {
  #checkov:skip=CKV_AWS_158:log lines of DMS name tables and counts; a customer's key is the account's choice
  #checkov:skip=CKV_AWS_338:how long logs stay is a setting (log_retention_days)
  # DMS names its group for the replication's id, the end of its ARN.
  name              = "dms-serverless-replication-${reverse(split(":", aws_dms_replication_config.replication.arn))[0]}"
  retention_in_days = var.log_retention_days
}

# CockroachDB's financial transactions from an MSK cluster that exists into an Iceberg table: by msk-cdc, or by
# a Firehose stream with our transformation.

provider "aws" {
  region = var.region
}

module "lakehouse" {
  source = "../.."

  application_name = var.application_name
  account_id       = var.account_id

  msk_cluster_arn    = var.msk_cluster_arn
  topic_name         = var.topic_name
  topic_format       = { type = "cockroach" }
  glue_database_name = var.glue_database_name
  glue_table_name    = var.glue_table_name
  unique_keys        = ["transaction_id"]
  table_columns      = { transaction_id = "string", amount = "decimal(18,2)" }

  topic_delivery     = var.topic_delivery
  buffering_size     = var.buffering_size
  buffering_interval = var.buffering_interval
}

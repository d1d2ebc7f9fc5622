variable "region" {
  description = "The region of the cluster."
  type        = string
  default     = "eu-central-1"
}

variable "account_id" {
  description = "The account; null asks AWS."
  type        = string
  default     = null
}

variable "application_name" {
  description = "What everything is named for."
  type        = string
  default     = "transactions"
}

variable "msk_cluster_arn" {
  description = "The cluster that the changefeed writes to, with IAM authentication."
  type        = string
}

variable "topic_name" {
  description = "The changefeed's topic: the table's name."
  type        = string
  default     = "financial_transactions"
}

variable "glue_database_name" {
  description = "The Glue database of the table."
  type        = string
  default     = "payments"
}

variable "glue_table_name" {
  description = "The table."
  type        = string
  default     = "financial_transactions"
}

variable "topic_delivery" {
  description = "msk-cdc, or firehose."
  type        = string
  default     = "msk-cdc"
}

variable "buffering_size" {
  description = "With firehose: after how many megabytes a delivery is made at the latest."
  type        = number
  default     = 64
}

variable "buffering_interval" {
  description = "With firehose: after how many seconds a delivery is made at the latest."
  type        = number
  default     = 60
}

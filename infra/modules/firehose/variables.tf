variable "name" {
  description = "The stream's name, by which the config document knows its topic."
  type        = string
}

variable "account_id" {
  description = "The account of the stream."
  type        = string
}

variable "region" {
  description = "The region of the stream."
  type        = string
}

variable "partition" {
  description = "The partition of ARNs."
  type        = string
}

variable "cluster_arn" {
  description = "The cluster, with IAM authentication."
  type        = string
}

variable "attach_cluster_policy" {
  description = "Whether to attach the cluster policy that lets Firehose connect. It replaces another policy of the cluster."
  type        = bool
}

variable "topic" {
  description = "The topic."
  type        = string
}

variable "database" {
  description = "The Glue database of the table."
  type        = string
}

variable "table" {
  description = "The table, which exists."
  type        = string
}

variable "unique_keys" {
  description = "The columns that identify a row."
  type        = list(string)
}

variable "buffering_size" {
  description = "After how many megabytes a delivery is made at the latest."
  type        = number
}

variable "buffering_interval" {
  description = "After how many seconds a delivery is made at the latest."
  type        = number
}

variable "function_arn" {
  description = "The transformation function."
  type        = string
}

variable "warehouse_bucket_arn" {
  description = "The bucket of the table's files."
  type        = string
}

variable "error_bucket_arn" {
  description = "The bucket of what could not be delivered."
  type        = string
}

variable "kms_key_arn" {
  description = "A customer's key; null means keys of AWS."
  type        = string
}

variable "log_retention_days" {
  description = "How many days log lines stay."
  type        = number
}

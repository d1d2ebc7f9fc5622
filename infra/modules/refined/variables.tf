variable "name" {
  description = "What the state machine and its roles are named for."
  type        = string
}

variable "account_id" {
  description = "The account of the lake."
  type        = string
}

variable "region" {
  description = "The region of the lake."
  type        = string
}

variable "partition" {
  description = "The partition of ARNs."
  type        = string
}

variable "sql_directory" {
  description = "Where the SQL lies: TABLE.create.sql and TABLE.merge.sql for each table."
  type        = string
}

variable "tables" {
  description = "The refined tables, in the order in which they are made."
  type        = list(string)
}

variable "clean_database" {
  description = "The Glue database that they are made of."
  type        = string
}

variable "refined_database" {
  description = "The Glue database that they are in."
  type        = string
}

variable "location" {
  description = "Where their files go, as s3://bucket/prefix."
  type        = string
}

variable "schedule" {
  description = "When they are made, as EventBridge Scheduler says it: rate(1 hour), cron(0 5 * * ? *)."
  type        = string
}

variable "workgroup" {
  description = "The Athena workgroup of the queries."
  type        = string
}

variable "workgroup_arn" {
  description = "ARN of the workgroup."
  type        = string
}

variable "bucket_arns" {
  description = "ARNs of the lake's buckets by zone."
  type        = map(string)
}

variable "lake_formation" {
  description = "Whether Lake Formation hands out data."
  type        = bool
}

variable "kms_key_arn" {
  description = "A customer's key; null means keys of AWS."
  type        = string
}

variable "quicksight_principals" {
  description = "QuickSight users or groups that get a data source on Athena, as ARNs."
  type        = list(string)
}

variable "alarm_actions" {
  description = "Whom alarms tell, as ARNs."
  type        = list(string)
}

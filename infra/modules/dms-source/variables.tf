variable "name" {
  description = "The replication's name; its endpoints and roles are named for it."
  type        = string
}

variable "account_id" {
  description = "The account of the replication."
  type        = string
}

variable "region" {
  description = "The region of the replication."
  type        = string
}

variable "partition" {
  description = "The partition of ARNs."
  type        = string
}

variable "structure" {
  description = "Tables by schema."
  type        = map(list(string))
}

variable "database" {
  description = "The database: its engine in DMS's words, its login in Secrets Manager, and for TLS its certificate in DMS and the mode."
  type = object({
    engine                = string
    secret_arn            = string
    database_name         = string
    connection_attributes = string
    certificate_arn       = string
    ssl_mode              = string
  })
}

variable "bucket" {
  description = "The raw bucket."
  type        = string
}

variable "bucket_arn" {
  description = "ARN of the raw bucket."
  type        = string
}

variable "subnet_ids" {
  description = "Where the replication runs: subnets that reach the database, S3 and Secrets Manager."
  type        = list(string)
}

variable "security_group_ids" {
  description = "The replication's security groups."
  type        = list(string)
}

variable "start_replication" {
  description = "Whether Terraform starts the replication."
  type        = bool
}

variable "create_service_roles" {
  description = "Whether to create dms-vpc-role and dms-cloudwatch-logs-role, which an account has once."
  type        = bool
}

variable "capacity_units" {
  description = "DMS capacity units, at least and at most."
  type = object({
    minimum = number
    maximum = number
  })
}

variable "max_batch_seconds" {
  description = "After how many seconds a file of changes is written at the latest."
  type        = number
}

variable "kms_key_arn" {
  description = "A customer's key; null means keys of AWS."
  type        = string
}

variable "log_retention_days" {
  description = "How many days log lines stay."
  type        = number
}

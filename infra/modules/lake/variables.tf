variable "name" {
  description = "What the lake's resources are named for."
  type        = string
}

variable "account_id" {
  description = "The account that the lake is in."
  type        = string
}

variable "region" {
  description = "The region that the lake is in."
  type        = string
}

variable "partition" {
  description = "The partition of ARNs: aws, aws-cn or aws-us-gov."
  type        = string
}

variable "databases" {
  description = "Glue databases of the clean zone; at least one."
  type        = list(string)
}

variable "refined_databases" {
  description = "Glue databases of the refined zone."
  type        = list(string)
}

variable "precreated_tables" {
  description = "Tables of the clean zone that have to exist before their first event, with the types of their columns in Iceberg's words."
  type = list(object({
    database = string
    name     = string
    columns  = map(string)
  }))
}

variable "optimized_tables" {
  description = "Tables, as database.table, that exist and that Glue keeps in order."
  type        = list(string)
}

variable "optimizers" {
  description = "How many days snapshots and unknown files stay, and how many snapshots stay in any case."
  type = object({
    snapshot_retention_days = number
    snapshots_to_retain     = number
    orphan_retention_days   = number
  })
}

variable "queried_tables" {
  description = "Tables, as database.table, that get saved queries."
  type        = list(string)
}

variable "s3_tables" {
  description = "Whether there is an S3 table bucket beside Glue."
  type        = bool
}

variable "lake_formation" {
  description = "Lake Formation's administrators, analysts (ARNs) and mode; null leaves access to IAM."
  type = object({
    admins   = list(string)
    analysts = list(string)
    hybrid   = bool
  })
}

variable "writers" {
  description = "Roles that write tables, by name, with the databases that they write: they are granted that where Lake Formation governs."
  type = map(object({
    role_arn  = string
    databases = list(string)
  }))
}

variable "readers" {
  description = "Roles that read tables, by name, with the databases that they read: they are granted that where Lake Formation governs."
  type = map(object({
    role_arn  = string
    databases = list(string)
  }))
}

variable "snowflake" {
  description = "Snowflake's user and external id, from its catalog integration; null creates no role."
  type = object({
    user_arn    = string
    external_id = string
  })
}

variable "athena_scan_limit_gb" {
  description = "How many gigabytes one query may scan."
  type        = number
}

variable "kms_key_arn" {
  description = "A customer's key for buckets, results and tables; null means keys of AWS."
  type        = string
}

variable "force_destroy" {
  description = "Whether buckets are destroyed with what is in them."
  type        = bool
}

variable "raw_retention_days" {
  description = "After how many days raw files go; null keeps them."
  type        = number
}

variable "noncurrent_version_days" {
  description = "How many days a deleted or overwritten object can be had back."
  type        = number
}

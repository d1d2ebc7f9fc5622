variable "region" {
  description = "The region to deploy to."
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
  default     = "iceberg-data-lakehouse"
}

variable "initial_database_name" {
  description = "The database to create."
  type        = string
  default     = "bookstoredb"
}

variable "username_database" {
  description = "The master user."
  type        = string
  default     = "admin"
}

variable "password_database" {
  description = "The master user's password: set TF_VAR_password_database."
  type        = string
  sensitive   = true
}

variable "database_replication_structure" {
  description = "Tables by schema that DMS copies."
  type        = map(list(string))
  default     = { bookstoredb = ["customer", "book", "sales"] }
}

variable "public_ip" {
  description = "Your address, as x.x.x.x/32: from there the database can be reached."
  type        = string
}

variable "optimized_tables" {
  description = "Tables that exist by now and that Glue keeps in order."
  type        = list(string)
  default     = []
}

variable "quicksight_principals" {
  description = "QuickSight users or groups that get a data source."
  type        = list(string)
  default     = []
}

variable "create_dms_service_roles" {
  description = "False where the account has dms-vpc-role and dms-cloudwatch-logs-role."
  type        = bool
  default     = true
}

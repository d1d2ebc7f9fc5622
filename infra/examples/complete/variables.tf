variable "region" {
  description = "The region to deploy to."
  type        = string
  default     = "eu-central-1"
}

variable "account_id" {
  description = "The account."
  type        = string
}

variable "application_name" {
  description = "What everything is named for."
  type        = string
  default     = "complete"
}

variable "password_database" {
  description = "The master user's password: set TF_VAR_password_database."
  type        = string
  sensitive   = true
}

variable "debezium_plugins" {
  description = "Zips of the connectors by engine."
  type        = map(string)
  default     = { oracle = "debezium-oracle.zip", postgres = "debezium-postgres.zip" }
}

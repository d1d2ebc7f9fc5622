# A lake with a name and nothing else: buckets, a Glue database, a workgroup, a dashboard. It waits for sources.

provider "aws" {
  region = var.region
}

module "lakehouse" {
  source = "../.."

  application_name = var.application_name
  account_id       = var.account_id
}

variable "region" {
  description = "The region to deploy to."
  type        = string
  default     = "eu-central-1"
}

variable "application_name" {
  description = "What everything is named for."
  type        = string
  default     = "lakehouse"
}

variable "account_id" {
  description = "The account; null asks AWS."
  type        = string
  default     = null
}

output "lakehouse" {
  description = "What there is."
  value       = module.lakehouse
}

output "config_document" {
  description = "The document that the functions read."
  value       = module.lakehouse.config_document
}

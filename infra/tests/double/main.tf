# The part of the lakehouse that a double of AWS can hold, for the test that applies it: what a partner drops into
# the raw bucket becomes a table. AWS_ENDPOINT_URL names the double.

provider "aws" {
  region      = "us-east-1"
  max_retries = 3

  s3_use_path_style           = true
  skip_credentials_validation = true
  skip_metadata_api_check     = true
}

module "lakehouse" {
  source = "../.."

  application_name     = var.application_name
  packages_directory   = var.packages_directory
  architecture         = "x86_64"
  function_environment = { AWS_ENDPOINT_URL = var.endpoint }
  function_settings    = { dms-csv = { timeout_seconds = 60 } }
  force_destroy        = true
  optimizers           = { enabled = false }
  refined              = {}

  csv_sources = { partner = { prefix = "partner/" } }
  tables = [
    {
      source  = "partner", from = "stock", table = "${local.database}.stock", key = ["sku"]
      columns = { on_hand = "int", price = "decimal(8,2)" }
    },
    {
      source  = "partner", from = "prices", table = "${local.database}.prices", key = ["sku"], precreate = true
      columns = { sku = "string", price = "decimal(8,2)" }
    },
  ]
}

locals {
  database = replace(var.application_name, "-", "_")
}

variable "application_name" {
  description = "What everything is named for."
  type        = string
}

variable "packages_directory" {
  description = "Where the x86-64 packages are."
  type        = string
}

variable "endpoint" {
  description = "The double, for the functions."
  type        = string
}

output "raw_bucket" {
  description = "Where to drop files."
  value       = module.lakehouse.buckets["raw"]
}

output "config_document" {
  description = "The document that the functions read."
  value       = module.lakehouse.config_document
}

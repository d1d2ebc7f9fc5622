# Who reads: analysts with Athena, refined tables and QuickSight, Snowflake.

variable "athena_scan_limit_gb" {
  description = "How many gigabytes one query of the workgroup may scan."
  type        = number
  default     = 100
  nullable    = false

  validation {
    condition     = var.athena_scan_limit_gb > 0
    error_message = "athena_scan_limit_gb is more than 0."
  }
}

variable "lake_formation" {
  description = "Has Lake Formation govern the lake: its administrators (they replace those that the account has: name yourself and who applies this), the analysts who may read all tables, and the mode. In hybrid mode only those who opted in (the analysts) are governed, and everybody else keeps to IAM; otherwise every reader needs a grant. Null leaves access to IAM."
  type = object({
    admins   = list(string)
    analysts = optional(list(string), [])
    hybrid   = optional(bool, true)
  })
  default = null

  validation {
    condition     = try(length(var.lake_formation.admins) > 0, var.lake_formation == null)
    error_message = "lake_formation: admins has to name somebody, or nobody could grant anything."
  }
  validation {
    condition     = try(alltrue([for arn in concat(var.lake_formation.admins, var.lake_formation.analysts) : startswith(arn, "arn:")]), var.lake_formation == null)
    error_message = "lake_formation: admins and analysts are ARNs of users and roles."
  }
}

variable "refined" {
  description = "Makes refined tables by SQL, on a schedule (of EventBridge Scheduler). The tables are files TABLE.create.sql and TABLE.merge.sql; null for sql_directory means sql/refined in this folder, which is made for the bookstore's tables. Databases default to the lake's own, and to that with _refined."
  type = object({
    tables         = optional(list(string), ["sales_by_category_and_month", "customer_value"])
    schedule       = optional(string, "rate(1 hour)")
    clean_database = optional(string)
    database       = optional(string)
    sql_directory  = optional(string)
  })
  default = null

  validation {
    condition     = var.refined == null ? true : can(regex("^(rate|cron|at)\\(.+\\)$", var.refined.schedule))
    error_message = "refined: schedule is rate(...), cron(...) or at(...)."
  }
}

variable "quicksight_principals" {
  description = "QuickSight users or groups, as ARNs, that get a data source on Athena. It comes with refined tables, and needs a QuickSight subscription."
  type        = list(string)
  default     = []
  nullable    = false

  validation {
    condition     = length(var.quicksight_principals) == 0 || var.refined != null
    error_message = "quicksight_principals comes with refined tables: set refined."
  }
}

variable "snowflake" {
  description = "Snowflake's user and external id, from DESCRIBE CATALOG INTEGRATION: makes a role by which it reads the tables. Null makes none."
  type = object({
    user_arn    = string
    external_id = string
  })
  default = null

  validation {
    condition     = try(startswith(var.snowflake.user_arn, "arn:") && length(var.snowflake.external_id) > 0, var.snowflake == null)
    error_message = "snowflake: user_arn is an ARN, and external_id is not empty."
  }
}

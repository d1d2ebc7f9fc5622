variable "application" {
  description = "The application that the function belongs to: the first part of its name."
  type        = string
}

variable "name" {
  description = "The function's own name, the second part."
  type        = string
}

variable "description" {
  description = "What the function does."
  type        = string
}

variable "package" {
  description = "The zip with the function's `bootstrap`."
  type        = string
}

variable "architecture" {
  description = "What the package was built for: arm64 or x86_64."
  type        = string
}

variable "memory_mb" {
  description = "Memory in megabytes; processor time grows with it."
  type        = number
}

variable "timeout_seconds" {
  description = "How long one invocation may take."
  type        = number
}

variable "reserved_concurrency" {
  description = "How many invocations may run at once, taken from the account's; -1 reserves none."
  type        = number
}

variable "config_uri" {
  description = "The config document, as s3://bucket/key."
  type        = string
}

variable "environment" {
  description = "More variables of the environment."
  type        = map(string)
}

variable "statements" {
  description = "What the function may do, as statements of an IAM policy."
  type        = any
}

variable "dead_letter_bucket_arn" {
  description = "The bucket that keeps events which the function could not take."
  type        = string
}

variable "log_level" {
  description = "The least level of the function's own log lines: TRACE, DEBUG, INFO, WARN, ERROR or FATAL."
  type        = string
}

variable "log_retention_days" {
  description = "How many days log lines stay."
  type        = number
}

variable "alarm_actions" {
  description = "Whom alarms tell, as ARNs."
  type        = list(string)
}

variable "lag_alarm_minutes" {
  description = "How many minutes a change may take from its source to its commit before an alarm."
  type        = number
}

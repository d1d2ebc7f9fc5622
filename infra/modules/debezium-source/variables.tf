variable "name" {
  description = "What plugins, connectors and roles are named for."
  type        = string
}

variable "account_id" {
  description = "The account of the connectors."
  type        = string
}

variable "region" {
  description = "The region of the connectors and of the secrets."
  type        = string
}

variable "cluster_arn" {
  description = "The cluster that connectors write to, with IAM authentication."
  type        = string
}

variable "bootstrap_brokers" {
  description = "The cluster's brokers to begin with, for IAM authentication."
  type        = string
}

variable "subnet_ids" {
  description = "Subnets that reach the cluster and the databases."
  type        = list(string)
}

variable "security_group_ids" {
  description = "The connectors' security groups."
  type        = list(string)
}

variable "plugins" {
  description = "Zips by engine (oracle, postgres): Debezium's connector with AWS's config providers."
  type        = map(string)
}

variable "plugin_bucket" {
  description = "The bucket that plugins are put into."
  type        = string
}

variable "plugin_bucket_arn" {
  description = "ARN of that bucket."
  type        = string
}

variable "kafkaconnect_version" {
  description = "The version of Kafka Connect."
  type        = string
}

variable "connectors" {
  description = "Connectors by name."
  type = map(object({
    engine             = string
    hostname           = string
    port               = number
    database           = string
    pluggable_database = string
    topic_prefix       = string
    tables             = list(string)
    secret_arn         = string
    mcu_count          = number
    settings           = map(string)
  }))
}

variable "log_retention_days" {
  description = "How many days log lines stay."
  type        = number
}

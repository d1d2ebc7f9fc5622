# Sources of Kafka: topics of a cluster, Firehose in place of a function, connectors that fill topics. Off by default.

variable "msk_cluster_arn" {
  description = "The MSK cluster that topics are read from; null where there is none, or where create_msk_cluster makes one."
  type        = string
  default     = null

  validation {
    condition     = var.msk_cluster_arn == null || can(regex("^arn:[a-z-]+:kafka:[a-z0-9-]+:[0-9]{12}:cluster/[^/]+/[^/]+$", var.msk_cluster_arn))
    error_message = "msk_cluster_arn is the ARN of an MSK cluster: arn:aws:kafka:<region>:<account>:cluster/<name>/<id>."
  }
  validation {
    condition     = var.msk_cluster_arn == null || !var.create_msk_cluster
    error_message = "msk_cluster_arn names a cluster and create_msk_cluster asks for another: set one of them."
  }
}

variable "create_msk_cluster" {
  description = "Whether to create a small MSK Serverless cluster with a network of its own."
  type        = bool
  default     = false
  nullable    = false
}

variable "msk_scram_secret_arn" {
  description = "User and password of a cluster with SASL/SCRAM, in Secrets Manager; null for IAM authentication."
  type        = string
  default     = null

  validation {
    condition     = var.msk_scram_secret_arn == null || can(regex("^arn:[a-z-]+:secretsmanager:", var.msk_scram_secret_arn))
    error_message = "msk_scram_secret_arn is the ARN of a secret."
  }
}

variable "msk_bootstrap_brokers" {
  description = "Brokers of the given cluster for IAM authentication, for connectors; null asks MSK."
  type        = string
  default     = null
}

variable "msk_subnet_ids" {
  description = "Subnets in which connectors reach the given cluster and their databases."
  type        = list(string)
  default     = []
  nullable    = false
}

variable "msk_security_group_ids" {
  description = "Security groups of connectors to the given cluster."
  type        = list(string)
  default     = []
  nullable    = false
}

variable "kafka_sources" {
  description = "Topics by source, in the words of the config document. A source's name is part of what tables remember of it."
  type = map(object({
    topics     = list(string)
    generation = optional(number, 0)
    format = object({
      type              = string
      deletes           = optional(string)
      decimals          = optional(string)
      unavailable_value = optional(string)
      before_image      = optional(string)
    })
  }))
  default  = {}
  nullable = false

  validation {
    condition     = alltrue([for source in values(var.kafka_sources) : contains(["cockroach", "debezium", "debezium_flattened", "dms_json", "plain"], source.format.type)])
    error_message = "kafka_sources: format.type is cockroach, debezium, debezium_flattened, dms_json or plain."
  }
  validation {
    condition     = alltrue([for source in values(var.kafka_sources) : length(source.topics) > 0])
    error_message = "kafka_sources: a source has at least one topic."
  }
  validation {
    condition     = length(var.kafka_sources) == 0 || var.msk_cluster_arn != null || var.create_msk_cluster
    error_message = "kafka_sources needs a cluster: set msk_cluster_arn or create_msk_cluster."
  }
  validation {
    condition     = alltrue([for name in keys(var.kafka_sources) : can(regex("^[^:/.]+$", name))])
    error_message = "kafka_sources: a source's name has no colon, slash or dot."
  }
}

variable "topic_name" {
  description = "The short form of one topic that becomes one table, glue_database_name.glue_table_name."
  type        = string
  default     = null

  validation {
    condition     = var.topic_name == null || var.msk_cluster_arn != null || var.create_msk_cluster
    error_message = "topic_name needs a cluster: set msk_cluster_arn or create_msk_cluster."
  }
  validation {
    condition     = var.topic_name == null || (var.glue_table_name != null && length(var.unique_keys) > 0)
    error_message = "topic_name needs glue_table_name, the table that it becomes, and unique_keys, the columns that identify a row."
  }
}

variable "topic_format" {
  description = "The format of the topic's records, as in kafka_sources."
  type = object({
    type              = string
    deletes           = optional(string)
    decimals          = optional(string)
    unavailable_value = optional(string)
    before_image      = optional(string)
  })
  default  = { type = "cockroach" }
  nullable = false

  validation {
    condition     = contains(["cockroach", "debezium", "debezium_flattened", "dms_json", "plain"], var.topic_format.type)
    error_message = "topic_format: type is cockroach, debezium, debezium_flattened, dms_json or plain."
  }
}

variable "glue_table_name" {
  description = "The table that topic_name becomes."
  type        = string
  default     = null

  validation {
    condition     = var.glue_table_name == null || can(regex("^[a-z0-9_]{1,255}$", var.glue_table_name))
    error_message = "glue_table_name is lower-case letters, digits and underscores: Athena reads no others."
  }
}

variable "unique_keys" {
  description = "The columns that identify a row of glue_table_name."
  type        = list(string)
  default     = []
  nullable    = false
}

variable "table_columns" {
  description = "Types of columns of glue_table_name. Firehose needs all of them, other deliveries those whose type the values do not tell."
  type        = map(string)
  default     = {}
  nullable    = false

  validation {
    condition     = alltrue([for type in values(var.table_columns) : can(regex("^(boolean|int|long|float|double|decimal\\([0-9]+, ?[0-9]+\\)|date|time|timestamp|timestamptz|string|binary)$", type))])
    error_message = "table_columns: types are boolean, int, long, float, double, decimal(precision,scale), date, time, timestamp, timestamptz, string and binary."
  }
}

variable "topic_delivery" {
  description = "How topic_name gets into its table: by msk-cdc, or by firehose (a delivery stream, which writes equality deletes and keeps no order across its buffers)."
  type        = string
  default     = "msk-cdc"
  nullable    = false

  validation {
    condition     = contains(["msk-cdc", "firehose"], var.topic_delivery)
    error_message = "topic_delivery is msk-cdc or firehose."
  }
  validation {
    condition     = var.topic_delivery != "firehose" || length(var.table_columns) > 0
    error_message = "topic_delivery \"firehose\" needs table_columns: a stream delivers into a table that has all its columns."
  }
}

variable "buffering_size" {
  description = "After how many megabytes Firehose delivers at the latest."
  type        = number
  default     = 64
  nullable    = false

  validation {
    condition     = var.buffering_size >= 1 && var.buffering_size <= 128
    error_message = "buffering_size is 1 to 128 megabytes."
  }
}

variable "buffering_interval" {
  description = "After how many seconds Firehose delivers at the latest."
  type        = number
  default     = 300
  nullable    = false

  validation {
    condition     = var.buffering_interval >= 0 && var.buffering_interval <= 900
    error_message = "buffering_interval is 0 to 900 seconds."
  }
}

variable "attach_msk_cluster_policy" {
  description = "Whether to attach the cluster policy by which Firehose connects. It replaces another policy of the cluster."
  type        = bool
  default     = true
  nullable    = false
}

variable "kafka_polling" {
  description = "How topics are read: the most records of a batch and seconds of its gathering, where a new mapping begins (TRIM_HORIZON, LATEST), provisioned pollers at least and at most, and how often a failing batch is tried again, halved where bisect is on, before it goes to the dead letters. Provisioned pollers cost while they wait; without them Lambda polls on demand, tries for ever, and knows no bisecting and partial answers."
  type = object({
    batch_size              = optional(number, 10000)
    batching_window_seconds = optional(number, 5)
    starting_position       = optional(string, "TRIM_HORIZON")
    provisioned             = optional(bool, true)
    minimum_pollers         = optional(number, 1)
    maximum_pollers         = optional(number, 4)
    retries                 = optional(number, 10)
    bisect                  = optional(bool, true)
  })
  default  = {}
  nullable = false

  validation {
    condition     = var.kafka_polling.batch_size >= 1 && var.kafka_polling.batch_size <= 10000
    error_message = "kafka_polling: batch_size is 1 to 10000."
  }
  validation {
    condition     = var.kafka_polling.batching_window_seconds >= 0 && var.kafka_polling.batching_window_seconds <= 300
    error_message = "kafka_polling: batching_window_seconds is 0 to 300."
  }
  validation {
    condition     = contains(["TRIM_HORIZON", "LATEST"], var.kafka_polling.starting_position)
    error_message = "kafka_polling: starting_position is TRIM_HORIZON or LATEST."
  }
  validation {
    condition     = var.kafka_polling.retries >= 0 && var.kafka_polling.retries <= 10000
    error_message = "kafka_polling: retries is 0 to 10000. Where there are dead letters, Lambda does not try for ever."
  }
  validation {
    condition     = var.kafka_polling.minimum_pollers >= 1 && var.kafka_polling.minimum_pollers <= 200 && var.kafka_polling.maximum_pollers >= var.kafka_polling.minimum_pollers && var.kafka_polling.maximum_pollers <= 2000
    error_message = "kafka_polling: minimum_pollers is 1 to 200, maximum_pollers at least that and at most 2000."
  }
}

# --- Debezium on MSK Connect ---

variable "debezium_connectors" {
  description = "Connectors by name, each a source of that name: engine (oracle or postgres), where its database is, the tables as SCHEMA.TABLE, which become the topics <topic_prefix>.SCHEMA.TABLE, and the secret with username and password. `settings` go to the connector as they are."
  type = map(object({
    engine             = string
    hostname           = string
    port               = number
    database           = string
    pluggable_database = optional(string)
    topic_prefix       = string
    tables             = list(string)
    secret_arn         = string
    mcu_count          = optional(number, 1)
    settings           = optional(map(string), {})
  }))
  default  = {}
  nullable = false

  validation {
    condition     = alltrue([for connector in values(var.debezium_connectors) : contains(["oracle", "postgres"], connector.engine)])
    error_message = "debezium_connectors: engine is oracle or postgres."
  }
  validation {
    condition     = alltrue([for connector in values(var.debezium_connectors) : contains(keys(var.debezium_plugins), connector.engine)])
    error_message = "debezium_connectors: every engine needs its plugin in debezium_plugins."
  }
  validation {
    condition     = alltrue([for connector in values(var.debezium_connectors) : length(connector.tables) > 0])
    error_message = "debezium_connectors: a connector has at least one table."
  }
  validation {
    condition     = alltrue([for connector in values(var.debezium_connectors) : can(regex("^arn:[a-z-]+:secretsmanager:[^:]+:[0-9]{12}:secret:.+-[A-Za-z0-9]{6}$", connector.secret_arn))])
    error_message = "debezium_connectors: secret_arn is the whole ARN of a secret, with its last six characters."
  }
  validation {
    condition     = length(var.debezium_connectors) == 0 || var.create_msk_cluster || (var.msk_cluster_arn != null && length(var.msk_subnet_ids) > 0 && length(var.msk_security_group_ids) > 0)
    error_message = "debezium_connectors needs a cluster: create_msk_cluster, or msk_cluster_arn with msk_subnet_ids and msk_security_group_ids."
  }
}

variable "debezium_plugins" {
  description = "Zips by engine (oracle, postgres) on this machine: Debezium's connector together with AWS's MSK config providers."
  type        = map(string)
  default     = {}
  nullable    = false

  validation {
    condition     = alltrue([for engine in keys(var.debezium_plugins) : contains(["oracle", "postgres"], engine)])
    error_message = "debezium_plugins: engines are oracle and postgres."
  }
}

variable "kafkaconnect_version" {
  description = "The version of Kafka Connect for connectors."
  type        = string
  default     = "3.7.x"
  nullable    = false

  validation {
    condition     = can(regex("^[0-9]+\\.[0-9]+\\.[0-9x]+$", var.kafkaconnect_version))
    error_message = "kafkaconnect_version is a version that MSK Connect knows, such as 3.7.x."
  }
}

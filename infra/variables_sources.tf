# Sources: topics of Kafka, connectors that fill them, files, a database that DMS copies. All off by default.

# --- Kafka ---

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
}

variable "kafkaconnect_version" {
  description = "The version of Kafka Connect for connectors."
  type        = string
  default     = "3.7.x"
  nullable    = false
}

# --- Files ---

variable "csv_sources" {
  description = "CSV files that others drop into the raw bucket, by source: `prefix`, below which each table has a folder, and the format in the words of the config document. Where files have no header (`header = false`), their tables need `column_order`."
  type = map(object({
    prefix = string
    format = optional(object({
      header              = optional(bool, true)
      op                  = optional(string)
      null                = optional(string)
      no_supplemental     = optional(string)
      delimiter           = optional(string)
      timestamp_column    = optional(string)
      before_image_prefix = optional(string)
      sequence_column     = optional(string)
    }), {})
  }))
  default  = {}
  nullable = false

  validation {
    condition     = alltrue([for source in values(var.csv_sources) : source.prefix == "" || endswith(source.prefix, "/")])
    error_message = "csv_sources: prefix ends with a slash, or is empty."
  }
  validation {
    condition     = alltrue([for name in keys(var.csv_sources) : can(regex("^[^:/.]+$", name))])
    error_message = "csv_sources: a source's name has no colon, slash or dot."
  }
}

variable "raw_drops" {
  description = "How often a dropped file is tried before its notification goes to the dead letters (a large file takes several deliveries), and how many invocations may work on drops at once."
  type = object({
    max_receives    = optional(number, 10)
    max_concurrency = optional(number, 5)
  })
  default  = {}
  nullable = false

  validation {
    condition     = var.raw_drops.max_receives >= 5 && var.raw_drops.max_receives <= 1000
    error_message = "raw_drops: max_receives is 5 to 1000."
  }
  validation {
    condition     = var.raw_drops.max_concurrency >= 2 && var.raw_drops.max_concurrency <= 1000
    error_message = "raw_drops: max_concurrency is 2 to 1000, which is what Lambda takes for a queue."
  }
}

# --- A database that DMS copies ---

variable "database_replication_structure" {
  description = "Tables by schema that DMS copies, each schema a source of its name. Every table needs an entry in `tables` that names its key."
  type        = map(list(string))
  default     = {}
  nullable    = false

  validation {
    condition     = length(var.database_replication_structure) == 0 || var.initial_database_name != null || var.source_database != null
    error_message = "database_replication_structure needs a database: set initial_database_name to create one, or source_database to name one."
  }
  validation {
    condition     = alltrue([for schema in keys(var.database_replication_structure) : can(regex("^[^:/.%]+$", schema))])
    error_message = "database_replication_structure: a schema's name has no colon, slash, dot or percent sign."
  }
}

variable "initial_database_name" {
  description = "Creates an RDS MySQL with this database; null creates none."
  type        = string
  default     = null

  validation {
    condition     = var.initial_database_name == null || can(regex("^[A-Za-z][A-Za-z0-9_]{0,63}$", var.initial_database_name))
    error_message = "initial_database_name begins with a letter and has up to 64 letters, digits and underscores."
  }
  validation {
    condition     = var.initial_database_name == null || var.source_database == null
    error_message = "initial_database_name creates a database and source_database names another: set one of them."
  }
}

variable "username_database" {
  description = "The master user of the created database."
  type        = string
  default     = "admin"
  nullable    = false

  validation {
    condition     = can(regex("^[A-Za-z][A-Za-z0-9_]{0,15}$", var.username_database))
    error_message = "username_database begins with a letter and has up to 16 letters, digits and underscores."
  }
}

variable "password_database" {
  description = "The master user's password: set TF_VAR_password_database rather than a file. It goes to RDS and to Secrets Manager by write-only arguments (Terraform 1.11 or later), so the state does not hold it; a saved plan does."
  type        = string
  default     = null
  sensitive   = true

  validation {
    condition     = var.initial_database_name == null || var.password_database != null
    error_message = "password_database is needed to create a database: set TF_VAR_password_database."
  }
  validation {
    condition     = var.password_database == null || can(regex("^[^/@\" ]{8,41}$", var.password_database))
    error_message = "password_database is 8 to 41 characters without slash, at sign, double quote and space, which is what RDS takes."
  }
}

variable "password_version" {
  description = "Raise it when password_database is another one: a write-only value is only sent then."
  type        = number
  default     = 1
  nullable    = false
}

variable "public_ip" {
  description = "Your address, as x.x.x.x/32, from which the created database can be reached; null keeps it inside."
  type        = string
  default     = null

  validation {
    condition     = var.public_ip == null || can(cidrnetmask(var.public_ip))
    error_message = "public_ip is an address with its prefix length, such as 203.0.113.7/32."
  }
  validation {
    condition     = var.public_ip == null || try(tonumber(split("/", var.public_ip)[1]) >= 24, false)
    error_message = "public_ip is one address or a small range, /24 to /32: a database open to the world is no source."
  }
}

variable "mysql_version" {
  description = "The version of the created MySQL."
  type        = string
  default     = "8.4"
  nullable    = false

  validation {
    condition     = can(regex("^[0-9]+\\.[0-9]+$", var.mysql_version))
    error_message = "mysql_version is major and minor: 8.4."
  }
}

variable "database_instance_class" {
  description = "The size of the created database."
  type        = string
  default     = "db.t4g.micro"
  nullable    = false
}

variable "source_database" {
  description = "A database that exists: its engine in DMS's words (mysql, mariadb, postgres, oracle, sqlserver, ...), the secret with username, password, host and port, what of it to connect to, connection attributes, for TLS its mode and a certificate imported into DMS, and subnets and security groups in which DMS reaches it, S3 and Secrets Manager (both by VPC endpoints)."
  type = object({
    engine                = string
    secret_arn            = string
    database_name         = optional(string)
    connection_attributes = optional(string)
    certificate_arn       = optional(string)
    ssl_mode              = optional(string, "none")
    subnet_ids            = list(string)
    security_group_ids    = list(string)
  })
  default = null

  validation {
    condition     = var.source_database == null || can(regex("^arn:[a-z-]+:secretsmanager:", var.source_database.secret_arn))
    error_message = "source_database: secret_arn is the ARN of a secret."
  }
  validation {
    condition     = var.source_database == null ? true : contains(["none", "require", "verify-ca", "verify-full"], var.source_database.ssl_mode)
    error_message = "source_database: ssl_mode is none, require, verify-ca or verify-full; which of them an engine knows, the DMS user guide says."
  }
  validation {
    condition     = try(length(var.source_database.subnet_ids) >= 2, var.source_database == null)
    error_message = "source_database: subnet_ids are two or more, in different zones."
  }
}

variable "start_replication" {
  description = "Whether Terraform starts the replication; else it is started by hand, once the tables are there."
  type        = bool
  default     = false
  nullable    = false
}

variable "dms_capacity_units" {
  description = "DMS capacity units (2 GB of memory each), at least and at most."
  type = object({
    minimum = optional(number, 1)
    maximum = optional(number, 4)
  })
  default  = {}
  nullable = false

  validation {
    condition     = contains([1, 2, 4, 8, 16, 32, 64, 128, 192, 256, 384], var.dms_capacity_units.minimum) && contains([1, 2, 4, 8, 16, 32, 64, 128, 192, 256, 384], var.dms_capacity_units.maximum) && var.dms_capacity_units.minimum <= var.dms_capacity_units.maximum
    error_message = "dms_capacity_units: 1, 2, 4, 8, 16, 32, 64, 128, 192, 256 or 384, the minimum not above the maximum."
  }
}

variable "dms_max_batch_seconds" {
  description = "After how many seconds DMS writes a file of changes at the latest."
  type        = number
  default     = 60
  nullable    = false

  validation {
    condition     = var.dms_max_batch_seconds >= 1 && var.dms_max_batch_seconds <= 86400
    error_message = "dms_max_batch_seconds is 1 to 86400."
  }
}

variable "create_dms_service_roles" {
  description = "Whether to create dms-vpc-role and dms-cloudwatch-logs-role, which an account has once. False where they exist."
  type        = bool
  default     = true
  nullable    = false
}

# --- The network of what is created ---

variable "vpc_cidr" {
  description = "Addresses of the network of a created cluster or database, a /16."
  type        = string
  default     = "10.20.0.0/16"
  nullable    = false

  validation {
    condition     = can(cidrnetmask(var.vpc_cidr)) && endswith(var.vpc_cidr, "/16")
    error_message = "vpc_cidr is a /16, such as 10.20.0.0/16."
  }
}

variable "availability_zones" {
  description = "Zones of that network, two or more; null means a and b of the region."
  type        = list(string)
  default     = null

  validation {
    condition     = try(length(var.availability_zones) >= 2, var.availability_zones == null)
    error_message = "availability_zones are two or more."
  }
}

# The lake and its functions. Sources: variables_kafka.tf, variables_files.tf. Who reads: variables_readers.tf.

variable "application_name" {
  description = "What everything is named for, and the only variable without a default. With the account's id it makes the buckets' names."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{1,26}[a-z0-9]$", var.application_name))
    error_message = "application_name is 3 to 28 lower-case letters, digits and dashes, begins with a letter and does not end with a dash: buckets and roles are named for it."
  }
}

variable "account_id" {
  description = "The account to deploy to; null asks AWS who is calling. With it a plan needs no credentials."
  type        = string
  default     = null

  validation {
    condition     = var.account_id == null || can(regex("^[0-9]{12}$", var.account_id))
    error_message = "account_id is 12 digits."
  }
}

variable "tables" {
  description = <<-EOT
    The Iceberg tables, in the words of the config document. `source` is the name of a source: of `kafka_sources`
    or `csv_sources`, a Debezium connector, or a schema that DMS copies. `from` is what of it: a topic, or the
    table's folder. `table` is `database.table`; `units` says what integers in date and time columns count, and
    `column_order` lists all columns as files without a header have them.
    `precreate` has Terraform make the table, so that optimizers and grants find it before its first event: then
    `columns` says all types, and there is no partition.
  EOT
  type = list(object({
    source           = string
    from             = string
    table            = string
    key              = optional(list(string), [])
    columns          = optional(map(string), {})
    units            = optional(map(string), {})
    column_order     = optional(list(string), [])
    partition        = optional(list(string), [])
    catalogs         = optional(list(string), [])
    mode             = optional(string, "upsert")
    metadata_columns = optional(string, "version")
    on_truncate      = optional(string, "quarantine")
    properties       = optional(map(string), {})
    precreate        = optional(bool, false)
  }))
  default  = []
  nullable = false

  validation {
    condition     = alltrue([for table in var.tables : can(regex("^[a-z0-9_]+\\.[a-z0-9_]+$", table.table))])
    error_message = "tables: `table` is database.table in lower-case letters, digits and underscores, which is what Athena can read; not so: ${join(", ", [for table in var.tables : table.table if !can(regex("^[a-z0-9_]+\\.[a-z0-9_]+$", table.table))])}."
  }
  validation {
    condition     = alltrue([for table in var.tables : length(table.key) > 0 || table.mode == "append"])
    error_message = "tables: `key` names the key columns; only mode \"append\" goes without. Without one: ${join(", ", [for table in var.tables : table.table if length(table.key) == 0])}."
  }
  validation {
    condition     = alltrue(flatten([for table in var.tables : [for type in values(table.columns) : can(regex("^(boolean|int|long|float|double|decimal\\([0-9]+, ?[0-9]+\\)|date|time|timestamp|timestamptz|string|binary)$", type))]]))
    error_message = "tables: types of columns are boolean, int, long, float, double, decimal(precision,scale), date, time, timestamp, timestamptz, string and binary."
  }
  validation {
    condition     = alltrue([for table in var.tables : length(table.column_order) == 0 || toset(table.column_order) == toset(keys(table.columns))])
    error_message = "tables: `column_order` names the same columns as `columns`."
  }
  validation {
    condition     = alltrue([for table in var.tables : try(var.csv_sources[table.source].format.header, true) || length(table.column_order) > 0])
    error_message = "tables: files without a header need `column_order`, all columns in the order of the file. Without it: ${join(", ", [for table in var.tables : table.table if !try(var.csv_sources[table.source].format.header, true) && length(table.column_order) == 0])}."
  }
  validation {
    condition     = alltrue([for table in var.tables : contains(["upsert", "soft_delete", "append"], table.mode)])
    error_message = "tables: `mode` is upsert, soft_delete or append."
  }
  validation {
    condition     = alltrue([for table in var.tables : contains(["version", "all", "none"], table.metadata_columns)])
    error_message = "tables: `metadata_columns` is version, all or none."
  }
  validation {
    condition     = alltrue([for table in var.tables : contains(["quarantine", "ignore"], table.on_truncate)])
    error_message = "tables: `on_truncate` is quarantine or ignore."
  }
  validation {
    condition     = alltrue([for table in var.tables : !table.precreate || (length(table.columns) > 0 && length(table.partition) == 0 && table.mode == "upsert" && table.metadata_columns != "all")])
    error_message = "tables: `precreate` needs all `columns`, mode upsert, metadata_columns version or none, and no `partition`: Glue cannot make others. Leave it out, and the first event makes the table."
  }
  validation {
    condition = alltrue([
      for table in var.tables : contains(concat(
        keys(var.kafka_sources), keys(var.csv_sources), keys(var.debezium_connectors), keys(var.database_replication_structure)
      ), table.source)
    ])
    error_message = "tables: `source` is the name of a source, one of: ${join(", ", concat(keys(var.kafka_sources), keys(var.csv_sources), keys(var.debezium_connectors), keys(var.database_replication_structure)))}."
  }
  validation {
    condition = alltrue(flatten([
      for schema, tables in var.database_replication_structure : [
        for table in tables : anytrue([for own in var.tables : own.source == schema && own.from == table])
      ]
    ]))
    error_message = "tables: every table of database_replication_structure needs an entry here, with source = the schema and from = the table, which names its key. Without one: ${join(", ", flatten([for schema, tables in var.database_replication_structure : [for table in tables : "${schema}.${table}" if !anytrue([for own in var.tables : own.source == schema && own.from == table])]]))}."
  }
}

variable "glue_database_name" {
  description = "The Glue database of the lake; null names it for the application."
  type        = string
  default     = null

  validation {
    condition     = var.glue_database_name == null || can(regex("^[a-z0-9_]{1,252}$", var.glue_database_name))
    error_message = "glue_database_name is lower-case letters, digits and underscores: Athena reads no others."
  }
}

variable "catalogs" {
  description = "Where the tables live: glue, s3_tables, or both, each with a copy of its own."
  type        = list(string)
  default     = ["glue"]
  nullable    = false

  validation {
    condition     = length(var.catalogs) > 0 && length(distinct(var.catalogs)) == length(var.catalogs) && alltrue([for catalog in var.catalogs : contains(["glue", "s3_tables"], catalog)])
    error_message = "catalogs is a list of glue, s3_tables or both."
  }
}

variable "optimizers" {
  description = "Glue's upkeep of tables: whether there is any, how many days snapshots stay (and how many stay in any case), and after how many days a file that no snapshot knows is removed. Such a file may belong to a commit under way: a function's commit takes 15 minutes at most, and a retry writes files of its own."
  type = object({
    enabled                 = optional(bool, true)
    snapshot_retention_days = optional(number, 5)
    snapshots_to_retain     = optional(number, 1)
    orphan_retention_days   = optional(number, 7)
  })
  default  = {}
  nullable = false

  validation {
    condition     = var.optimizers.orphan_retention_days >= 3
    error_message = "optimizers: orphan_retention_days is 3 or more: files of commits under way must outlive every retry."
  }
  validation {
    condition     = var.optimizers.snapshot_retention_days >= 1 && var.optimizers.snapshots_to_retain >= 1
    error_message = "optimizers: snapshot_retention_days and snapshots_to_retain are 1 or more."
  }
}

variable "optimized_tables" {
  description = "Tables, as database.table, that Glue keeps in order besides those that Terraform makes. They have to exist: name a table after its first event."
  type        = list(string)
  default     = []
  nullable    = false

  validation {
    condition     = alltrue([for table in var.optimized_tables : can(regex("^[a-z0-9_]+\\.[a-z0-9_]+$", table))])
    error_message = "optimized_tables is a list of database.table."
  }
}

variable "raw_retention_days" {
  description = "After how many days files in the raw bucket go; null keeps them."
  type        = number
  default     = null

  validation {
    condition     = var.raw_retention_days == null || try(var.raw_retention_days >= 15, false)
    error_message = "raw_retention_days is 15 or more, or null: a file has to outlive the 14 days that its notification may wait."
  }
}

variable "noncurrent_version_days" {
  description = "How many days a deleted or overwritten object can be had back."
  type        = number
  default     = 7
  nullable    = false

  validation {
    condition     = var.noncurrent_version_days >= 1
    error_message = "noncurrent_version_days is 1 or more."
  }
}

variable "kms_key_arn" {
  description = "A customer's KMS key for buckets, tables, query results, the database and its login; null means keys of AWS. Its policy has to let the roles of this account use it."
  type        = string
  default     = null

  validation {
    condition     = var.kms_key_arn == null || can(regex("^arn:[a-z-]+:kms:", var.kms_key_arn))
    error_message = "kms_key_arn is the ARN of a KMS key."
  }
}

variable "force_destroy" {
  description = "Whether `terraform destroy` takes buckets with what is in them, and a created database without a last snapshot."
  type        = bool
  default     = false
  nullable    = false
}

variable "packages_directory" {
  description = "Where the packages are, as <function>/bootstrap.zip; null means packages/<architecture> in this folder, where `make package` puts them."
  type        = string
  default     = null
}

variable "architecture" {
  description = "What the packages were built for."
  type        = string
  default     = "arm64"
  nullable    = false

  validation {
    condition     = contains(["arm64", "x86_64"], var.architecture)
    error_message = "architecture is arm64 or x86_64."
  }
}

variable "function_settings" {
  description = "Memory, time and reserved concurrency by function (msk-cdc, dms-csv, firehose-transform); what is left out is the default: 1,024 MB and 60 s, 1,769 MB and 300 s, 256 MB and 60 s, none reserved."
  type = map(object({
    memory_mb            = optional(number)
    timeout_seconds      = optional(number)
    reserved_concurrency = optional(number, -1)
  }))
  default  = {}
  nullable = false

  validation {
    condition     = alltrue([for name in keys(var.function_settings) : contains(["msk-cdc", "dms-csv", "firehose-transform"], name)])
    error_message = "function_settings is for msk-cdc, dms-csv and firehose-transform."
  }
  validation {
    condition     = alltrue([for function in values(var.function_settings) : try(function.memory_mb >= 128 && function.memory_mb <= 10240, function.memory_mb == null)])
    error_message = "function_settings: memory_mb is 128 to 10240."
  }
  validation {
    condition     = alltrue([for name, function in var.function_settings : try(function.timeout_seconds >= 10 && function.timeout_seconds <= (name == "msk-cdc" ? 840 : 900), function.timeout_seconds == null)])
    error_message = "function_settings: timeout_seconds is 10 to 900, and at most 840 for msk-cdc, which is Lambda's limit for Kafka."
  }
}

variable "function_environment" {
  description = "More environment variables of the functions, such as AWS_ENDPOINT_URL of a double of AWS. No secrets: they are kept in plain text."
  type        = map(string)
  default     = {}
  nullable    = false
}

variable "partial_batch_responses" {
  description = "Whether functions name what failed of an event (ReportBatchItemFailures), so that the rest is not delivered again. Mappings and the config document get it from here alone."
  type        = bool
  default     = true
  nullable    = false
}

variable "log_level" {
  description = "The least level of the functions' log lines."
  type        = string
  default     = "INFO"
  nullable    = false

  validation {
    condition     = contains(["TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL"], var.log_level)
    error_message = "log_level is TRACE, DEBUG, INFO, WARN, ERROR or FATAL."
  }
}

variable "log_retention_days" {
  description = "How many days log lines stay."
  type        = number
  default     = 30
  nullable    = false

  validation {
    condition     = contains([1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653], var.log_retention_days)
    error_message = "log_retention_days is a number of days that CloudWatch knows: 1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288 or 3653."
  }
}

variable "alarm_actions" {
  description = "Whom alarms tell: ARNs of SNS topics and the like."
  type        = list(string)
  default     = []
  nullable    = false

  validation {
    condition     = alltrue([for action in var.alarm_actions : startswith(action, "arn:")])
    error_message = "alarm_actions are ARNs."
  }
}

variable "lag_alarm_minutes" {
  description = "How many minutes a change may take from its source to its commit before an alarm."
  type        = number
  default     = 15
  nullable    = false

  validation {
    condition     = var.lag_alarm_minutes > 0
    error_message = "lag_alarm_minutes is more than 0."
  }
}

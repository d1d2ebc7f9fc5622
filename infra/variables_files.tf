# Sources of files: what others drop, and a database that DMS copies. Off by default.

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

  validation {
    condition     = var.password_version >= 1
    error_message = "password_version is 1 or more."
  }
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

  validation {
    condition     = startswith(var.database_instance_class, "db.")
    error_message = "database_instance_class is a class of RDS, such as db.t4g.micro."
  }
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

# What the variables come to: which sources there are, what feeds which table, which functions that takes.

data "aws_caller_identity" "current" {
  count = var.account_id == null ? 1 : 0
}

data "aws_region" "current" {}

data "aws_partition" "current" {}

data "aws_msk_bootstrap_brokers" "given" {
  count = var.msk_cluster_arn != null && var.msk_bootstrap_brokers == null && length(var.debezium_connectors) > 0 ? 1 : 0

  cluster_arn = var.msk_cluster_arn
}

locals {
  account_id = coalesce(var.account_id, one(data.aws_caller_identity.current[*].account_id))
  region     = data.aws_region.current.name
  partition  = data.aws_partition.current.partition

  glue_database = coalesce(var.glue_database_name, replace(var.application_name, "-", "_"))

  # --- Kafka ---
  cluster_arn              = var.create_msk_cluster ? module.msk_cluster[0].cluster_arn : var.msk_cluster_arn
  given_brokers            = var.msk_bootstrap_brokers != null ? var.msk_bootstrap_brokers : one(data.aws_msk_bootstrap_brokers.given[*].bootstrap_brokers_sasl_iam)
  bootstrap_brokers        = var.create_msk_cluster ? module.msk_cluster[0].bootstrap_brokers : local.given_brokers
  kafka_subnet_ids         = var.create_msk_cluster ? module.network[0].private_subnet_ids : var.msk_subnet_ids
  kafka_security_group_ids = var.create_msk_cluster ? [module.msk_cluster[0].security_group_id] : var.msk_security_group_ids

  # The one topic of the short form is a source of its own.
  topic_source         = var.topic_name == null ? null : replace(var.topic_name, ".", "-")
  topic_table          = var.topic_name == null ? null : "${local.glue_database}.${var.glue_table_name}"
  delivers_by_firehose = var.topic_name != null && var.topic_delivery == "firehose"
  stream_name          = "${var.application_name}-${coalesce(local.topic_source, "none")}"

  kafka_sources = merge(
    var.kafka_sources,
    var.topic_name == null ? {} : {
      (local.topic_source) = { topics = [var.topic_name], generation = 0, format = var.topic_format }
    },
    one(module.debezium_source[*].sources),
  )
  polled_topics = distinct([
    for topic in flatten([for source in values(local.kafka_sources) : source.topics]) : topic
    if !(local.delivers_by_firehose && topic == var.topic_name)
  ])

  # --- Files ---
  replicates       = length(var.database_replication_structure) > 0
  creates_database = var.initial_database_name != null
  source_database = local.creates_database ? {
    engine                = "mysql"
    secret_arn            = module.source_database[0].secret_arn
    database_name         = null
    connection_attributes = null
    certificate_arn       = null
    ssl_mode              = "none"
    subnet_ids            = module.network[0].private_subnet_ids
    security_group_ids    = [aws_security_group.dms[0].id]
  } : var.source_database

  # --- Tables ---
  tables = concat(var.tables, var.topic_name == null ? [] : [{
    source           = local.topic_source
    from             = var.topic_name
    table            = local.topic_table
    catalogs         = []
    key              = var.unique_keys
    columns          = var.table_columns
    units            = {}
    column_order     = []
    partition        = []
    mode             = "upsert"
    metadata_columns = local.delivers_by_firehose ? "none" : "version"
    on_truncate      = "quarantine"
    properties       = {}
    # Firehose wants to find its table.
    precreate = local.delivers_by_firehose
  }])
  databases = distinct(concat([local.glue_database], [for table in local.tables : split(".", table.table)[0]]))
  precreated_tables = [
    for table in local.tables : {
      database = split(".", table.table)[0]
      name     = split(".", table.table)[1]
      columns  = merge(table.columns, table.metadata_columns == "none" ? {} : { _cdc_version = "string" })
    } if table.precreate
  ]
  optimized_tables = !var.optimizers.enabled ? [] : distinct(concat([for table in local.tables : table.table if table.precreate], var.optimized_tables))

  refined = var.refined == null ? null : merge(var.refined, {
    database       = coalesce(var.refined.database, "${local.glue_database}_refined")
    clean_database = coalesce(var.refined.clean_database, local.glue_database)
  })

  # --- Functions ---
  packages = coalesce(var.packages_directory, "${path.module}/packages/${var.architecture}")
  functions = {
    for name, function in {
      msk-cdc = {
        exists      = length(local.polled_topics) > 0
        description = "CDC messages of Kafka into Iceberg"
        defaults    = { memory_mb = 1024, timeout_seconds = 60 }
      }
      dms-csv = {
        exists      = local.replicates || length(var.csv_sources) > 0
        description = "CSV files that AWS DMS drops into Iceberg"
        defaults    = { memory_mb = 1769, timeout_seconds = 300 }
      }
      firehose-transform = {
        exists      = local.delivers_by_firehose
        description = "CDC messages into rows for Data Firehose"
        defaults    = { memory_mb = 256, timeout_seconds = 60 }
      }
      } : name => {
      description          = function.description
      memory_mb            = coalesce(try(var.function_settings[name].memory_mb, null), function.defaults.memory_mb)
      timeout_seconds      = coalesce(try(var.function_settings[name].timeout_seconds, null), function.defaults.timeout_seconds)
      reserved_concurrency = try(var.function_settings[name].reserved_concurrency, -1)
    } if function.exists
  }
}

# The lakehouse, in the order in which data flows: sources -> functions -> lake -> who reads it. What is not
# asked for does not exist: with a name alone this is a lake that waits for its sources.
#
#   databases -> MSK ---------> msk-cdc --+
#   databases -> DMS -> raw --> dms-csv --+--> clean tables -> refined tables -> Athena, QuickSight, Snowflake
#   databases -> MSK -> Firehose + firehose-transform --^

# Where the tables live, who may see them, and what keeps them in order.
module "lake" {
  source = "./modules/lake"

  name                    = var.application_name
  account_id              = local.account_id
  region                  = local.region
  partition               = local.partition
  databases               = local.databases
  refined_databases       = local.refined == null ? [] : [local.refined.database]
  precreated_tables       = local.precreated_tables
  optimized_tables        = local.optimized_tables
  optimizers              = var.optimizers
  queried_tables          = [for table in local.tables : table.table]
  s3_tables               = contains(var.catalogs, "s3_tables")
  lake_formation          = var.lake_formation
  writers                 = local.writers
  readers                 = local.readers
  snowflake               = var.snowflake
  athena_scan_limit_gb    = var.athena_scan_limit_gb
  kms_key_arn             = var.kms_key_arn
  force_destroy           = var.force_destroy
  raw_retention_days      = var.raw_retention_days
  noncurrent_version_days = var.noncurrent_version_days
}

# The functions, each with what it may do (access.tf) and the same document (config.tf).
module "function" {
  source   = "./modules/function"
  for_each = local.functions

  application            = var.application_name
  name                   = each.key
  description            = each.value.description
  package                = "${local.packages}/${each.key}/bootstrap.zip"
  architecture           = var.architecture
  memory_mb              = each.value.memory_mb
  timeout_seconds        = each.value.timeout_seconds
  reserved_concurrency   = each.value.reserved_concurrency
  config_uri             = local.config_uri
  environment            = var.function_environment
  statements             = local.statements[each.key]
  dead_letter_bucket_arn = module.lake.bucket_arns["quarantine"]
  log_level              = var.log_level
  log_retention_days     = var.log_retention_days
  alarm_actions          = var.alarm_actions
  lag_alarm_minutes      = var.lag_alarm_minutes
}

# Kafka: topics of a cluster, given or created, and connectors that fill them.
module "msk_cluster" {
  source = "./modules/msk-cluster"
  count  = var.create_msk_cluster ? 1 : 0

  name       = var.application_name
  vpc_id     = module.network[0].vpc_id
  subnet_ids = module.network[0].private_subnet_ids
}

module "debezium_source" {
  source = "./modules/debezium-source"
  count  = length(var.debezium_connectors) > 0 ? 1 : 0

  name                 = var.application_name
  account_id           = local.account_id
  region               = local.region
  cluster_arn          = local.cluster_arn
  bootstrap_brokers    = local.bootstrap_brokers
  subnet_ids           = local.kafka_subnet_ids
  security_group_ids   = local.kafka_security_group_ids
  plugins              = var.debezium_plugins
  plugin_bucket        = module.lake.buckets["config"]
  plugin_bucket_arn    = module.lake.bucket_arns["config"]
  kafkaconnect_version = var.kafkaconnect_version
  connectors           = var.debezium_connectors
  log_retention_days   = var.log_retention_days
}

module "msk_source" {
  source = "./modules/msk-source"
  count  = contains(keys(local.functions), "msk-cdc") ? 1 : 0

  name                    = var.application_name
  cluster_arn             = local.cluster_arn
  topics                  = local.polled_topics
  function                = { arn = module.function["msk-cdc"].function_arn, role_name = module.function["msk-cdc"].role_name }
  dead_letter_bucket_arn  = module.lake.bucket_arns["quarantine"]
  partial_batch_responses = local.kafka_partial_batch_responses
  pollers = !var.kafka_polling.provisioned ? null : {
    minimum = var.kafka_polling.minimum_pollers
    maximum = var.kafka_polling.maximum_pollers
  }
  batch_size              = var.kafka_polling.batch_size
  batching_window_seconds = var.kafka_polling.batching_window_seconds
  starting_position       = var.kafka_polling.starting_position
  retries                 = var.kafka_polling.retries
  bisect                  = var.kafka_polling.bisect
  scram_secret_arn        = var.msk_scram_secret_arn
}

# Files: a database that DMS copies, and whatever else drops CSV into the raw bucket.
module "source_database" {
  source = "./modules/source-database"
  count  = local.creates_database ? 1 : 0

  name             = var.application_name
  database_name    = var.initial_database_name
  username         = var.username_database
  password         = var.password_database
  password_version = var.password_version
  engine_version   = var.mysql_version
  instance_class   = var.database_instance_class
  vpc_id           = module.network[0].vpc_id
  network_cidr     = module.network[0].cidr
  subnet_ids       = var.public_ip == null ? module.network[0].private_subnet_ids : module.network[0].public_subnet_ids
  public_ip        = var.public_ip
  kms_key_arn      = var.kms_key_arn
  force_destroy    = var.force_destroy
}

module "dms_source" {
  source = "./modules/dms-source"
  count  = local.replicates ? 1 : 0

  name                 = "${var.application_name}-dms"
  account_id           = local.account_id
  region               = local.region
  partition            = local.partition
  structure            = var.database_replication_structure
  database             = local.source_database
  bucket               = module.lake.buckets["raw"]
  bucket_arn           = module.lake.bucket_arns["raw"]
  subnet_ids           = local.source_database.subnet_ids
  security_group_ids   = local.source_database.security_group_ids
  start_replication    = var.start_replication
  create_service_roles = var.create_dms_service_roles
  capacity_units       = var.dms_capacity_units
  max_batch_seconds    = var.dms_max_batch_seconds
  kms_key_arn          = var.kms_key_arn
  log_retention_days   = var.log_retention_days
}

module "raw_drops" {
  source = "./modules/raw-drops"
  count  = contains(keys(local.functions), "dms-csv") ? 1 : 0

  name       = var.application_name
  account_id = local.account_id
  bucket     = module.lake.buckets["raw"]
  bucket_arn = module.lake.bucket_arns["raw"]
  function = {
    arn             = module.function["dms-csv"].function_arn
    role_name       = module.function["dms-csv"].role_name
    timeout_seconds = local.functions["dms-csv"].timeout_seconds
  }
  partial_batch_responses = var.partial_batch_responses
  max_receives            = var.raw_drops.max_receives
  max_concurrency         = var.raw_drops.max_concurrency
  alarm_actions           = var.alarm_actions
}

# The other way from a topic to a table: a delivery stream.
module "firehose" {
  source = "./modules/firehose"
  count  = local.delivers_by_firehose ? 1 : 0

  name                  = local.stream_name
  account_id            = local.account_id
  region                = local.region
  partition             = local.partition
  cluster_arn           = local.cluster_arn
  attach_cluster_policy = var.attach_msk_cluster_policy
  topic                 = var.topic_name
  # By way of the lake, which has made the table.
  database             = split(".", module.lake.precreated_tables[local.topic_table])[0]
  table                = split(".", module.lake.precreated_tables[local.topic_table])[1]
  unique_keys          = var.unique_keys
  buffering_size       = var.buffering_size
  buffering_interval   = var.buffering_interval
  function_arn         = module.function["firehose-transform"].function_arn
  warehouse_bucket_arn = module.lake.bucket_arns["clean"]
  error_bucket_arn     = module.lake.bucket_arns["quarantine"]
  kms_key_arn          = var.kms_key_arn
  log_retention_days   = var.log_retention_days
}

# What is made of the tables, and how the whole is doing.
module "refined" {
  source = "./modules/refined"
  count  = local.refined == null ? 0 : 1

  name                  = var.application_name
  account_id            = local.account_id
  region                = local.region
  partition             = local.partition
  sql_directory         = coalesce(local.refined.sql_directory, "${path.module}/sql/refined")
  tables                = local.refined.tables
  clean_database        = local.refined.clean_database
  refined_database      = local.refined.database
  location              = "s3://${module.lake.buckets["refined"]}/${local.refined.database}"
  schedule              = local.refined.schedule
  workgroup             = module.lake.workgroup
  workgroup_arn         = module.lake.workgroup_arn
  bucket_arns           = module.lake.bucket_arns
  lake_formation        = var.lake_formation != null
  kms_key_arn           = var.kms_key_arn
  quicksight_principals = var.quicksight_principals
  alarm_actions         = var.alarm_actions
}

module "observability" {
  source = "./modules/observability"

  name      = var.application_name
  region    = local.region
  functions = [for function in module.function : function.function_name]
  workgroup = module.lake.workgroup
  buckets   = module.lake.buckets
}

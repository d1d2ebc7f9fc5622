# The one document that all functions read (shared/config.schema.json), written from the same variables that
# made the sources.

locals {
  catalogs = [
    for type in var.catalogs : type == "glue" ?
    { type = "glue", warehouse = "s3://${module.lake.buckets["clean"]}", table_bucket = null } :
    { type = "s3_tables", warehouse = null, table_bucket = module.lake.table_bucket_arn }
  ]

  kafka_documents = [
    for name, source in local.kafka_sources : {
      name = name
      kafka = merge(
        {
          topics                  = source.topics
          generation              = source.generation
          partial_batch_responses = local.kafka_partial_batch_responses
        },
        { for setting, value in { delivery_streams = { (local.stream_name) = var.topic_name } } : setting => value if local.delivers_by_firehose && name == local.topic_source },
      )
      format = source.format
    }
  ]
  # The mappings get the same: partial answers take provisioned pollers.
  kafka_partial_batch_responses = var.partial_batch_responses && var.kafka_polling.provisioned

  file_sources = merge(
    { for name, source in var.csv_sources : name => { prefix = source.prefix, format = merge({ type = "dms_csv" }, source.format) } },
    { for schema in keys(var.database_replication_structure) : schema => { prefix = "${schema}/", format = module.dms_source[0].format } },
  )
  file_documents = [
    for name, source in local.file_sources : {
      name = name
      s3 = {
        bucket                  = module.lake.buckets["raw"]
        prefix                  = source.prefix
        partial_batch_responses = var.partial_batch_responses
      }
      format = source.format
    }
  ]

  table_documents = [
    for table in local.tables : merge(
      {
        source           = table.source
        from             = table.from
        table            = table.table
        key              = table.key
        mode             = table.mode
        metadata_columns = table.metadata_columns
        on_truncate      = table.on_truncate
        columns = {
          for name, type in table.columns : name => contains(keys(table.units), name) ? jsonencode({ type = type, unit = table.units[name] }) : jsonencode(type)
        }
      },
      { for setting, value in { catalogs = table.catalogs, partition = table.partition } : setting => value if length(value) > 0 },
      length(table.properties) > 0 ? { properties = table.properties } : {},
    )
  ]

  document = merge(
    { for setting, value in { catalog = local.without_nulls.catalogs[0] } : setting => value if length(local.catalogs) == 1 },
    { for setting, value in { catalogs = local.without_nulls.catalogs } : setting => value if length(local.catalogs) > 1 },
    {
      objects    = { type = "s3" }
      quarantine = "s3://${module.lake.buckets["quarantine"]}/quarantine"
      sources    = local.without_nulls.sources
      tables = [
        for table in local.table_documents : merge(table, { columns = { for name, column in table.columns : name => jsondecode(column) } })
      ]
    },
  )
  # Settings that nobody made are left out, so that the functions' own defaults hold.
  without_nulls = {
    catalogs = [for catalog in local.catalogs : { for setting, value in catalog : setting => value if value != null }]
    sources = [
      for source in concat(local.kafka_documents, local.file_documents) :
      merge(source, { format = { for setting, value in source.format : setting => value if value != null } })
    ]
  }
  document_json = jsonencode(local.document)
  # Another document is another object, and another environment: running instances of the functions, which read
  # it once, are replaced.
  config_key = "lakehouse-${substr(sha256(local.document_json), 0, 16)}.json"
  config_uri = "s3://${module.lake.buckets["config"]}/${local.config_key}"
}

resource "aws_s3_object" "config" {
  #checkov:skip=CKV_AWS_186:a customer's key is optional (kms_key_arn); the bucket encrypts
  bucket       = module.lake.buckets["config"]
  key          = local.config_key
  content      = local.document_json
  content_type = "application/json"

  lifecycle {
    create_before_destroy = true
  }
}

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

  # Tables are put together as text: Terraform encodes an object's settings in the order of the alphabet, and
  # files without a header have their columns in an order of their own.
  column_documents = [
    for table in local.tables : join(",", [
      for name in length(table.column_order) > 0 ? table.column_order : keys(table.columns) :
      "${jsonencode(name)}:${contains(keys(table.units), name) ? jsonencode({ type = table.columns[name], unit = table.units[name] }) : jsonencode(table.columns[name])}"
    ])
  ]
  table_settings = [
    for table in local.tables : merge(
      {
        source           = table.source
        from             = table.from
        table            = table.table
        key              = table.key
        mode             = table.mode
        metadata_columns = table.metadata_columns
        on_truncate      = table.on_truncate
      },
      { for setting, value in { catalogs = table.catalogs, partition = table.partition } : setting => value if length(value) > 0 },
      { for setting, value in { properties = table.properties } : setting => value if length(value) > 0 },
    )
  ]
  table_documents = [
    for index, settings in local.table_settings :
    "${trimsuffix(jsonencode(settings), "}")},\"columns\":{${local.column_documents[index]}}}"
  ]

  document_without_tables = merge(
    { for setting, value in { catalog = local.without_nulls.catalogs[0] } : setting => value if length(local.catalogs) == 1 },
    { for setting, value in { catalogs = local.without_nulls.catalogs } : setting => value if length(local.catalogs) > 1 },
    {
      objects    = { type = "s3" }
      quarantine = "s3://${module.lake.buckets["quarantine"]}/quarantine"
      sources    = local.without_nulls.sources
    },
  )
  document_json = "${trimsuffix(jsonencode(local.document_without_tables), "}")},\"tables\":[${join(",", local.table_documents)}]}"

  # Settings that nobody made are left out, so that the functions' own defaults hold.
  without_nulls = {
    catalogs = [for catalog in local.catalogs : { for setting, value in catalog : setting => value if value != null }]
    sources = [
      for source in concat(local.kafka_documents, local.file_documents) :
      merge(source, { format = { for setting, value in source.format : setting => value if value != null } })
    ]
  }

  source_names = concat(
    keys(var.kafka_sources), keys(var.debezium_connectors), keys(var.csv_sources), keys(var.database_replication_structure),
    var.topic_name == null ? [] : [local.topic_source],
  )
  # A topic of DMS's JSON carries many tables; others are one.
  unknown_topics = [
    for table in local.tables : table.from
    if try(local.kafka_sources[table.source].format.type != "dms_json" && !contains(local.kafka_sources[table.source].topics, table.from), false)
  ]

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

  # What no variable can check by itself. The functions would refuse to start with such a document.
  lifecycle {
    create_before_destroy = true
    precondition {
      condition     = length(local.source_names) == length(distinct(local.source_names))
      error_message = "Sources need names of their own, whatever they are (kafka_sources, topic_name, debezium_connectors, csv_sources, schemas that DMS copies). These are: ${join(", ", sort(local.source_names))}."
    }
    precondition {
      condition     = length(local.unknown_topics) == 0
      error_message = "tables: `from` is one of the source's topics. Not so: ${join(", ", local.unknown_topics)}."
    }
  }
}

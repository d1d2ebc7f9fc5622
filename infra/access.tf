# What each function may do in the lake: the calls that the README lists, on what it is configured for.

locals {
  glue = "arn:${local.partition}:glue:${local.region}:${local.account_id}"

  # Which function writes which tables. What Firehose delivers, Firehose writes.
  fed_by = {
    msk-cdc = [
      for table in local.tables : table
      if contains(keys(local.kafka_sources), table.source) && !(local.delivers_by_firehose && table.source == local.topic_source)
    ]
    dms-csv            = [for table in local.tables : table if contains(keys(local.file_sources), table.source)]
    firehose-transform = []
  }
  written_databases = { for name, tables in local.fed_by : name => distinct([for table in tables : split(".", table.table)[0]]) }
  # A policy has room for some fifty names of tables; beyond that, the databases.
  written_tables = {
    for name, tables in local.fed_by : name => length(tables) <= 50 ?
    [for table in tables : "${local.glue}:table/${replace(table.table, ".", "/")}"] :
    [for database in local.written_databases[name] : "${local.glue}:table/${database}/*"]
  }

  writes_glue      = contains(var.catalogs, "glue")
  writes_s3_tables = contains(var.catalogs, "s3_tables")

  key_statements = var.kms_key_arn == null ? [] : [{
    Sid      = "Key"
    Effect   = "Allow"
    Action   = ["kms:Decrypt", "kms:GenerateDataKey"]
    Resource = [var.kms_key_arn]
  }]
  config_statements = [{
    Sid      = "Config"
    Effect   = "Allow"
    Action   = ["s3:GetObject"]
    Resource = ["${module.lake.bucket_arns["config"]}/lakehouse-*.json"]
  }]
  quarantine_statements = [{
    Sid      = "Quarantine"
    Effect   = "Allow"
    Action   = ["s3:PutObject"]
    Resource = ["${module.lake.bucket_arns["quarantine"]}/quarantine/*"]
  }]
  raw_statements = [
    {
      Sid      = "RawFiles"
      Effect   = "Allow"
      Action   = ["s3:GetObject"]
      Resource = [for source in values(local.file_sources) : "${module.lake.bucket_arns["raw"]}/${source.prefix}*"]
    },
    {
      Sid      = "RawBucket"
      Effect   = "Allow"
      Action   = ["s3:ListBucket"]
      Resource = [module.lake.bucket_arns["raw"]]
    },
  ]

  glue_statements = {
    for name, tables in local.fed_by : name => !local.writes_glue || length(tables) == 0 ? [] : [
      {
        Sid    = "Tables"
        Effect = "Allow"
        Action = ["glue:GetDatabase", "glue:GetTable", "glue:CreateTable", "glue:UpdateTable"]
        Resource = concat(
          ["${local.glue}:catalog"],
          [for database in local.written_databases[name] : "${local.glue}:database/${database}"],
          local.written_tables[name],
        )
      },
      {
        Sid      = "TableFiles"
        Effect   = "Allow"
        Action   = ["s3:GetObject", "s3:PutObject", "s3:DeleteObject", "s3:AbortMultipartUpload"]
        Resource = [for database in local.written_databases[name] : "${module.lake.bucket_arns["clean"]}/${database}/*"]
      },
    ]
  }
  s3_tables_statements = {
    for name, tables in local.fed_by : name => !local.writes_s3_tables || length(tables) == 0 ? [] : [
      {
        Sid      = "TableBucket"
        Effect   = "Allow"
        Action   = ["s3tables:CreateNamespace", "s3tables:CreateTable"]
        Resource = [module.lake.table_bucket_arn, "${module.lake.table_bucket_arn}/table/*"]
      },
      {
        # The ARN of such a table is an id that only exists with it.
        Sid    = "TablesOfTheBucket"
        Effect = "Allow"
        Action = [
          "s3tables:GetTableMetadataLocation", "s3tables:UpdateTableMetadataLocation",
          "s3tables:GetTableData", "s3tables:PutTableData",
        ]
        Resource = ["${module.lake.table_bucket_arn}/table/*"]
      },
    ]
  }

  writer_statements = {
    for name in keys(local.fed_by) : name => concat(
      local.config_statements, local.quarantine_statements, local.glue_statements[name], local.s3_tables_statements[name], local.key_statements
    )
  }
  statements = {
    msk-cdc            = local.writer_statements["msk-cdc"]
    dms-csv            = concat(local.raw_statements, local.writer_statements["dms-csv"])
    firehose-transform = concat(local.config_statements, local.key_statements)
  }

  # Who is granted what, where Lake Formation governs.
  writers = merge(
    {
      for name, function in module.function : name => { role_arn = function.role_arn, databases = local.written_databases[name] }
      if length(local.fed_by[name]) > 0
    },
    local.delivers_by_firehose ? { firehose = { role_arn = module.firehose[0].role_arn, databases = [local.glue_database] } } : {},
    local.refined == null ? {} : { refined = { role_arn = module.refined[0].role_arn, databases = [local.refined.database] } },
  )
  readers = local.refined == null ? {} : {
    refined = { role_arn = module.refined[0].role_arn, databases = [local.refined.clean_database] }
  }
}

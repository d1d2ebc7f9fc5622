# The lake keeps what it holds: encrypted, private, versioned, in order.

mock_provider "aws" {
  source = "./tests/mocks"
}

variables {
  name                    = "shop"
  account_id              = "123456789012"
  region                  = "eu-central-1"
  partition               = "aws"
  databases               = ["shop"]
  refined_databases       = ["shop_refined"]
  precreated_tables       = [{ database = "shop", name = "orders", columns = { id = "long", total = "decimal(10, 2)", at = "timestamp" } }]
  optimized_tables        = ["shop.orders"]
  optimizers              = { snapshot_retention_days = 5, snapshots_to_retain = 1, orphan_retention_days = 7 }
  queried_tables          = ["shop.orders"]
  s3_tables               = false
  lake_formation          = null
  writers                 = {}
  readers                 = {}
  snowflake               = null
  athena_scan_limit_gb    = 100
  kms_key_arn             = null
  force_destroy           = false
  raw_retention_days      = 30
  noncurrent_version_days = 7
}

run "every_bucket_is_encrypted_versioned_and_private" {
  command = plan

  module {
    source = "./modules/lake"
  }
  assert {
    condition     = length(aws_s3_bucket.zone) == 6
    error_message = "six zones"
  }
  assert {
    condition     = alltrue([for zone, bucket in aws_s3_bucket.zone : one(one(aws_s3_bucket_server_side_encryption_configuration.zone[zone].rule).apply_server_side_encryption_by_default).sse_algorithm == "AES256"])
    error_message = "encryption"
  }
  assert {
    condition     = alltrue([for zone, bucket in aws_s3_bucket.zone : aws_s3_bucket_versioning.zone[zone].versioning_configuration[0].status == "Enabled"])
    error_message = "versions"
  }
  assert {
    condition = alltrue([for zone, bucket in aws_s3_bucket.zone : alltrue([
      aws_s3_bucket_public_access_block.zone[zone].block_public_acls, aws_s3_bucket_public_access_block.zone[zone].block_public_policy,
      aws_s3_bucket_public_access_block.zone[zone].ignore_public_acls, aws_s3_bucket_public_access_block.zone[zone].restrict_public_buckets,
    ])])
    error_message = "no public access"
  }
}

run "every_bucket_speaks_tls_only" {
  command = plan

  module {
    source = "./modules/lake"
  }
  assert {
    condition = alltrue([for zone, policy in aws_s3_bucket_policy.zone :
      jsonencode(jsondecode(policy.policy).Statement[0].Condition) == jsonencode({ Bool = { "aws:SecureTransport" = "false" } })
      && jsondecode(policy.policy).Statement[0].Effect == "Deny"
      && jsonencode(jsondecode(policy.policy).Statement[0].Resource) == jsonencode(["arn:aws:s3:::shop-${zone}-123456789012", "arn:aws:s3:::shop-${zone}-123456789012/*"])
    ])
    error_message = "requests without TLS are denied, on the bucket and on its objects"
  }
}

run "a_customers_key_encrypts_buckets_results_and_tables" {
  command = plan

  module {
    source = "./modules/lake"
  }
  variables {
    kms_key_arn = "arn:aws:kms:eu-central-1:123456789012:key/0a1b2c3d"
    s3_tables   = true
  }
  assert {
    condition = alltrue([for zone, bucket in aws_s3_bucket.zone :
      one(one(aws_s3_bucket_server_side_encryption_configuration.zone[zone].rule).apply_server_side_encryption_by_default).kms_master_key_id == var.kms_key_arn
    ])
    error_message = "buckets"
  }
  assert {
    condition     = aws_athena_workgroup.lake.configuration[0].result_configuration[0].encryption_configuration[0].encryption_option == "SSE_KMS" && aws_athena_workgroup.lake.configuration[0].result_configuration[0].encryption_configuration[0].kms_key_arn == var.kms_key_arn
    error_message = "query results"
  }
  assert {
    condition     = aws_s3tables_table_bucket.tables[0].encryption_configuration.kms_key_arn == var.kms_key_arn
    error_message = "S3 Tables"
  }
}

run "files_of_tables_and_quarantined_records_never_expire" {
  command = plan

  module {
    source = "./modules/lake"
  }
  assert {
    condition     = alltrue([for zone in ["clean", "refined", "quarantine", "config"] : aws_s3_bucket_lifecycle_configuration.zone[zone].rule[0].expiration[0].expired_object_delete_marker])
    error_message = "a rule that clears away delete markers, and so has no days"
  }
  assert {
    condition     = aws_s3_bucket_lifecycle_configuration.zone["raw"].rule[0].expiration[0].days == 30 && aws_s3_bucket_lifecycle_configuration.zone["athena-results"].rule[0].expiration[0].days == 7
    error_message = "only raw files, where that is asked for, and query results"
  }
  assert {
    condition     = alltrue([for rules in aws_s3_bucket_lifecycle_configuration.zone : rules.rule[0].noncurrent_version_expiration[0].noncurrent_days == 7 && rules.rule[0].abort_incomplete_multipart_upload[0].days_after_initiation == 7])
    error_message = "old versions and broken uploads"
  }
}

run "tables_are_kept_in_order" {
  command = plan

  module {
    source = "./modules/lake"
  }
  assert {
    condition     = toset([for optimizer in aws_glue_catalog_table_optimizer.optimizer : optimizer.type if optimizer.configuration[0].enabled]) == toset(["compaction", "retention", "orphan_file_deletion"])
    error_message = "compaction, retention, orphans"
  }
  assert {
    condition     = aws_glue_catalog_table_optimizer.optimizer["shop.orders/orphan_file_deletion"].configuration[0].orphan_file_deletion_configuration[0].iceberg_configuration[0].orphan_file_retention_period_in_days == 7
    error_message = "an unknown file outlives every retry"
  }
  assert {
    condition     = aws_glue_catalog_table_optimizer.optimizer["shop.orders/retention"].configuration[0].retention_configuration[0].iceberg_configuration[0].snapshot_retention_period_in_days == 5
    error_message = "snapshots"
  }
  assert {
    condition = alltrue([for statement in jsondecode(aws_iam_role_policy.optimizer[0].policy).Statement :
      alltrue([for text in concat(statement.Action, statement.Resource) : text != "*" && !endswith(text, ":*") || strcontains(text, "/logs:*")])
    ])
    error_message = "their role names what it may do"
  }
}

run "a_table_made_beforehand_is_iceberg_in_glues_words" {
  command = plan

  module {
    source = "./modules/lake"
  }
  assert {
    condition     = { for column in aws_glue_catalog_table.table["shop.orders"].storage_descriptor[0].columns : column.name => column.type } == { id = "bigint", total = "decimal(10,2)", at = "timestamp" }
    error_message = "types of columns"
  }
  assert {
    condition     = aws_glue_catalog_table.table["shop.orders"].open_table_format_input[0].iceberg_input[0].version == "2" && aws_glue_catalog_table.table["shop.orders"].storage_descriptor[0].location == "s3://shop-clean-123456789012/shop/orders"
    error_message = "format version 2, in the place where the functions would make it"
  }
}

run "a_type_that_glue_has_no_name_for_is_refused" {
  command = plan

  module {
    source = "./modules/lake"
  }
  variables {
    precreated_tables = [{ database = "shop", name = "orders", columns = { at = "timestamptz" } }]
  }
  expect_failures = [aws_glue_catalog_table.table]
}

run "queries_are_limited_and_their_results_encrypted" {
  command = plan

  module {
    source = "./modules/lake"
  }
  assert {
    condition     = aws_athena_workgroup.lake.configuration[0].enforce_workgroup_configuration && aws_athena_workgroup.lake.configuration[0].bytes_scanned_cutoff_per_query == 100000000000 && aws_athena_workgroup.lake.configuration[0].result_configuration[0].encryption_configuration[0].encryption_option == "SSE_S3"
    error_message = "the workgroup's settings, which no client overrides"
  }
  assert {
    condition     = keys(aws_athena_named_query.table) == [for query in ["changes per day", "current rows", "optimize", "time travel", "vacuum"] : "shop.orders ${query}"]
    error_message = "the saved queries of a table"
  }
  assert {
    condition     = strcontains(aws_athena_named_query.merge.query, "MERGE INTO shop.customer_orders") && strcontains(aws_athena_named_query.table["shop.orders changes per day"].query, "\"shop\".\"orders$snapshots\"")
    error_message = "with the names filled in"
  }
}

run "where_lake_formation_governs_nobody_reads_without_a_grant" {
  command = plan

  module {
    source = "./modules/lake"
  }
  variables {
    lake_formation = { admins = ["arn:aws:iam::123456789012:role/admin"], analysts = ["arn:aws:iam::123456789012:role/analyst"], hybrid = false }
    writers        = { dms-csv = { role_arn = "arn:aws:iam::123456789012:role/dms-csv", databases = ["shop"] } }
  }
  assert {
    condition     = length(aws_lakeformation_data_lake_settings.settings[0].create_table_default_permissions) == 0 && length(aws_glue_catalog_database.database["shop"].create_table_default_permission[0].permissions) == 0
    error_message = "no default for everybody"
  }
  assert {
    condition     = alltrue([for zone in ["clean", "refined"] : !aws_lakeformation_resource.zone[zone].hybrid_access_enabled])
    error_message = "both zones are registered"
  }
  assert {
    condition     = aws_lakeformation_permissions.tables["dms-csv/shop"].permissions == toset(["DESCRIBE", "SELECT", "INSERT", "DELETE", "ALTER"]) && aws_lakeformation_permissions.databases["dms-csv/shop"].permissions == toset(["DESCRIBE", "CREATE_TABLE"]) && aws_lakeformation_permissions.locations["dms-csv/shop"].data_location[0].arn == "arn:aws:s3:::shop-clean-123456789012/shop"
    error_message = "a writer writes its databases"
  }
  assert {
    condition     = contains(keys(aws_lakeformation_permissions.tables), "optimizer/shop")
    error_message = "so does what keeps tables in order"
  }
  assert {
    condition     = alltrue([for grant in aws_lakeformation_permissions.readable_tables : grant.permissions == toset(["DESCRIBE", "SELECT"])]) && length(aws_lakeformation_permissions.readable_tables) == 2
    error_message = "an analyst reads all, and no more"
  }
}

run "in_hybrid_mode_analysts_opt_in_and_others_keep_to_iam" {
  command = plan

  module {
    source = "./modules/lake"
  }
  variables {
    lake_formation = { admins = ["arn:aws:iam::123456789012:role/admin"], analysts = ["arn:aws:iam::123456789012:role/analyst"], hybrid = true }
  }
  assert {
    condition     = alltrue([for zone in ["clean", "refined"] : aws_lakeformation_resource.zone[zone].hybrid_access_enabled]) && length(aws_lakeformation_opt_in.analyst) == 2
    error_message = "analysts opt in, for each database"
  }
  assert {
    condition     = one(aws_lakeformation_data_lake_settings.settings[0].create_table_default_permissions).principal == "IAM_ALLOWED_PRINCIPALS"
    error_message = "everybody else as before"
  }
}

run "snowflake_reads_and_nothing_else" {
  command = plan

  module {
    source = "./modules/lake"
  }
  variables {
    snowflake = { user_arn = "arn:aws:iam::111122223333:user/snowflake", external_id = "id" }
  }
  assert {
    condition     = alltrue([for action in flatten([for statement in jsondecode(aws_iam_role_policy.snowflake[0].policy).Statement : statement.Action]) : can(regex("^(glue|s3):(Get|List)[A-Za-z]+$", action))])
    error_message = "reading actions"
  }
  assert {
    condition     = jsondecode(aws_iam_role.snowflake[0].assume_role_policy).Statement[0].Condition.StringEquals["sts:ExternalId"] == "id"
    error_message = "only with the external id"
  }
}

# Each function may do what it needs, on what it is configured for.

mock_provider "aws" {
  source = "./tests/mocks"
}

variables {
  application_name   = "shop"
  packages_directory = "tests/packages"
  catalogs           = ["glue", "s3_tables"]
  msk_cluster_arn    = "arn:aws:kafka:eu-central-1:123456789012:cluster/given/0a1b2c3d"
  kafka_sources      = { payments = { topics = ["transactions"], format = { type = "cockroach" } } }
  csv_sources        = { partner = { prefix = "partner/" } }
  tables = [
    { source = "payments", from = "transactions", table = "payments.transactions", key = ["id"] },
    { source = "partner", from = "stock", table = "shop.stock", key = ["sku"] },
  ]
}

run "no_function_has_a_wildcard_where_a_name_would_do" {
  command = plan

  assert {
    condition     = alltrue([for statement in flatten(values(local.statements)) : alltrue([for action in statement.Action : !strcontains(action, "*")])])
    error_message = "actions are named"
  }
  assert {
    condition     = alltrue([for statement in flatten(values(local.statements)) : !contains(statement.Resource, "*")])
    error_message = "resources are named"
  }
  assert {
    condition     = alltrue([for statement in flatten(values(local.statements)) : length(statement.Resource) > 0])
    error_message = "no statement without a resource"
  }
}

run "a_function_writes_its_own_tables_only" {
  command = plan

  assert {
    condition = jsonencode(one([for statement in local.statements["msk-cdc"] : statement.Resource if statement.Sid == "Tables"])) == jsonencode([
      "arn:aws:glue:eu-central-1:123456789012:catalog",
      "arn:aws:glue:eu-central-1:123456789012:database/payments",
      "arn:aws:glue:eu-central-1:123456789012:table/payments/transactions",
    ])
    error_message = "msk-cdc: the tables of topics"
  }
  assert {
    condition     = jsonencode(one([for statement in local.statements["dms-csv"] : statement.Resource if statement.Sid == "TableFiles"])) == jsonencode(["arn:aws:s3:::shop-clean-123456789012/shop/*"])
    error_message = "dms-csv: the files of its databases"
  }
  assert {
    condition     = jsonencode(one([for statement in local.statements["dms-csv"] : statement.Resource if statement.Sid == "RawFiles"])) == jsonencode(["arn:aws:s3:::shop-raw-123456789012/partner/*"])
    error_message = "dms-csv: the files of its sources"
  }
  assert {
    condition     = !anytrue([for statement in local.statements["msk-cdc"] : startswith(statement.Sid, "Raw")])
    error_message = "msk-cdc reads no raw files"
  }
  assert {
    condition     = jsonencode([for statement in local.statements["firehose-transform"] : statement.Action]) == jsonencode([["s3:GetObject"]])
    error_message = "firehose-transform reads the config document and nothing else"
  }
}

run "more_tables_than_a_policy_has_room_for_are_named_by_database" {
  command = plan

  variables {
    tables = [for number in range(60) : { source = "partner", from = "t${number}", table = "shop.t${number}", key = ["id"] }]
  }
  assert {
    condition = jsonencode(one([for statement in local.statements["dms-csv"] : statement.Resource if statement.Sid == "Tables"])) == jsonencode([
      "arn:aws:glue:eu-central-1:123456789012:catalog",
      "arn:aws:glue:eu-central-1:123456789012:database/shop",
      "arn:aws:glue:eu-central-1:123456789012:table/shop/*",
    ])
    error_message = "one name a database"
  }
}

run "a_customers_key_is_granted_where_there_is_one" {
  command = plan

  variables {
    kms_key_arn = "arn:aws:kms:eu-central-1:123456789012:key/0a1b2c3d"
  }
  assert {
    condition = alltrue([
      for name, statements in local.statements :
      jsonencode(one([for statement in statements : statement if statement.Sid == "Key"])) == jsonencode({ Sid = "Key", Effect = "Allow", Action = ["kms:Decrypt", "kms:GenerateDataKey"], Resource = ["arn:aws:kms:eu-central-1:123456789012:key/0a1b2c3d"] })
    ])
    error_message = "each function may use it"
  }
}

run "where_lake_formation_governs_each_writer_is_granted_its_databases" {
  variables {
    lake_formation = { admins = ["arn:aws:iam::123456789012:role/admin"], hybrid = false }
    refined        = { clean_database = "shop" }
  }
  assert {
    condition     = jsonencode({ for name, writer in local.writers : name => writer.databases }) == jsonencode({ msk-cdc = ["payments"], dms-csv = ["shop"], refined = ["shop_refined"] })
    error_message = "functions and the refining queries, with the databases that they write"
  }
  assert {
    condition     = jsonencode({ for name, reader in local.readers : name => reader.databases }) == jsonencode({ refined = ["shop"] })
    error_message = "the refining queries read the clean tables"
  }
}

# A wrong variable stops the plan, and says what it takes.

mock_provider "aws" {
  source = "./tests/mocks"
}

variables {
  application_name = "shop"
}

run "refuses_a_name_that_makes_no_bucket" {
  command = plan

  variables {
    application_name = "Shop_1"
  }
  expect_failures = [var.application_name]
}

run "refuses_an_account_that_is_none" {
  command = plan

  variables {
    account_id = "42"
  }
  expect_failures = [var.account_id]
}

run "refuses_a_table_that_athena_cannot_read" {
  command = plan

  variables {
    csv_sources = { s = { prefix = "s/" } }
    tables      = [{ source = "s", from = "t", table = "Shop.Orders", key = ["id"] }]
  }
  expect_failures = [var.tables]
}

run "refuses_a_table_without_a_key" {
  command = plan

  variables {
    csv_sources = { s = { prefix = "s/" } }
    tables      = [{ source = "s", from = "t", table = "shop.t" }]
  }
  expect_failures = [var.tables]
}

run "refuses_a_table_of_no_source" {
  command = plan

  variables {
    tables = [{ source = "nobody", from = "t", table = "shop.t", key = ["id"] }]
  }
  expect_failures = [var.tables]
}

run "refuses_an_unknown_mode" {
  command = plan

  variables {
    csv_sources = { s = { prefix = "s/" } }
    tables      = [{ source = "s", from = "t", table = "shop.t", key = ["id"], mode = "merge" }]
  }
  expect_failures = [var.tables]
}

run "refuses_a_table_made_beforehand_without_its_columns" {
  command = plan

  variables {
    csv_sources = { s = { prefix = "s/" } }
    tables      = [{ source = "s", from = "t", table = "shop.t", key = ["id"], precreate = true }]
  }
  expect_failures = [var.tables]
}

run "refuses_a_replicated_table_without_an_entry" {
  command = plan

  variables {
    source_database                = { engine = "mysql", secret_arn = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:s-AbCdEf", subnet_ids = ["a", "b"], security_group_ids = [] }
    database_replication_structure = { db = ["book"] }
    packages_directory             = "tests/packages"
  }
  expect_failures = [var.tables]
}

run "refuses_an_unknown_catalog" {
  command = plan

  variables {
    catalogs = ["hive"]
  }
  expect_failures = [var.catalogs]
}

run "refuses_orphans_that_could_be_of_a_commit_under_way" {
  command = plan

  variables {
    optimizers = { orphan_retention_days = 1 }
  }
  expect_failures = [var.optimizers]
}

run "refuses_raw_files_that_go_before_their_notification" {
  command = plan

  variables {
    raw_retention_days = 7
  }
  expect_failures = [var.raw_retention_days]
}

run "refuses_an_unknown_architecture" {
  command = plan

  variables {
    architecture = "riscv"
  }
  expect_failures = [var.architecture]
}

run "refuses_a_timeout_beyond_lambdas_for_kafka" {
  command = plan

  variables {
    function_settings = { msk-cdc = { timeout_seconds = 900 } }
  }
  expect_failures = [var.function_settings]
}

run "refuses_days_of_logs_that_cloudwatch_does_not_know" {
  command = plan

  variables {
    log_retention_days = 42
  }
  expect_failures = [var.log_retention_days]
}

run "refuses_topics_without_a_cluster" {
  command = plan

  variables {
    kafka_sources = { s = { topics = ["t"], format = { type = "plain" } } }
  }
  expect_failures = [var.kafka_sources]
}

run "refuses_a_format_of_no_decoder" {
  command = plan

  variables {
    msk_cluster_arn    = "arn:aws:kafka:eu-central-1:123456789012:cluster/given/0a1b2c3d"
    packages_directory = "tests/packages"
    kafka_sources      = { s = { topics = ["t"], format = { type = "avro" } } }
  }
  expect_failures = [var.kafka_sources]
}

run "refuses_a_cluster_given_and_created" {
  command = plan

  variables {
    create_msk_cluster = true
    msk_cluster_arn    = "arn:aws:kafka:eu-central-1:123456789012:cluster/given/0a1b2c3d"
  }
  expect_failures = [var.msk_cluster_arn]
}

run "refuses_a_topic_without_a_table" {
  command = plan

  variables {
    create_msk_cluster = true
    packages_directory = "tests/packages"
    topic_name         = "t"
  }
  expect_failures = [var.topic_name]
}

run "refuses_a_firehose_table_without_columns" {
  command = plan

  variables {
    create_msk_cluster = true
    packages_directory = "tests/packages"
    topic_name         = "t"
    glue_table_name    = "t"
    unique_keys        = ["id"]
    topic_delivery     = "firehose"
  }
  expect_failures = [var.topic_delivery]
}

run "refuses_a_buffer_that_firehose_does_not_take" {
  command = plan

  variables {
    buffering_size = 500
  }
  expect_failures = [var.buffering_size]
}

run "refuses_an_interval_that_firehose_does_not_take" {
  command = plan

  variables {
    buffering_interval = 901
  }
  expect_failures = [var.buffering_interval]
}

run "refuses_batches_beyond_lambdas" {
  command = plan

  variables {
    kafka_polling = { batch_size = 20000 }
  }
  expect_failures = [var.kafka_polling]
}

run "refuses_files_without_a_header_whose_order_nobody_tells" {
  command = plan

  variables {
    packages_directory = "tests/packages"
    csv_sources        = { s = { prefix = "s/", format = { header = false } } }
    tables             = [{ source = "s", from = "t", table = "shop.t", key = ["id"], columns = { id = "int" } }]
  }
  expect_failures = [var.tables]
}

run "refuses_a_prefix_without_a_slash" {
  command = plan

  variables {
    packages_directory = "tests/packages"
    csv_sources        = { s = { prefix = "s" } }
  }
  expect_failures = [var.csv_sources]
}

run "refuses_drops_tried_too_seldom" {
  command = plan

  variables {
    raw_drops = { max_receives = 1 }
  }
  expect_failures = [var.raw_drops]
}

run "refuses_a_structure_without_a_database" {
  command = plan

  variables {
    packages_directory             = "tests/packages"
    database_replication_structure = { db = [] }
  }
  expect_failures = [var.database_replication_structure]
}

run "refuses_a_database_without_a_password" {
  command = plan

  variables {
    initial_database_name = "db"
  }
  expect_failures = [var.password_database]
}

run "refuses_a_password_that_rds_does_not_take" {
  command = plan

  variables {
    initial_database_name = "db"
    password_database     = "short"
  }
  expect_failures = [var.password_database]
}

run "refuses_a_database_open_to_the_world" {
  command = plan

  variables {
    public_ip = "0.0.0.0/0"
  }
  expect_failures = [var.public_ip]
}

run "refuses_an_address_without_its_prefix" {
  command = plan

  variables {
    public_ip = "xxxxxxxxxxx/32"
  }
  expect_failures = [var.public_ip]
}

run "refuses_capacity_that_dms_does_not_know" {
  command = plan

  variables {
    dms_capacity_units = { minimum = 3 }
  }
  expect_failures = [var.dms_capacity_units]
}

run "refuses_a_connector_without_its_plugin" {
  command = plan

  variables {
    create_msk_cluster  = true
    packages_directory  = "tests/packages"
    debezium_connectors = { c = { engine = "oracle", hostname = "h", port = 1, database = "d", topic_prefix = "p", tables = ["S.T"], secret_arn = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:s-AbCdEf" } }
  }
  expect_failures = [var.debezium_connectors]
}

run "refuses_lake_formation_without_an_administrator" {
  command = plan

  variables {
    lake_formation = { admins = [] }
  }
  expect_failures = [var.lake_formation]
}

run "refuses_a_schedule_that_is_none" {
  command = plan

  variables {
    refined = { schedule = "hourly" }
  }
  expect_failures = [var.refined]
}

run "refuses_a_data_source_without_refined_tables" {
  command = plan

  variables {
    quicksight_principals = ["arn:aws:quicksight:eu-central-1:123456789012:group/default/readers"]
  }
  expect_failures = [var.quicksight_principals]
}

run "refuses_a_type_that_is_none" {
  command = plan

  variables {
    csv_sources        = { s = { prefix = "s/" } }
    packages_directory = "tests/packages"
    tables             = [{ source = "s", from = "t", table = "shop.t", key = ["id"], columns = { id = "integer" } }]
  }
  expect_failures = [var.tables]
}

run "refuses_a_type_of_the_short_form_that_is_none" {
  command = plan

  variables {
    table_columns = { id = "bigint" }
  }
  expect_failures = [var.table_columns]
}

run "refuses_an_alarm_that_tells_nobody" {
  command = plan

  variables {
    alarm_actions = ["me@example.com"]
  }
  expect_failures = [var.alarm_actions]
}

run "refuses_a_secret_that_is_none" {
  command = plan

  variables {
    msk_scram_secret_arn = "user:password"
  }
  expect_failures = [var.msk_scram_secret_arn]
}

run "refuses_a_version_of_connect_that_is_none" {
  command = plan

  variables {
    kafkaconnect_version = "latest"
  }
  expect_failures = [var.kafkaconnect_version]
}

run "refuses_a_plugin_of_no_engine" {
  command = plan

  variables {
    debezium_plugins = { mysql = "x.zip" }
  }
  expect_failures = [var.debezium_plugins]
}

run "refuses_a_size_that_is_none" {
  command = plan

  variables {
    database_instance_class = "micro"
  }
  expect_failures = [var.database_instance_class]
}

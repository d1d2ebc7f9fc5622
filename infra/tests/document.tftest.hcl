# The config document says what the sources are.

mock_provider "aws" {
  source = "./tests/mocks"
}

variables {
  application_name   = "shop"
  packages_directory = "tests/packages"
  msk_cluster_arn    = "arn:aws:kafka:eu-central-1:123456789012:cluster/given/0a1b2c3d"
  kafka_sources      = { payments = { topics = ["transactions"], format = { type = "cockroach" } } }
  csv_sources        = { partner = { prefix = "partner/" } }
  tables = [
    { source = "payments", from = "transactions", table = "shop.transactions", key = ["id"] },
    { source = "partner", from = "stock", table = "shop.stock", key = ["sku"] },
  ]
}

run "partial_batch_responses_are_the_same_in_mappings_and_document" {
  assert {
    condition = alltrue([
      for source in jsondecode(output.config_document).sources : try(source.kafka, source.s3).partial_batch_responses
    ])
    error_message = "the document has them on for both sources"
  }
  assert {
    condition     = module.msk_source[0].function_response_types == tolist(["ReportBatchItemFailures"]) && module.raw_drops[0].function_response_types == tolist(["ReportBatchItemFailures"])
    error_message = "and so have the mappings"
  }
}

run "partial_batch_responses_are_off_in_mappings_and_document" {
  variables {
    partial_batch_responses = false
  }
  assert {
    condition = !anytrue([
      for source in jsondecode(output.config_document).sources : try(source.kafka, source.s3).partial_batch_responses
    ])
    error_message = "the document has them off for both sources"
  }
  assert {
    condition     = length(module.msk_source[0].function_response_types) == 0 && length(module.raw_drops[0].function_response_types) == 0
    error_message = "and so have the mappings"
  }
}

run "without_pollers_kafka_has_no_partial_batch_responses_on_either_side" {
  variables {
    kafka_polling = { provisioned = false }
  }
  assert {
    condition     = { for source in jsondecode(output.config_document).sources : source.name => try(source.kafka, source.s3).partial_batch_responses } == { payments = false, partner = true }
    error_message = "the document has them off for Kafka, on for files"
  }
  assert {
    condition     = length(module.msk_source[0].function_response_types) == 0 && length(module.raw_drops[0].function_response_types) == 1
    error_message = "and so have the mappings"
  }
}

run "settings_that_nobody_made_are_left_to_the_functions" {
  command = plan

  assert {
    condition     = { for source in jsondecode(output.config_document).sources : source.name => source.format } == { payments = { type = "cockroach" }, partner = { type = "dms_csv", header = true } }
    error_message = "no nulls in formats"
  }
}

run "units_of_columns_reach_the_document" {
  command = plan

  variables {
    tables = [{
      source  = "payments", from = "transactions", table = "shop.transactions", key = ["id"], partition = ["day(at)"]
      columns = { at = "timestamp", amount = "decimal(18,2)" }, units = { at = "ms" }, properties = { "write.data.path" = "x" }
    }]
  }
  assert {
    condition = jsondecode(output.config_document).tables == [{
      source     = "payments", from = "transactions", table = "shop.transactions", key = ["id"], partition = ["day(at)"]
      mode       = "upsert", metadata_columns = "version", on_truncate = "quarantine"
      columns    = { at = { type = "timestamp", unit = "ms" }, amount = "decimal(18,2)" }
      properties = { "write.data.path" = "x" }
    }]
    error_message = "the table as the document has it"
  }
}

run "another_document_is_another_object_and_environment" {
  command = plan

  variables {
    partial_batch_responses = false
  }
  assert {
    condition     = output.config_uri != run.settings_that_nobody_made_are_left_to_the_functions.config_uri && strcontains(output.config_uri, "/lakehouse-")
    error_message = "its key is made of its content"
  }
}

run "tables_in_two_catalogs" {
  command = plan

  variables {
    catalogs = ["glue", "s3_tables"]
  }
  assert {
    condition = jsondecode(output.config_document).catalogs == [
      { type = "glue", warehouse = "s3://shop-clean-123456789012" },
      { type = "s3_tables", table_bucket = "arn:aws:s3tables:eu-central-1:123456789012:bucket/shop-tables" },
    ] && !can(jsondecode(output.config_document).catalog)
    error_message = "the document names both, and only in `catalogs`"
  }
}

run "one_topic_in_its_short_form" {
  command = plan

  variables {
    kafka_sources   = {}
    csv_sources     = {}
    tables          = []
    topic_name      = "financial.transactions"
    glue_table_name = "transactions"
    unique_keys     = ["transaction_id"]
    table_columns   = { amount = "decimal(18,2)" }
  }
  assert {
    condition     = jsondecode(output.config_document).sources[0].name == "financial-transactions" && jsondecode(output.config_document).sources[0].kafka.topics == ["financial.transactions"]
    error_message = "the topic is a source"
  }
  assert {
    condition     = jsondecode(output.config_document).tables[0].table == "shop.transactions" && jsondecode(output.config_document).tables[0].key == ["transaction_id"]
    error_message = "and becomes one table"
  }
  assert {
    condition     = keys(output.functions) == ["msk-cdc"]
    error_message = "by msk-cdc"
  }
}

run "the_same_topic_by_firehose" {
  command = plan

  variables {
    kafka_sources   = {}
    csv_sources     = {}
    tables          = []
    topic_name      = "transactions"
    glue_table_name = "transactions"
    unique_keys     = ["transaction_id"]
    table_columns   = { transaction_id = "string", amount = "decimal(18,2)" }
    topic_delivery  = "firehose"
  }
  assert {
    condition     = jsondecode(output.config_document).sources[0].kafka.delivery_streams == { shop-transactions = "transactions" }
    error_message = "the document knows the stream's topic"
  }
  assert {
    condition     = keys(output.functions) == ["firehose-transform"]
    error_message = "no function reads the topic a second time"
  }
  assert {
    condition     = jsondecode(output.config_document).tables[0].metadata_columns == "none"
    error_message = "Firehose fills no columns of ours"
  }
}

run "connectors_are_sources_of_their_topics" {
  command = plan

  variables {
    msk_bootstrap_brokers  = "b-1:9098"
    msk_subnet_ids         = ["subnet-1"]
    msk_security_group_ids = ["sg-1"]
    debezium_plugins       = { oracle = "tests/plugins/oracle.zip" }
    debezium_connectors = {
      erp = {
        engine     = "oracle", hostname = "h", port = 1521, database = "ORCLCDB", topic_prefix = "oracle-cdc", tables = ["SHOP.ORDERS"]
        secret_arn = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:erp-AbCdEf"
      }
    }
  }
  assert {
    condition = one([for source in jsondecode(output.config_document).sources : source if source.name == "erp"]) == {
      name   = "erp"
      kafka  = { topics = ["oracle-cdc.SHOP.ORDERS"], generation = 0, partial_batch_responses = true }
      format = { type = "debezium_flattened", deletes = "rewrite", decimals = "precise" }
    }
    error_message = "the connector's settings, as the decoder has to know them"
  }
}

run "columns_keep_the_order_of_files_without_a_header" {
  command = plan

  variables {
    kafka_sources = {}
    csv_sources   = { partner = { prefix = "partner/", format = { header = false } } }
    tables = [{
      source  = "partner", from = "stock", table = "shop.stock", key = ["sku"], column_order = ["sku", "on_hand", "at"]
      columns = { at = "timestamp", on_hand = "int", sku = "string" }, units = { at = "ms" }
    }]
  }
  assert {
    condition     = strcontains(output.config_document, "\"columns\":{\"sku\":\"string\",\"on_hand\":\"int\",\"at\":{\"type\":\"timestamp\",\"unit\":\"ms\"}}")
    error_message = "the document has them as the file has"
  }
}

run "sources_of_one_name_are_refused" {
  command = plan

  variables {
    csv_sources = { payments = { prefix = "partner/" } }
    tables      = []
  }
  expect_failures = [aws_s3_object.config]
}

run "a_topic_that_its_source_does_not_read_is_refused" {
  command = plan

  variables {
    tables = [{ source = "payments", from = "transaction", table = "shop.transactions", key = ["id"] }]
  }
  expect_failures = [aws_s3_object.config]
}

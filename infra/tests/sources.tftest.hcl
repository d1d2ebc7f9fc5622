# What brings events and files, and what it may do.

mock_provider "aws" {
  source = "./tests/mocks"
}

variables {
  name               = "shop"
  account_id         = "123456789012"
  region             = "eu-central-1"
  partition          = "aws"
  kms_key_arn        = null
  log_retention_days = 30
}

run "a_message_stays_hidden_for_six_times_the_timeout" {
  module {
    source = "./modules/raw-drops"
  }
  variables {
    bucket                  = "raw"
    bucket_arn              = "arn:aws:s3:::raw"
    function                = { arn = "arn:aws:lambda:eu-central-1:123456789012:function:dms-csv", role_name = "dms-csv", timeout_seconds = 300 }
    partial_batch_responses = true
    max_receives            = 10
    max_concurrency         = 5
    alarm_actions           = []
  }
  assert {
    condition     = aws_sqs_queue.drops.visibility_timeout_seconds == 1800
    error_message = "6 x 300 s"
  }
  assert {
    condition     = jsondecode(aws_sqs_queue.drops.redrive_policy).maxReceiveCount == 10 && aws_sqs_queue.dead_letters.message_retention_seconds == 1209600
    error_message = "what is not taken is kept for fourteen days"
  }
  assert {
    condition     = jsonencode(jsondecode(aws_sqs_queue_policy.drops.policy).Statement[0].Condition) == jsonencode({ ArnEquals = { "aws:SourceArn" = "arn:aws:s3:::raw" }, StringEquals = { "aws:SourceAccount" = "123456789012" } })
    error_message = "only the bucket writes to the queue"
  }
  assert {
    condition     = aws_sqs_queue.drops.sqs_managed_sse_enabled && aws_sqs_queue.dead_letters.sqs_managed_sse_enabled
    error_message = "queues are encrypted"
  }
  assert {
    condition     = toset(flatten([for queue in aws_s3_bucket_notification.raw.queue : queue.filter_suffix])) == toset([".csv", ".csv.gz"])
    error_message = "files of DMS, plain and gzip"
  }
  assert {
    condition     = jsondecode(aws_iam_role_policy.queue.policy).Statement[0].Action == ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"] && jsondecode(aws_iam_role_policy.queue.policy).Statement[0].Resource == [aws_sqs_queue.drops.arn]
    error_message = "the function takes messages of this queue"
  }
}

run "a_topic_is_read_in_full_batches_with_an_end_to_retries" {
  module {
    source = "./modules/msk-source"
  }
  variables {
    cluster_arn             = "arn:aws:kafka:eu-central-1:123456789012:cluster/given/0a1b2c3d"
    topics                  = ["orders", "accounts"]
    function                = { arn = "arn:aws:lambda:eu-central-1:123456789012:function:msk-cdc", role_name = "msk-cdc" }
    dead_letter_bucket_arn  = "arn:aws:s3:::quarantine"
    partial_batch_responses = true
    pollers                 = { minimum = 1, maximum = 4 }
    batch_size              = 10000
    batching_window_seconds = 5
    starting_position       = "TRIM_HORIZON"
    retries                 = 10
    bisect                  = true
    scram_secret_arn        = null
  }
  assert {
    condition     = keys(aws_lambda_event_source_mapping.topic) == ["accounts", "orders"]
    error_message = "a mapping a topic"
  }
  assert {
    condition = alltrue([for mapping in aws_lambda_event_source_mapping.topic :
      mapping.batch_size == 10000 && mapping.maximum_retry_attempts == 10 && mapping.bisect_batch_on_function_error && mapping.provisioned_poller_config[0].maximum_pollers == 4
      && mapping.destination_config[0].on_failure[0].destination_arn == "arn:aws:s3:::quarantine"
    ])
    error_message = "batches, retries, dead letters"
  }
  assert {
    condition     = jsonencode(one([for statement in jsondecode(aws_iam_role_policy.cluster.policy).Statement : statement.Resource if statement.Sid == "Topics"])) == jsonencode([for topic in ["orders", "accounts"] : "arn:aws:kafka:eu-central-1:123456789012:topic/given/0a1b2c3d/${topic}"])
    error_message = "topics are named"
  }
  assert {
    condition     = jsonencode(one([for statement in jsondecode(aws_iam_role_policy.cluster.policy).Statement : statement.Resource if statement.Sid == "Groups"])) == jsonencode([for topic in ["orders", "accounts"] : "arn:aws:kafka:eu-central-1:123456789012:group/given/0a1b2c3d/shop-${topic}"])
    error_message = "so are consumer groups"
  }
  assert {
    condition     = [for statement in jsondecode(aws_iam_role_policy.cluster.policy).Statement : statement.Sid if contains(statement.Resource, "*")] == ["Network"]
    error_message = "only network interfaces have no name beforehand"
  }
}

run "dms_writes_files_that_the_decoder_reads_without_guessing" {
  module {
    source = "./modules/dms-source"
  }
  variables {
    structure            = { bookstoredb = ["customer", "book"] }
    database             = { engine = "mysql", secret_arn = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:s-AbCdEf", database_name = null, connection_attributes = null, certificate_arn = null, ssl_mode = "none" }
    bucket               = "raw"
    bucket_arn           = "arn:aws:s3:::raw"
    subnet_ids           = ["subnet-1", "subnet-2"]
    security_group_ids   = ["sg-1"]
    start_replication    = false
    create_service_roles = true
    capacity_units       = { minimum = 1, maximum = 4 }
    max_batch_seconds    = 60
  }
  assert {
    condition = alltrue([
      aws_dms_s3_endpoint.raw.data_format == "csv", aws_dms_s3_endpoint.raw.rfc_4180, aws_dms_s3_endpoint.raw.add_column_name,
      aws_dms_s3_endpoint.raw.include_op_for_full_load, aws_dms_s3_endpoint.raw.use_task_start_time_for_full_load_timestamp, aws_dms_s3_endpoint.raw.use_csv_no_sup_value,
    ])
    error_message = "header, op for full load, quoting, a marker for what is not in the log"
  }
  assert {
    condition = jsonencode(output.format) == jsonencode({
      type             = "dms_csv", header = true, op = "always", null = "__cdc_null__", no_supplemental = "__cdc_unchanged__"
      timestamp_column = "dms_commit_time", sequence_column = "dms_change_sequence", before_image_prefix = "BI_"
    })
    error_message = "and the document says the same"
  }
  assert {
    condition     = aws_dms_replication_config.replication.replication_type == "full-load-and-cdc"
    error_message = "first whole, then change by change"
  }
  assert {
    condition     = [for rule in jsondecode(aws_dms_replication_config.replication.table_mappings).rules : "${rule["object-locator"]["schema-name"]}.${rule["object-locator"]["table-name"]}" if rule["rule-type"] == "selection"] == ["bookstoredb.book", "bookstoredb.customer"]
    error_message = "the tables of the structure"
  }
  assert {
    condition     = one([for rule in jsondecode(aws_dms_replication_config.replication.table_mappings).rules : rule.expression if rule["rule-action"] == "add-column"]) == "$AR_H_CHANGE_SEQ"
    error_message = "the order of changes"
  }
  assert {
    condition     = length(distinct([for rule in jsondecode(aws_dms_replication_config.replication.table_mappings).rules : rule["rule-id"]])) == 4
    error_message = "every rule has an id of its own"
  }
  assert {
    condition     = jsondecode(aws_dms_replication_config.replication.replication_settings).FullLoadSettings.TargetTablePrepMode == "DO_NOTHING" && jsondecode(aws_dms_replication_config.replication.replication_settings).ErrorBehavior.DataTruncationErrorPolicy == "SUSPEND_TABLE"
    error_message = "files are never removed, values never cut off"
  }
  assert {
    condition     = aws_cloudwatch_log_group.replication.name == "dms-serverless-replication-MOCKED" && aws_cloudwatch_log_group.replication.retention_in_days == 30
    error_message = "its log lines end"
  }
  assert {
    condition     = jsondecode(aws_iam_role_policy.raw.policy).Statement[0].Resource == ["arn:aws:s3:::raw/bookstoredb/*"]
    error_message = "DMS writes below its schemas"
  }
}

run "a_created_database_logs_whole_rows_and_its_password_is_nowhere" {
  module {
    source = "./modules/source-database"
  }
  variables {
    database_name    = "bookstoredb"
    username         = "admin"
    password         = "correct-horse-battery"
    password_version = 1
    engine_version   = "8.4"
    instance_class   = "db.t4g.micro"
    vpc_id           = "vpc-1"
    network_cidr     = "10.20.0.0/16"
    subnet_ids       = ["subnet-1", "subnet-2"]
    public_ip        = "203.0.113.7/32"
    force_destroy    = true
  }
  assert {
    condition     = { for parameter in aws_db_parameter_group.cdc.parameter : parameter.name => parameter.value } == { binlog_format = "ROW", binlog_row_image = "full", binlog_checksum = "NONE" }
    error_message = "the binary log"
  }
  assert {
    condition     = aws_db_instance.database.backup_retention_period >= 1 && aws_db_instance.database.storage_encrypted
    error_message = "backups, without which there is no binary log; encryption"
  }
  assert {
    condition     = aws_db_instance.database.password == null && aws_db_instance.database.password_wo == null && aws_secretsmanager_secret_version.login.secret_string_wo == null && try(aws_secretsmanager_secret_version.login.secret_string, "") != "correct-horse-battery"
    error_message = "the state holds no password"
  }
  assert {
    condition     = aws_vpc_security_group_ingress_rule.public[0].cidr_ipv4 == "203.0.113.7/32" && aws_db_instance.database.publicly_accessible
    error_message = "one address reaches it"
  }
}

run "without_an_address_a_created_database_is_not_public" {
  command = plan

  module {
    source = "./modules/source-database"
  }
  variables {
    database_name    = "bookstoredb"
    username         = "admin"
    password         = "correct-horse-battery"
    password_version = 1
    engine_version   = "8.4"
    instance_class   = "db.t4g.micro"
    vpc_id           = "vpc-1"
    network_cidr     = "10.20.0.0/16"
    subnet_ids       = ["subnet-1", "subnet-2"]
    public_ip        = null
    force_destroy    = true
  }
  assert {
    condition     = !aws_db_instance.database.publicly_accessible && length(aws_vpc_security_group_ingress_rule.public) == 0
    error_message = "nobody outside reaches it"
  }
}

run "connectors_write_rows_that_the_decoder_reads_and_name_their_login" {
  module {
    source = "./modules/debezium-source"
  }
  variables {
    cluster_arn          = "arn:aws:kafka:eu-central-1:123456789012:cluster/given/0a1b2c3d"
    bootstrap_brokers    = "b-1:9098"
    subnet_ids           = ["subnet-1"]
    security_group_ids   = ["sg-1"]
    plugins              = { oracle = "tests/plugins/oracle.zip", postgres = "tests/plugins/postgres.zip" }
    plugin_bucket        = "config"
    plugin_bucket_arn    = "arn:aws:s3:::config"
    kafkaconnect_version = "3.7.x"
    connectors = {
      erp = {
        engine       = "oracle", hostname = "oracle-host.example.com", port = 1521, database = "ORCLCDB", pluggable_database = "ORCLPDB1"
        topic_prefix = "oracle-cdc", tables = ["SHOP.ORDERS"], mcu_count = 1, settings = {}
        secret_arn   = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:erp/login-AbCdEf"
      }
      crm = {
        engine       = "postgres", hostname = "h", port = 5432, database = "crm", pluggable_database = null
        topic_prefix = "crm", tables = ["public.contact"], mcu_count = 1, settings = { "heartbeat.interval.ms" = "60000" }
        secret_arn   = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:crm-AbCdEf"
      }
    }
  }
  assert {
    condition = alltrue([for name, value in {
      "connector.class"                                  = "io.debezium.connector.oracle.OracleConnector"
      "database.dbname"                                  = "ORCLCDB"
      "database.pdb.name"                                = "ORCLPDB1"
      "topic.prefix"                                     = "oracle-cdc"
      "table.include.list"                               = "SHOP.ORDERS"
      "log.mining.strategy"                              = "online_catalog"
      "snapshot.mode"                                    = "initial"
      "decimal.handling.mode"                            = "precise"
      "transforms.unwrap.type"                           = "io.debezium.transforms.ExtractNewRecordState"
      "transforms.unwrap.add.fields"                     = "op,source.ts_ms"
      "transforms.unwrap.delete.tombstone.handling.mode" = "rewrite"
      "database.password"                                = "$${secretsmanager:erp/login:password}"
    } : aws_mskconnect_connector.connector["erp"].connector_configuration[name] == value])
    error_message = "Oracle"
  }
  assert {
    condition     = aws_mskconnect_connector.connector["crm"].connector_configuration["connector.class"] == "io.debezium.connector.postgresql.PostgresConnector" && aws_mskconnect_connector.connector["crm"].connector_configuration["slot.name"] == "shop_crm" && aws_mskconnect_connector.connector["crm"].connector_configuration["heartbeat.interval.ms"] == "60000"
    error_message = "PostgreSQL, with settings of its own"
  }
  assert {
    condition     = alltrue([for connector in aws_mskconnect_connector.connector : one(connector.kafka_cluster_client_authentication).authentication_type == "IAM" && one(connector.kafka_cluster_encryption_in_transit).encryption_type == "TLS"])
    error_message = "by IAM, over TLS"
  }
  assert {
    condition     = strcontains(aws_mskconnect_worker_configuration.json.properties_file_content, "value.converter.schemas.enable=false") && strcontains(aws_mskconnect_worker_configuration.json.properties_file_content, "replace.null.with.default=false")
    error_message = "JSON without schemas, NULL kept apart from defaults"
  }
  assert {
    condition     = alltrue([for policy in aws_iam_role_policy.connector : alltrue([for statement in jsondecode(policy.policy).Statement : !contains(statement.Resource, "*") && alltrue([for action in statement.Action : !strcontains(action, "*")])])])
    error_message = "roles name what they may do"
  }
}

run "firehose_delivers_a_topic_through_the_transformation" {
  module {
    source = "./modules/firehose"
  }
  variables {
    cluster_arn           = "arn:aws:kafka:eu-central-1:123456789012:cluster/given/0a1b2c3d"
    attach_cluster_policy = true
    topic                 = "financial_transactions"
    database              = "payments"
    table                 = "financial_transactions"
    unique_keys           = ["transaction_id"]
    buffering_size        = 64
    buffering_interval    = 60
    function_arn          = "arn:aws:lambda:eu-central-1:123456789012:function:firehose-transform"
    warehouse_bucket_arn  = "arn:aws:s3:::clean"
    error_bucket_arn      = "arn:aws:s3:::quarantine"
  }
  assert {
    condition     = aws_kinesis_firehose_delivery_stream.stream.destination == "iceberg" && aws_kinesis_firehose_delivery_stream.stream.msk_source_configuration[0].authentication_configuration[0].connectivity == "PRIVATE"
    error_message = "from the brokers' network into Iceberg"
  }
  assert {
    condition     = aws_kinesis_firehose_delivery_stream.stream.iceberg_configuration[0].buffering_size == 64 && aws_kinesis_firehose_delivery_stream.stream.iceberg_configuration[0].buffering_interval == 60 && aws_kinesis_firehose_delivery_stream.stream.iceberg_configuration[0].destination_table_configuration[0].unique_keys == tolist(["transaction_id"])
    error_message = "buffers and keys"
  }
  assert {
    condition     = contains([for parameter in aws_kinesis_firehose_delivery_stream.stream.iceberg_configuration[0].processing_configuration[0].processors[0].parameters : parameter.parameter_value], "${var.function_arn}:$LATEST")
    error_message = "our function transforms"
  }
  assert {
    condition     = alltrue([for statement in jsondecode(aws_iam_role_policy.stream.policy).Statement : !contains(statement.Resource, "*") && alltrue([for action in statement.Action : !strcontains(action, "*")])])
    error_message = "its role names what it may do"
  }
}

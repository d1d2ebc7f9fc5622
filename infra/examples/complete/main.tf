# Everything at once: a created cluster and a created database, CockroachDB by Firehose, Oracle and PostgreSQL by
# Debezium, MySQL by DMS, drops by others, tables in Glue and in S3 Tables, Lake Formation, refined tables,
# QuickSight and Snowflake. To read and to plan; few will want all of it.

provider "aws" {
  region = var.region
}

module "lakehouse" {
  source = "../.."

  application_name   = var.application_name
  account_id         = var.account_id
  glue_database_name = "shop"
  catalogs           = ["glue", "s3_tables"]
  force_destroy      = true
  alarm_actions      = [aws_sns_topic.alarms.arn]

  # Kafka: a cluster, a changefeed that Firehose delivers, plain rates, and two databases by Debezium.
  create_msk_cluster = true
  topic_name         = "financial_transactions"
  glue_table_name    = "financial_transactions"
  unique_keys        = ["transaction_id"]
  table_columns      = { transaction_id = "string", amount = "decimal(18,2)" }
  topic_delivery     = "firehose"
  kafka_sources = {
    accounts = { topics = ["accounts"], format = { type = "cockroach" } }
    rates    = { topics = ["exchange_rates"], format = { type = "plain" } }
  }
  debezium_plugins = var.debezium_plugins
  debezium_connectors = {
    erp = {
      engine             = "oracle"
      hostname           = "oracle-host.example.com"
      port               = 1521
      database           = "ORCLCDB"
      pluggable_database = "ORCLPDB1"
      topic_prefix       = "oracle-cdc"
      tables             = ["SHOP.ORDERS"]
      secret_arn         = "arn:aws:secretsmanager:${var.region}:${var.account_id}:secret:erp-login-AbCdEf"
    }
    crm = {
      engine       = "postgres"
      hostname     = "postgres-host.example.com"
      port         = 5432
      database     = "crm"
      topic_prefix = "crm"
      tables       = ["public.contact"]
      secret_arn   = "arn:aws:secretsmanager:${var.region}:${var.account_id}:secret:crm-login-AbCdEf"
    }
  }

  # Files: a MySQL that DMS copies, and what a partner drops.
  initial_database_name          = "bookstoredb"
  password_database              = var.password_database
  public_ip                      = "203.0.113.7/32"
  database_replication_structure = { bookstoredb = ["customer", "book", "sales"] }
  csv_sources = {
    partner = { prefix = "partner/", format = { op = "never", null = "" } }
  }

  tables = [
    { source = "accounts", from = "accounts", table = "shop.accounts", key = ["id"] },
    {
      source  = "rates", from = "exchange_rates", table = "shop.rates", key = ["pair"]
      columns = { rate = "decimal(12,5)", at = "timestamptz" }
    },
    {
      source  = "rates", from = "exchange_rates", table = "shop.rate_history", mode = "append"
      columns = { rate = "decimal(12,5)", at = "timestamptz" }, partition = ["day(at)"]
    },
    {
      source  = "erp", from = "oracle-cdc.SHOP.ORDERS", table = "shop.orders", key = ["order_id"]
      columns = { order_id = "long", total = "decimal(16,2)", weight_kg = "decimal(9,3)", ordered_at = "timestamp" }
      units   = { ordered_at = "ms" }
    },
    { source = "crm", from = "crm.public.contact", table = "shop.contact", key = ["id"], columns = { id = "long" } },
    {
      source  = "bookstoredb", from = "book", table = "bookstore.book", key = ["book_id"]
      columns = { book_id = "int", price = "decimal(5,2)", last_update_time = "timestamp" }
    },
    {
      source  = "bookstoredb", from = "customer", table = "bookstore.customer", key = ["customer_id"]
      columns = { customer_id = "int", last_update_time = "timestamp" }
    },
    {
      source = "bookstoredb", from = "sales", table = "bookstore.sales", key = ["sale_id"], partition = ["month(sale_date)"]
      columns = {
        sale_id     = "int", customer_id = "int", book_id = "int", quantity = "int", unit_price = "decimal(5,2)",
        total_price = "decimal(7,2)", sale_date = "date", last_update_time = "timestamp",
      }
    },
    {
      source  = "partner", from = "stock", table = "shop.stock", key = ["sku"], precreate = true
      columns = { sku = "string", on_hand = "int" }
    },
  ]

  # Who reads.
  lake_formation = {
    admins   = ["arn:aws:iam::${var.account_id}:role/deployer"]
    analysts = ["arn:aws:iam::${var.account_id}:role/analyst"]
  }
  refined               = { clean_database = "bookstore", database = "bookstore_refined" }
  quicksight_principals = ["arn:aws:quicksight:${var.region}:${var.account_id}:group/default/readers"]
  snowflake = {
    user_arn    = "arn:aws:iam::111122223333:user/snowflake"
    external_id = "ABC_SFCRole=1"
  }
}

resource "aws_sns_topic" "alarms" {
  #checkov:skip=CKV_AWS_26:alarms say names and numbers; encryption by a customer's key is the account's choice
  name = "${var.application_name}-alarms"
}

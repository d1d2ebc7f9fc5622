# A bookstore's MySQL, copied by DMS and kept current in Iceberg, with refined tables made of it every hour.

provider "aws" {
  region = var.region
}

module "lakehouse" {
  source = "../.."

  application_name = var.application_name
  account_id       = var.account_id

  # The database: MySQL in a network of its own, reachable from one address.
  initial_database_name = var.initial_database_name
  username_database     = var.username_database
  password_database     = var.password_database
  public_ip             = var.public_ip

  # What DMS copies of it.
  database_replication_structure = var.database_replication_structure

  # What it becomes. Columns that are not named are text.
  glue_database_name = "bookstore"
  tables = [
    {
      source  = "bookstoredb"
      from    = "book"
      table   = "bookstore.book"
      key     = ["book_id"]
      columns = { book_id = "int", price = "decimal(5,2)", last_update_time = "timestamp" }
    },
    {
      source  = "bookstoredb"
      from    = "customer"
      table   = "bookstore.customer"
      key     = ["customer_id"]
      columns = { customer_id = "int", last_update_time = "timestamp" }
    },
    {
      source = "bookstoredb"
      from   = "sales"
      table  = "bookstore.sales"
      key    = ["sale_id"]
      columns = {
        sale_id     = "int", customer_id = "int", book_id = "int", quantity = "int", unit_price = "decimal(5,2)",
        total_price = "decimal(7,2)", sale_date = "date", last_update_time = "timestamp",
      }
      partition = ["month(sale_date)"]
    },
  ]
  # Once the tables are there: optimized_tables = ["bookstore.book", "bookstore.customer", "bookstore.sales"]
  optimized_tables = var.optimized_tables

  refined               = {}
  quicksight_principals = var.quicksight_principals

  # A walk-through has to be able to end.
  force_destroy            = true
  create_dms_service_roles = var.create_dms_service_roles
}

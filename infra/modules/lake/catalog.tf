# Databases of the Glue Data Catalog, each with its folder in the zone it belongs to; tables that have to
# exist before their first event; optionally an S3 table bucket beside them.

locals {
  database_zones = merge(
    { for database in var.databases : database => "clean" },
    { for database in var.refined_databases : database => "refined" },
  )
  # The names that Glue has for the types of Iceberg. A zoned timestamp and a time have none.
  glue_types = {
    boolean   = "boolean", int = "int", long = "bigint", float = "float", double = "double", date = "date",
    timestamp = "timestamp", string = "string", binary = "binary",
  }
}

resource "aws_glue_catalog_database" "database" {
  for_each = local.database_zones

  name         = each.key
  description  = "Iceberg tables of ${var.name}, ${each.value} zone"
  location_uri = "s3://${aws_s3_bucket.zone[each.value].bucket}/${each.key}"

  # Where Lake Formation governs, nobody has a permission that was not granted.
  dynamic "create_table_default_permission" {
    for_each = local.governed ? [1] : []
    content {
      permissions = []
    }
  }
}

resource "aws_glue_catalog_table" "table" {
  for_each = { for table in var.precreated_tables : "${table.database}.${table.name}" => table }

  database_name = aws_glue_catalog_database.database[each.value.database].name
  name          = each.value.name
  table_type    = "EXTERNAL_TABLE"

  open_table_format_input {
    iceberg_input {
      metadata_operation = "CREATE"
      version            = "2"
    }
  }
  storage_descriptor {
    location = "s3://${aws_s3_bucket.zone["clean"].bucket}/${each.value.database}/${each.value.name}"
    dynamic "columns" {
      for_each = each.value.columns
      content {
        name = columns.key
        type = startswith(columns.value, "decimal") ? replace(columns.value, " ", "") : local.glue_types[columns.value]
      }
    }
  }

  # From here on the table belongs to its writers: columns, properties and the metadata's place change with
  # every commit.
  lifecycle {
    ignore_changes = [parameters, storage_descriptor, open_table_format_input]
    precondition {
      condition     = alltrue([for type in values(each.value.columns) : startswith(type, "decimal") || contains(keys(local.glue_types), type)])
      error_message = "Table ${each.key} cannot be created by Terraform: Glue has no name for a type among ${join(", ", values(each.value.columns))}. Leave out precreate, and the first event creates it."
    }
  }
}

locals {
  table_bucket     = "${var.name}-tables"
  table_bucket_arn = "arn:${var.partition}:s3tables:${var.region}:${var.account_id}:bucket/${local.table_bucket}"
}

resource "aws_s3tables_table_bucket" "tables" {
  count = var.s3_tables ? 1 : 0

  name = local.table_bucket
  encryption_configuration = {
    sse_algorithm = var.kms_key_arn == null ? "AES256" : "aws:kms"
    kms_key_arn   = var.kms_key_arn
  }
  maintenance_configuration = {
    iceberg_unreferenced_file_removal = {
      status = "enabled"
      settings = {
        unreferenced_days = var.optimizers.orphan_retention_days
        non_current_days  = 10
      }
    }
  }
}

resource "aws_s3tables_namespace" "namespace" {
  for_each = var.s3_tables ? toset(var.databases) : toset([])

  namespace        = each.value
  table_bucket_arn = aws_s3tables_table_bucket.tables[0].arn
}

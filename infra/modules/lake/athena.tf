# A workgroup whose queries keep their results encrypted in one place and may not scan more than agreed,
# with the queries that people ask of such tables.

locals {
  queries = "${path.module}/../../sql/queries"
  table_queries = {
    for pair in setproduct(sort(var.queried_tables), ["current_rows", "time_travel", "changes_per_day", "optimize", "vacuum"]) :
    "${pair[0]} ${replace(pair[1], "_", " ")}" => { database = split(".", pair[0])[0], table = split(".", pair[0])[1], query = pair[1] }
  }
}

resource "aws_athena_workgroup" "lake" {
  #checkov:skip=CKV_AWS_159:results are always encrypted, with the customer's key where there is one (kms_key_arn)
  name          = var.name
  description   = "Queries of the lake ${var.name}"
  force_destroy = var.force_destroy

  configuration {
    enforce_workgroup_configuration    = true
    publish_cloudwatch_metrics_enabled = true
    bytes_scanned_cutoff_per_query     = var.athena_scan_limit_gb * 1000 * 1000 * 1000

    engine_version {
      selected_engine_version = "Athena engine version 3"
    }
    result_configuration {
      output_location       = "s3://${aws_s3_bucket.zone["athena-results"].bucket}/"
      expected_bucket_owner = var.account_id
      encryption_configuration {
        encryption_option = var.kms_key_arn == null ? "SSE_S3" : "SSE_KMS"
        kms_key_arn       = var.kms_key_arn
      }
    }
  }
}

resource "aws_athena_named_query" "table" {
  for_each = local.table_queries

  name      = each.key
  workgroup = aws_athena_workgroup.lake.name
  database  = aws_glue_catalog_database.database[each.value.database].name
  query     = templatefile("${local.queries}/${each.value.query}.sql", { database = each.value.database, table = each.value.table })
}

resource "aws_athena_named_query" "merge" {
  name      = "merge a batch of changes"
  workgroup = aws_athena_workgroup.lake.name
  database  = aws_glue_catalog_database.database[var.databases[0]].name
  query     = templatefile("${local.queries}/merge.sql", { database = var.databases[0] })
}

# Lake Formation, where it is asked for. In hybrid mode only principals that opted in are governed by it, and
# everybody else keeps to IAM alone; otherwise every reader and writer needs a grant.

locals {
  lake_formation = var.lake_formation != null
  governed       = local.lake_formation && !try(var.lake_formation.hybrid, true)

  # Grants, one a role and database. Optimizers write the tables that they keep in order; analysts and Snowflake
  # read everything.
  databases = keys(local.database_zones)
  writers = merge(var.writers, length(var.optimized_tables) == 0 ? {} : {
    optimizer = { role_arn = aws_iam_role.optimizer[0].arn, databases = distinct([for table in var.optimized_tables : split(".", table)[0]]) }
  })
  readers = merge(
    var.readers,
    local.analysts,
    var.snowflake == null ? {} : { snowflake = { role_arn = aws_iam_role.snowflake[0].arn, databases = local.databases } },
  )
  analysts = { for arn in try(var.lake_formation.analysts, []) : arn => { role_arn = arn, databases = local.databases } }
  grants = {
    for kind, roles in { write = local.writers, read = local.readers, opt_in = local.analysts } : kind => {
      for grant in flatten([
        for name, role in roles : [
          for database in role.databases : { key = "${name}/${database}", role_arn = role.role_arn, database = database }
        ]
      ]) : grant.key => grant if local.lake_formation
    }
  }
  # Reads and commits of Glue's optimizers, too, go through Lake Formation.
  data_access = local.lake_formation ? [{
    Effect   = "Allow"
    Action   = ["lakeformation:GetDataAccess"]
    Resource = ["*"] # The action has no resources.
  }] : []
}

resource "aws_lakeformation_data_lake_settings" "settings" {
  count = local.lake_formation ? 1 : 0

  admins = var.lake_formation.admins

  # Without these blocks, what is created from now on is nobody's but its grantees'.
  dynamic "create_database_default_permissions" {
    for_each = local.governed ? [] : [1]
    content {
      permissions = ["ALL"]
      principal   = "IAM_ALLOWED_PRINCIPALS"
    }
  }
  dynamic "create_table_default_permissions" {
    for_each = local.governed ? [] : [1]
    content {
      permissions = ["ALL"]
      principal   = "IAM_ALLOWED_PRINCIPALS"
    }
  }
}

resource "aws_lakeformation_resource" "zone" {
  for_each = local.lake_formation ? toset(["clean", "refined"]) : toset([])

  arn                   = local.bucket_arns[each.key]
  role_arn              = aws_iam_role.lake_formation[0].arn
  hybrid_access_enabled = var.lake_formation.hybrid

  depends_on = [aws_lakeformation_data_lake_settings.settings, aws_s3_bucket.zone]
}

# The role that Lake Formation hands out to engines that read and write the registered locations.
resource "aws_iam_role" "lake_formation" {
  count = local.lake_formation ? 1 : 0

  name = "${var.name}-lake-formation"
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "lakeformation.amazonaws.com" }
      Action    = ["sts:AssumeRole", "sts:SetContext"]
    }]
  })
}

resource "aws_iam_role_policy" "lake_formation" {
  count = local.lake_formation ? 1 : 0

  name = "locations"
  role = aws_iam_role.lake_formation[0].name
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = concat([
      {
        Effect   = "Allow"
        Action   = ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"]
        Resource = [for zone in ["clean", "refined"] : "${local.bucket_arns[zone]}/*"]
      },
      {
        Effect   = "Allow"
        Action   = ["s3:ListBucket"]
        Resource = [for zone in ["clean", "refined"] : local.bucket_arns[zone]]
      },
    ], local.key_access)
  })
}

resource "aws_lakeformation_permissions" "databases" {
  for_each = local.grants["write"]

  principal   = each.value.role_arn
  permissions = ["DESCRIBE", "CREATE_TABLE"]
  database {
    name = aws_glue_catalog_database.database[each.value.database].name
  }

  depends_on = [aws_lakeformation_data_lake_settings.settings]
}

resource "aws_lakeformation_permissions" "tables" {
  for_each = local.grants["write"]

  principal   = each.value.role_arn
  permissions = ["DESCRIBE", "SELECT", "INSERT", "DELETE", "ALTER"]
  table {
    database_name = aws_glue_catalog_database.database[each.value.database].name
    wildcard      = true
  }

  depends_on = [aws_lakeformation_data_lake_settings.settings]
}

# Creating a table needs a right to its place, too.
resource "aws_lakeformation_permissions" "locations" {
  for_each = local.grants["write"]

  principal   = each.value.role_arn
  permissions = ["DATA_LOCATION_ACCESS"]
  data_location {
    arn = "${local.bucket_arns[local.database_zones[each.value.database]]}/${each.value.database}"
  }

  depends_on = [aws_lakeformation_resource.zone]
}

resource "aws_lakeformation_permissions" "readable_databases" {
  for_each = local.grants["read"]

  principal   = each.value.role_arn
  permissions = ["DESCRIBE"]
  database {
    name = aws_glue_catalog_database.database[each.value.database].name
  }

  depends_on = [aws_lakeformation_data_lake_settings.settings]
}

resource "aws_lakeformation_permissions" "readable_tables" {
  for_each = local.grants["read"]

  principal   = each.value.role_arn
  permissions = ["DESCRIBE", "SELECT"]
  table {
    database_name = aws_glue_catalog_database.database[each.value.database].name
    wildcard      = true
  }

  depends_on = [aws_lakeformation_data_lake_settings.settings]
}

# In hybrid mode a grant counts only for those who opted in. Analysts do; functions and Snowflake stay with
# IAM, as they read and write S3 with their own roles.
resource "aws_lakeformation_opt_in" "analyst" {
  for_each = try(var.lake_formation.hybrid, false) ? local.grants["opt_in"] : {}

  principal {
    data_lake_principal_identifier = each.value.role_arn
  }
  resource_data {
    table {
      database_name = aws_glue_catalog_database.database[each.value.database].name
      wildcard      = true
    }
  }

  depends_on = [aws_lakeformation_permissions.readable_tables]
}

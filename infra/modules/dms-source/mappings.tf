# Which tables, what DMS adds to their rows, and how it behaves (DMS user guide: table mappings, task settings).

locals {
  selections = [
    for index, table in local.tables : {
      "rule-type"      = "selection"
      "rule-id"        = tostring(index + 1)
      "rule-name"      = "${table.schema}-${table.table}"
      "object-locator" = { "schema-name" = table.schema, "table-name" = table.table }
      "rule-action"    = "include"
    }
  ]
  transformations = [
    {
      # The order of changes, also of those that share a commit.
      "rule-type"      = "transformation"
      "rule-id"        = tostring(length(local.tables) + 1)
      "rule-name"      = "change-sequence"
      "rule-target"    = "column"
      "object-locator" = { "schema-name" = "%", "table-name" = "%" }
      "rule-action"    = "add-column"
      "value"          = local.sequence_column
      "expression"     = "$AR_H_CHANGE_SEQ"
      "data-type"      = { "type" = "string", "length" = 50 }
    },
    {
      # The key before an update: without it a row whose key changes would stay under its old key.
      "rule-type"      = "transformation"
      "rule-id"        = tostring(length(local.tables) + 2)
      "rule-name"      = "key-before"
      "rule-target"    = "column"
      "object-locator" = { "schema-name" = "%", "table-name" = "%" }
      "rule-action"    = "add-before-image-columns"
      "before-image-def" = {
        "column-prefix" = local.before_image_prefix
        "column-suffix" = ""
        "column-filter" = "pk-only"
      }
    },
  ]

  settings = {
    Logging = { EnableLogging = true }
    FullLoadSettings = {
      # Files of before are never removed: they are what the tables were made of.
      TargetTablePrepMode = "DO_NOTHING"
    }
    ChangeProcessingDdlHandlingPolicy = {
      # A dropped or truncated table at the source would remove its files here; new columns only change the header.
      HandleSourceTableDropped   = false
      HandleSourceTableTruncated = false
      HandleSourceTableAltered   = true
    }
    ErrorBehavior = {
      # A value that does not fit stops its table. By default DMS cuts it off and goes on.
      DataErrorPolicy           = "SUSPEND_TABLE"
      DataTruncationErrorPolicy = "SUSPEND_TABLE"
    }
  }
}

# What is made of the tables, and how one sees it.

mock_provider "aws" {
  source = "./tests/mocks"
}

variables {
  name      = "shop"
  region    = "eu-central-1"
  workgroup = "shop"
}

run "refined_tables_are_made_one_statement_after_the_other" {
  module {
    source = "./modules/refined"
  }
  variables {
    account_id            = "123456789012"
    partition             = "aws"
    sql_directory         = "./sql/refined"
    tables                = ["sales_by_category_and_month", "customer_value"]
    clean_database        = "bookstore"
    refined_database      = "bookstore_refined"
    location              = "s3://refined/bookstore_refined"
    schedule              = "rate(1 hour)"
    workgroup_arn         = "arn:aws:athena:eu-central-1:123456789012:workgroup/shop"
    bucket_arns           = { clean = "arn:aws:s3:::clean", refined = "arn:aws:s3:::refined", athena-results = "arn:aws:s3:::results" }
    lake_formation        = false
    kms_key_arn           = null
    quicksight_principals = ["arn:aws:quicksight:eu-central-1:123456789012:group/default/readers"]
    alarm_actions         = []
  }
  assert {
    condition = jsondecode(aws_sfn_state_machine.refine.definition).States.Statements.Result[*].Name == [
      "sales_by_category_and_month: create", "sales_by_category_and_month: merge", "customer_value: create", "customer_value: merge",
    ] && jsondecode(aws_sfn_state_machine.refine.definition).States.EachInOrder.MaxConcurrency == 1
    error_message = "in order"
  }
  assert {
    condition     = alltrue([for statement in jsondecode(aws_sfn_state_machine.refine.definition).States.Statements.Result : strcontains(statement.Sql, "bookstore_refined.") && !strcontains(statement.Sql, "$${")])
    error_message = "with the names filled in"
  }
  assert {
    condition     = aws_scheduler_schedule.refine.schedule_expression == "rate(1 hour)"
    error_message = "on the schedule"
  }
  assert {
    condition = alltrue([for statement in jsondecode(aws_iam_role_policy.refine.policy).Statement : !contains(statement.Resource, "*") && alltrue([for action in statement.Action : !strcontains(action, "*")])]) && jsonencode(
    one([for statement in jsondecode(aws_iam_role_policy.refine.policy).Statement : statement.Resource if statement.Sid == "ReadFiles"])) == jsonencode(["arn:aws:s3:::clean/bookstore/*"])
    error_message = "its role reads the clean tables and writes the refined ones"
  }
  assert {
    condition     = aws_quicksight_data_source.athena[0].type == "ATHENA"
    error_message = "QuickSight sees what Athena sees"
  }
}

run "the_dashboard_shows_lag_rows_by_op_commits_conflicts_quarantine_and_cost" {
  command = plan

  module {
    source = "./modules/observability"
  }
  variables {
    functions = ["shop-msk-cdc", "shop-dms-csv"]
    buckets   = { raw = "raw", clean = "clean" }
  }
  assert {
    condition = alltrue([for metric in ["Lag", "Inserted", "Updated", "Deleted", "Skipped", "Quarantined", "Commits", "Conflicts", "Bytes"] :
      strcontains(aws_cloudwatch_dashboard.lake.dashboard_body, "MetricName=\\\"${metric}\\\"")
    ])
    error_message = "every metric of the functions"
  }
  assert {
    condition     = alltrue([for metric in ["Duration", "Invocations", "Errors", "Throttles", "ProcessedBytes", "BucketSizeBytes"] : strcontains(aws_cloudwatch_dashboard.lake.dashboard_body, "\"${metric}\"")])
    error_message = "and what drives the cost"
  }
}

# Refined tables, made of clean ones by SQL: a schedule starts a state machine, which has Athena create what is
# not there and then merge what changed, one statement after the other.

locals {
  statements = flatten([
    for table in var.tables : [
      for step in ["create", "merge"] : {
        Name = "${table}: ${step}"
        # Athena's API takes one statement, without the semicolon that ends a file.
        Sql = trimsuffix(trimspace(templatefile("${var.sql_directory}/${table}.${step}.sql", {
          clean = var.clean_database, refined = var.refined_database, location = var.location
        })), ";")
      }
    ]
  ])
}

resource "aws_sfn_state_machine" "refine" {
  #checkov:skip=CKV_AWS_284:tracing is of little use for a handful of queries, which Athena's history shows
  #checkov:skip=CKV_AWS_285:failed runs are an alarm, and their queries are in Athena's history
  name     = "${var.name}-refine"
  role_arn = aws_iam_role.refine.arn
  definition = jsonencode({
    Comment = "Makes the refined tables of the clean ones"
    StartAt = "Statements"
    States = {
      Statements = { Type = "Pass", Result = local.statements, Next = "EachInOrder" }
      EachInOrder = {
        Type           = "Map"
        MaxConcurrency = 1
        End            = true
        ItemProcessor = {
          StartAt = "Query"
          States = {
            Query = {
              Type     = "Task"
              Resource = "arn:${var.partition}:states:::athena:startQueryExecution.sync"
              Parameters = {
                "QueryString.$" = "$.Sql"
                WorkGroup       = var.workgroup
              }
              # Another writer's commit, or too many queries at once, pass.
              Retry = [{ ErrorEquals = ["States.ALL"], IntervalSeconds = 30, MaxAttempts = 3, BackoffRate = 2 }]
              End   = true
            }
          }
        }
      }
    }
  })

  depends_on = [aws_iam_role_policy.refine]
}

resource "aws_scheduler_schedule" "refine" {
  #checkov:skip=CKV_AWS_297:a schedule holds no data; it names the state machine
  name                = "${var.name}-refine"
  description         = "Makes the refined tables of ${var.name}"
  schedule_expression = var.schedule

  flexible_time_window {
    mode = "OFF"
  }
  target {
    arn      = aws_sfn_state_machine.refine.arn
    role_arn = aws_iam_role.schedule.arn
  }
}

resource "aws_cloudwatch_metric_alarm" "failed" {
  #checkov:skip=CKV_AWS_319:alarms without an action still show in the console; whom to tell is a setting (alarm_actions)
  alarm_name          = "${var.name}-refine-failed"
  alarm_description   = "Refined tables were not made anew: the state machine's last run says which query failed."
  namespace           = "AWS/States"
  metric_name         = "ExecutionsFailed"
  dimensions          = { StateMachineArn = aws_sfn_state_machine.refine.arn }
  statistic           = "Sum"
  comparison_operator = "GreaterThanThreshold"
  threshold           = 0
  period              = 300
  evaluation_periods  = 1
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_actions
  ok_actions          = var.alarm_actions
}

# QuickSight sees what Athena sees; which rows and columns, Athena and Lake Formation decide.
resource "aws_quicksight_data_source" "athena" {
  count = length(var.quicksight_principals) > 0 ? 1 : 0

  data_source_id = var.name
  name           = var.name
  type           = "ATHENA"
  parameters {
    athena {
      work_group = var.workgroup
    }
  }
  dynamic "permission" {
    for_each = toset(var.quicksight_principals)
    content {
      principal = permission.value
      actions   = ["quicksight:DescribeDataSource", "quicksight:DescribeDataSourcePermissions", "quicksight:PassDataSource"]
    }
  }
}

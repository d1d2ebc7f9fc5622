# A function may do what is named, logs as JSON, and says when something is wrong.

mock_provider "aws" {
  source = "./tests/mocks"
}

variables {
  application            = "shop"
  name                   = "dms-csv"
  description            = "files"
  package                = "tests/packages/dms-csv/bootstrap.zip"
  architecture           = "arm64"
  memory_mb              = 1769
  timeout_seconds        = 300
  reserved_concurrency   = -1
  config_uri             = "s3://config/lakehouse.json"
  environment            = {}
  statements             = [{ Sid = "Own", Effect = "Allow", Action = ["s3:GetObject"], Resource = ["arn:aws:s3:::raw/x/*"] }]
  dead_letter_bucket_arn = "arn:aws:s3:::quarantine"
  log_level              = "INFO"
  log_retention_days     = 30
  alarm_actions          = ["arn:aws:sns:eu-central-1:123456789012:alarms"]
  lag_alarm_minutes      = 15
}

run "runs_the_package_on_arm_with_json_logs" {
  command = plan

  module {
    source = "./modules/function"
  }
  assert {
    condition     = aws_lambda_function.function.runtime == "provided.al2023" && aws_lambda_function.function.architectures == tolist(["arm64"]) && aws_lambda_function.function.logging_config[0].log_format == "JSON"
    error_message = "runtime, architecture, logs"
  }
  assert {
    condition     = aws_lambda_function.function.environment[0].variables == tomap({ LAKEHOUSE_CONFIG = "s3://config/lakehouse.json" })
    error_message = "the document's place is all it is told"
  }
  assert {
    condition     = aws_cloudwatch_log_group.function.retention_in_days == 30 && aws_lambda_function.function.logging_config[0].log_group == aws_cloudwatch_log_group.function.name
    error_message = "log lines end"
  }
}

run "has_the_least_privilege" {
  module {
    source = "./modules/function"
  }
  assert {
    condition = jsondecode(aws_iam_role_policy.function.policy).Statement[*].Sid == ["Logs", "DeadLetters", "DeadLetterBucket", "Own"] && alltrue([
      for statement in jsondecode(aws_iam_role_policy.function.policy).Statement :
      alltrue([for action in statement.Action : !strcontains(action, "*")]) && !contains(statement.Resource, "*")
    ])
    error_message = "its logs, its dead letters, and what its caller names"
  }
}

run "an_event_that_fails_is_kept" {
  command = plan

  module {
    source = "./modules/function"
  }
  assert {
    condition     = aws_lambda_function_event_invoke_config.function.destination_config[0].on_failure[0].destination == "arn:aws:s3:::quarantine"
    error_message = "in the bucket of dead letters"
  }
}

run "alarms_tell_of_errors_throttles_duration_quarantine_and_lag" {
  command = plan

  module {
    source = "./modules/function"
  }
  assert {
    condition     = { for name, alarm in aws_cloudwatch_metric_alarm.alarm : name => alarm.threshold } == { errors = 0, throttles = 0, duration = 240000, quarantined = 0, lag = 900000 }
    error_message = "each with its threshold"
  }
  assert {
    condition     = alltrue([for alarm in aws_cloudwatch_metric_alarm.alarm : alarm.alarm_actions == toset(var.alarm_actions) && contains(values(alarm.dimensions), "shop-dms-csv")])
    error_message = "about this function, to whom it concerns"
  }
}

run "a_missing_package_says_how_to_make_it" {
  command = plan

  module {
    source = "./modules/function"
  }
  variables {
    package = "nowhere/bootstrap.zip"
  }
  expect_failures = [aws_lambda_function.function]
}

# What should wake somebody. Alarms without anyone to tell (alarm_actions) still show in the console.

locals {
  # How near to its end an invocation may come before it is said.
  near_timeout_ms = var.timeout_seconds * 1000 * 0.8

  alarms = {
    errors = {
      says      = "Events failed and will be delivered again, or went to the dead letters."
      namespace = "AWS/Lambda", metric = "Errors", statistic = "Sum", above = 0, dimension = "FunctionName"
    }
    throttles = {
      says      = "Invocations were refused for want of concurrency."
      namespace = "AWS/Lambda", metric = "Throttles", statistic = "Sum", above = 0, dimension = "FunctionName"
    }
    duration = {
      says      = "An invocation took more than 80 % of its time: give it more memory or smaller batches."
      namespace = "AWS/Lambda", metric = "Duration", statistic = "Maximum", above = local.near_timeout_ms, dimension = "FunctionName"
    }
    quarantined = {
      says      = "Records were rejected: their reasons are in the quarantine bucket."
      namespace = "CdcLakehouse", metric = "Quarantined", statistic = "Sum", above = 0, dimension = "Function"
    }
    lag = {
      says      = "Changes reach their tables later than agreed."
      namespace = "CdcLakehouse", metric = "Lag", statistic = "Maximum", above = var.lag_alarm_minutes * 60 * 1000, dimension = "Function"
    }
  }
}

resource "aws_cloudwatch_metric_alarm" "alarm" {
  #checkov:skip=CKV_AWS_319:alarms without an action still show in the console; whom to tell is a setting (alarm_actions)
  for_each = local.alarms

  alarm_name          = "${local.full_name}-${each.key}"
  alarm_description   = each.value.says
  namespace           = each.value.namespace
  metric_name         = each.value.metric
  dimensions          = { (each.value.dimension) = local.full_name }
  statistic           = each.value.statistic
  comparison_operator = "GreaterThanThreshold"
  threshold           = each.value.above
  period              = 300
  evaluation_periods  = 1
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_actions
  ok_actions          = var.alarm_actions
}

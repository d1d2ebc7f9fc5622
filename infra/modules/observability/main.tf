# One dashboard: is the lake behind, what was applied, what went wrong, what does it cost.

locals {
  # What each chart shows of each table. A table's metrics exist once it had changes: a search finds them as
  # they come.
  charts = [
    { title = "Lag: from the change at the source to its commit, ms", metric = "Lag", statistic = "Maximum" },
    { title = "Rows inserted", metric = "Inserted", statistic = "Sum" },
    { title = "Rows updated", metric = "Updated", statistic = "Sum" },
    { title = "Rows deleted", metric = "Deleted", statistic = "Sum" },
    { title = "Records skipped", metric = "Skipped", statistic = "Sum" },
    { title = "Records quarantined", metric = "Quarantined", statistic = "Sum" },
    { title = "Commits", metric = "Commits", statistic = "Sum" },
    { title = "Conflicts with other writers", metric = "Conflicts", statistic = "Sum" },
    { title = "Cost: bytes of records", metric = "Bytes", statistic = "Sum" },
  ]

  functions = [
    { title = "Cost: invocations", metric = "Invocations", statistic = "Sum" },
    { title = "Cost: duration, ms", metric = "Duration", statistic = "Sum" },
    { title = "Errors", metric = "Errors", statistic = "Sum" },
    { title = "Throttles", metric = "Throttles", statistic = "Sum" },
  ]

  widgets = concat(
    length(var.functions) == 0 ? [] : [
      for chart in local.charts : {
        title = chart.title
        metrics = [for name in var.functions : [{
          expression = "SEARCH('{CdcLakehouse,Function,Table} MetricName=\"${chart.metric}\" Function=\"${name}\"', '${chart.statistic}', 300)"
          label      = "$${PROP('Dim.Table')}"
        }]]
      }
    ],
    length(var.functions) == 0 ? [] : [
      for chart in local.functions : {
        title   = chart.title
        metrics = [for name in var.functions : ["AWS/Lambda", chart.metric, "FunctionName", name, { stat = chart.statistic }]]
      }
    ],
    [{
      title   = "Cost: bytes scanned by Athena"
      metrics = [["AWS/Athena", "ProcessedBytes", "WorkGroup", var.workgroup, { stat = "Sum" }]]
      }, {
      title   = "Cost: bytes stored, by zone (once a day)"
      metrics = [for zone, bucket in var.buckets : ["AWS/S3", "BucketSizeBytes", "BucketName", bucket, "StorageType", "StandardStorage", { stat = "Average", label = zone, period = 86400 }]]
    }],
  )
}

resource "aws_cloudwatch_dashboard" "lake" {
  dashboard_name = var.name
  dashboard_body = jsonencode({
    widgets = [
      for index, widget in local.widgets : {
        type   = "metric"
        x      = 8 * (index % 3)
        y      = 6 * floor(index / 3)
        width  = 8
        height = 6
        properties = {
          title   = widget.title
          region  = var.region
          view    = "timeSeries"
          stacked = false
          period  = 300
          metrics = widget.metrics
        }
      }
    ]
  })
}

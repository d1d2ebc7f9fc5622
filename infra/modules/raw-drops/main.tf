# Files that appear in the raw bucket reach the function through a queue: a notification is a trigger, kept
# until it was worked off, and put aside where that does not come about.

locals {
  queue_name = "${var.name}-raw-drops"
  # Lambda's advice for queues: a message stays hidden for six times what an invocation may take.
  visibility_seconds = 6 * var.function.timeout_seconds
}

resource "aws_s3_bucket_notification" "raw" {
  bucket = var.bucket

  dynamic "queue" {
    for_each = [".csv", ".csv.gz"]
    content {
      id            = "created${replace(queue.value, ".", "-")}"
      queue_arn     = aws_sqs_queue.drops.arn
      events        = ["s3:ObjectCreated:*"]
      filter_suffix = queue.value
    }
  }

  depends_on = [aws_sqs_queue_policy.drops]
}

resource "aws_sqs_queue" "drops" {
  name                       = local.queue_name
  visibility_timeout_seconds = local.visibility_seconds
  message_retention_seconds  = 14 * 24 * 60 * 60
  sqs_managed_sse_enabled    = true
  redrive_policy = jsonencode({
    deadLetterTargetArn = aws_sqs_queue.dead_letters.arn
    maxReceiveCount     = var.max_receives
  })
}

resource "aws_sqs_queue" "dead_letters" {
  name                      = "${local.queue_name}-dead-letters"
  message_retention_seconds = 14 * 24 * 60 * 60
  sqs_managed_sse_enabled   = true
}

resource "aws_sqs_queue_redrive_allow_policy" "dead_letters" {
  queue_url = aws_sqs_queue.dead_letters.id
  redrive_allow_policy = jsonencode({
    redrivePermission = "byQueue"
    sourceQueueArns   = [aws_sqs_queue.drops.arn]
  })
}

resource "aws_sqs_queue_policy" "drops" {
  queue_url = aws_sqs_queue.drops.id
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Sid       = "NotificationsOfTheBucket"
      Effect    = "Allow"
      Principal = { Service = "s3.amazonaws.com" }
      Action    = "sqs:SendMessage"
      Resource  = aws_sqs_queue.drops.arn
      Condition = {
        ArnEquals    = { "aws:SourceArn" = var.bucket_arn }
        StringEquals = { "aws:SourceAccount" = var.account_id }
      }
    }]
  })
}

resource "aws_lambda_event_source_mapping" "drops" {
  event_source_arn        = aws_sqs_queue.drops.arn
  function_name           = var.function.arn
  batch_size              = 10
  function_response_types = var.partial_batch_responses ? ["ReportBatchItemFailures"] : []
  scaling_config {
    maximum_concurrency = var.max_concurrency
  }

  depends_on = [aws_iam_role_policy.queue]
}

resource "aws_iam_role_policy" "queue" {
  name = "raw-drops"
  role = var.function.role_name
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Sid      = "Queue"
      Effect   = "Allow"
      Action   = ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"]
      Resource = [aws_sqs_queue.drops.arn]
    }]
  })
}

resource "aws_cloudwatch_metric_alarm" "dead_letters" {
  #checkov:skip=CKV_AWS_319:alarms without an action still show in the console; whom to tell is a setting (alarm_actions)
  alarm_name          = "${local.queue_name}-dead-letters"
  alarm_description   = "Files were not taken after ${var.max_receives} tries: mend the cause, then move the messages back (redrive)."
  namespace           = "AWS/SQS"
  metric_name         = "ApproximateNumberOfMessagesVisible"
  dimensions          = { QueueName = aws_sqs_queue.dead_letters.name }
  statistic           = "Maximum"
  comparison_operator = "GreaterThanThreshold"
  threshold           = 0
  period              = 300
  evaluation_periods  = 1
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_actions
  ok_actions          = var.alarm_actions
}

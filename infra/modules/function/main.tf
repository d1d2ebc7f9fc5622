# One Lambda function: the package, a role that may do what is named and no more, logs that end, and where an
# asynchronous event goes that the function could not take.

locals {
  full_name = "${var.application}-${var.name}"
}

resource "aws_lambda_function" "function" {
  #checkov:skip=CKV_AWS_50:tracing is of little use where one invocation is a batch; each carries its request id in logs and metrics
  #checkov:skip=CKV_AWS_115:reserved concurrency is a setting; taking from the account's by default could starve others
  #checkov:skip=CKV_AWS_116:what fails goes to the bucket of dead letters, which keeps the payload (event invoke config)
  #checkov:skip=CKV_AWS_117:the function talks to AWS alone; a VPC would need paid endpoints for nothing
  #checkov:skip=CKV_AWS_173:the environment names the config document and holds no secret
  #checkov:skip=CKV_AWS_272:the package is built from this repository; signing is the account's choice
  function_name = local.full_name
  description   = var.description
  role          = aws_iam_role.function.arn

  filename         = var.package
  source_code_hash = fileexists(var.package) ? filebase64sha256(var.package) : null
  runtime          = "provided.al2023"
  handler          = "bootstrap"
  architectures    = [var.architecture]

  memory_size                    = var.memory_mb
  timeout                        = var.timeout_seconds
  reserved_concurrent_executions = var.reserved_concurrency

  environment {
    variables = merge({ LAKEHOUSE_CONFIG = var.config_uri }, var.environment)
  }
  logging_config {
    log_format            = "JSON"
    application_log_level = var.log_level
    system_log_level      = "WARN"
    log_group             = aws_cloudwatch_log_group.function.name
  }

  lifecycle {
    precondition {
      condition     = fileexists(var.package)
      error_message = "There is no package ${var.package}: build it with `make package`, or say with packages_directory where the packages are."
    }
  }
  depends_on = [aws_iam_role_policy.function]
}

resource "aws_cloudwatch_log_group" "function" {
  #checkov:skip=CKV_AWS_158:log lines hold counts and names, never a row's values; a customer's key is the account's choice
  #checkov:skip=CKV_AWS_338:how long logs stay is a setting (log_retention_days)
  name              = "/aws/lambda/${local.full_name}"
  retention_in_days = var.log_retention_days
}

resource "aws_lambda_function_event_invoke_config" "function" {
  function_name                = aws_lambda_function.function.function_name
  maximum_retry_attempts       = 2
  maximum_event_age_in_seconds = 21600
  destination_config {
    on_failure {
      destination = var.dead_letter_bucket_arn
    }
  }
}

# The function's role: its own logs, the dead letters, and the statements that its caller names.

resource "aws_iam_role" "function" {
  name = local.full_name
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "lambda.amazonaws.com" }
      Action    = "sts:AssumeRole"
    }]
  })
}

resource "aws_iam_role_policy" "function" {
  name = "function"
  role = aws_iam_role.function.name
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = concat([
      {
        Sid      = "Logs"
        Effect   = "Allow"
        Action   = ["logs:CreateLogStream", "logs:PutLogEvents"]
        Resource = ["${aws_cloudwatch_log_group.function.arn}:*"]
      },
      {
        # Lambda's own layout of failed events: aws/lambda/<kind or mapping>/<function>/…
        Sid      = "DeadLetters"
        Effect   = "Allow"
        Action   = ["s3:PutObject"]
        Resource = ["${var.dead_letter_bucket_arn}/aws/lambda/*"]
      },
      {
        Sid      = "DeadLetterBucket"
        Effect   = "Allow"
        Action   = ["s3:ListBucket"]
        Resource = [var.dead_letter_bucket_arn]
      },
    ], var.statements)
  })
}

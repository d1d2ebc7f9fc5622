# What those who write tables may do, as statements for their roles.

locals {
  glue = "arn:${var.partition}:glue:${var.region}:${var.account_id}"

  key_access = var.kms_key_arn == null ? [] : [{
    Effect   = "Allow"
    Action   = ["kms:Decrypt", "kms:GenerateDataKey"]
    Resource = [var.kms_key_arn]
  }]
}

# What the policies of this module share: how ARNs of Glue begin, and the use of a customer's key.

locals {
  glue = "arn:${var.partition}:glue:${var.region}:${var.account_id}"

  key_access = var.kms_key_arn == null ? [] : [{
    Effect   = "Allow"
    Action   = ["kms:Decrypt", "kms:GenerateDataKey"]
    Resource = [var.kms_key_arn]
  }]
}

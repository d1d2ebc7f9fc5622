# One bucket a zone: what arrives (raw), tables of current rows (clean), tables made of those (refined),
# rejected records and dead letters (quarantine), the functions' document (config), and query results.

locals {
  # After how many days an object goes that nobody deleted.
  expire_days = {
    raw            = var.raw_retention_days
    clean          = null
    refined        = null
    quarantine     = null
    config         = null
    athena-results = 7
  }
  buckets     = { for zone in keys(local.expire_days) : zone => "${var.name}-${zone}-${var.account_id}" }
  bucket_arns = { for zone, bucket in local.buckets : zone => "arn:${var.partition}:s3:::${bucket}" }
}

resource "aws_s3_bucket" "zone" {
  #checkov:skip=CKV_AWS_18:access logs would need a bucket of their own; CloudTrail's data events are the account's choice
  #checkov:skip=CKV_AWS_144:a copy in another region is the account's choice; every row can be loaded again from its source
  #checkov:skip=CKV_AWS_145:a customer's key is optional (kms_key_arn); S3's own keys encrypt by default
  #checkov:skip=CKV2_AWS_62:only the raw zone tells of new objects (raw-drops)
  for_each = local.buckets

  bucket        = each.value
  force_destroy = var.force_destroy
}

resource "aws_s3_bucket_server_side_encryption_configuration" "zone" {
  for_each = aws_s3_bucket.zone

  bucket = each.value.bucket
  rule {
    bucket_key_enabled = true
    apply_server_side_encryption_by_default {
      sse_algorithm     = var.kms_key_arn == null ? "AES256" : "aws:kms"
      kms_master_key_id = var.kms_key_arn
    }
  }
}

resource "aws_s3_bucket_versioning" "zone" {
  for_each = aws_s3_bucket.zone

  bucket = each.value.bucket
  versioning_configuration {
    status = "Enabled"
  }
}

resource "aws_s3_bucket_public_access_block" "zone" {
  for_each = aws_s3_bucket.zone

  bucket                  = each.value.bucket
  block_public_acls       = true
  block_public_policy     = true
  ignore_public_acls      = true
  restrict_public_buckets = true
}

resource "aws_s3_bucket_ownership_controls" "zone" {
  for_each = aws_s3_bucket.zone

  bucket = each.value.bucket
  rule {
    object_ownership = "BucketOwnerEnforced"
  }
}

resource "aws_s3_bucket_policy" "zone" {
  for_each = aws_s3_bucket.zone

  bucket = each.value.bucket
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Sid       = "TlsOnly"
      Effect    = "Deny"
      Principal = "*"
      Action    = "s3:*"
      Resource  = [local.bucket_arns[each.key], "${local.bucket_arns[each.key]}/*"]
      Condition = { Bool = { "aws:SecureTransport" = "false" } }
    }]
  })

  depends_on = [aws_s3_bucket_public_access_block.zone]
}

# Current files of tables never expire: snapshots decide what is garbage, not age.
resource "aws_s3_bucket_lifecycle_configuration" "zone" {
  for_each = aws_s3_bucket.zone

  bucket = each.value.bucket
  rule {
    id     = "leftovers"
    status = "Enabled"
    filter {}
    noncurrent_version_expiration {
      noncurrent_days = var.noncurrent_version_days
    }
    abort_incomplete_multipart_upload {
      days_after_initiation = 7
    }
    expiration {
      days                         = local.expire_days[each.key]
      expired_object_delete_marker = local.expire_days[each.key] == null ? true : null
    }
  }

  depends_on = [aws_s3_bucket_versioning.zone]
}

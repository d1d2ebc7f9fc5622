# What a mocked AWS answers where the provider would look at the form of it.

mock_data "aws_region" {
  defaults = { name = "eu-central-1" }
}

mock_data "aws_partition" {
  defaults = { partition = "aws" }
}

mock_data "aws_caller_identity" {
  defaults = { account_id = "123456789012" }
}

mock_resource "aws_iam_role" {
  defaults = { arn = "arn:aws:iam::123456789012:role/mocked" }
}

mock_resource "aws_lambda_function" {
  defaults = { arn = "arn:aws:lambda:eu-central-1:123456789012:function:mocked" }
}

mock_resource "aws_cloudwatch_log_group" {
  defaults = { arn = "arn:aws:logs:eu-central-1:123456789012:log-group:mocked" }
}

mock_resource "aws_sqs_queue" {
  defaults = {
    arn = "arn:aws:sqs:eu-central-1:123456789012:mocked"
    id  = "https://sqs.eu-central-1.amazonaws.com/123456789012/mocked"
  }
}

mock_resource "aws_sfn_state_machine" {
  defaults = { arn = "arn:aws:states:eu-central-1:123456789012:stateMachine:mocked" }
}

mock_resource "aws_athena_workgroup" {
  defaults = { arn = "arn:aws:athena:eu-central-1:123456789012:workgroup/mocked" }
}

mock_resource "aws_dms_endpoint" {
  defaults = { endpoint_arn = "arn:aws:dms:eu-central-1:123456789012:endpoint:MOCKED" }
}

mock_resource "aws_dms_s3_endpoint" {
  defaults = { endpoint_arn = "arn:aws:dms:eu-central-1:123456789012:endpoint:MOCKEDTOO" }
}

mock_resource "aws_secretsmanager_secret" {
  defaults = { arn = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:mocked-AbCdEf" }
}

mock_resource "aws_msk_serverless_cluster" {
  defaults = { arn = "arn:aws:kafka:eu-central-1:123456789012:cluster/mocked/0a1b2c3d" }
}

mock_resource "aws_mskconnect_custom_plugin" {
  defaults = {
    arn             = "arn:aws:kafkaconnect:eu-central-1:123456789012:custom-plugin/mocked/0a1b2c3d-1"
    latest_revision = 1
  }
}

mock_resource "aws_mskconnect_worker_configuration" {
  defaults = {
    arn             = "arn:aws:kafkaconnect:eu-central-1:123456789012:worker-configuration/mocked/0a1b2c3d-1"
    latest_revision = 1
  }
}

mock_resource "aws_kinesis_firehose_delivery_stream" {
  defaults = { arn = "arn:aws:firehose:eu-central-1:123456789012:deliverystream/mocked" }
}

mock_resource "aws_s3tables_table_bucket" {
  defaults = { arn = "arn:aws:s3tables:eu-central-1:123456789012:bucket/mocked" }
}

mock_resource "aws_dms_replication_config" {
  defaults = { arn = "arn:aws:dms:eu-central-1:123456789012:replication-config:MOCKED" }
}

# A name alone gives a lake that waits for its sources.

mock_provider "aws" {
  source = "./tests/mocks"
}

variables {
  application_name = "shop"
}

run "has_a_lake_and_nothing_that_costs_while_idle" {
  command = plan

  assert {
    condition     = output.buckets == { for zone in ["raw", "clean", "refined", "quarantine", "config", "athena-results"] : zone => "shop-${zone}-123456789012" }
    error_message = "six buckets, named for the application and the account"
  }
  assert {
    condition     = output.databases == { shop = "s3://shop-clean-123456789012/shop" }
    error_message = "one database, in the clean zone"
  }
  assert {
    condition     = length(output.functions) == 0 && length(module.network) == 0 && length(module.dms_source) == 0 && length(module.msk_source) == 0 && length(module.firehose) == 0 && length(module.refined) == 0
    error_message = "nothing that was not asked for"
  }
  assert {
    condition = jsondecode(output.config_document) == {
      catalog    = { type = "glue", warehouse = "s3://shop-clean-123456789012" }
      objects    = { type = "s3" }
      quarantine = "s3://shop-quarantine-123456789012/quarantine"
      sources    = []
      tables     = []
    }
    error_message = "a document without sources"
  }
}

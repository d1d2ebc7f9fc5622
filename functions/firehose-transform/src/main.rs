//! The Lambda function that a Firehose stream transforms its records with: start-up, and nothing
//! else.

use shared::function::{run, start};

#[tokio::main]
async fn main() -> Result<(), lambda_runtime::Error> {
    let (config, _) = start().await?;
    run(async |payload, _| {
        firehose_transform::outcome(firehose_transform::handle(payload, &config))
    })
    .await
}

//! The Lambda function that S3 events trigger: start-up, and nothing else.

use std::sync::Arc;

use lambda_runtime::{Error, LambdaEvent, run, service_fn};
use serde_json::value::RawValue;
use shared::config::Config;
use shared::{Lakehouse, telemetry};

#[tokio::main]
async fn main() -> Result<(), Error> {
    telemetry::init();
    let lakehouse = Arc::new(Lakehouse::connect(Config::from_environment()?).await?);
    run(service_fn(|event: LambdaEvent<Box<RawValue>>| {
        let lakehouse = lakehouse.clone();
        async move { Ok::<_, Error>(dms_csv::handle(event.payload.get(), &lakehouse).await?) }
    }))
    .await
}

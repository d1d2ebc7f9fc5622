//! The Lambda function that S3 events trigger: start-up, and nothing else.

use shared::function::serve;

#[tokio::main]
async fn main() -> Result<(), lambda_runtime::Error> {
    serve(async |payload, lakehouse, deadline| {
        dms_csv::outcome(dms_csv::handle(payload, lakehouse, deadline).await)
    })
    .await
}

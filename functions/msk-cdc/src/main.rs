//! The Lambda function that Amazon MSK triggers: start-up, and nothing else.

use shared::function::serve;

#[tokio::main]
async fn main() -> Result<(), lambda_runtime::Error> {
    serve(async |payload, lakehouse, deadline| {
        msk_cdc::outcome(msk_cdc::handle(payload, lakehouse, deadline).await)
    })
    .await
}

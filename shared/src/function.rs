//! What all functions have in common: start-up, the deadline and request of each invocation, its
//! metrics and its answer.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::time::{Duration, SystemTime};

use lambda_runtime::{LambdaEvent, service_fn};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tracing::{Instrument, error, info_span};

use crate::aws::Aws;
use crate::config::Config;
use crate::counts::Counts;
use crate::deadline::Deadline;
use crate::{Error, Lakehouse, telemetry};

/// What became of an event.
#[derive(Debug)]
pub struct Outcome {
    /// What Lambda is told: an answer, or why the event must be delivered again.
    pub answer: Result<Value, String>,
    /// What was done for each table, also where the event failed.
    pub tables: BTreeMap<String, Counts>,
}

impl Outcome {
    /// An event that is applied, save for the items to deliver `again`. Where there is such a list,
    /// also an empty one, it is the whole answer; else the report is.
    pub fn applied(
        report: &impl Serialize,
        again: Option<&[impl Serialize]>,
        tables: BTreeMap<String, Counts>,
    ) -> Self {
        let failure = |item| json!({"itemIdentifier": item});
        let answer = match again {
            None => json!(report),
            Some(items) => {
                json!({"batchItemFailures": items.iter().map(failure).collect::<Vec<_>>()})
            }
        };
        Outcome { answer: Ok(answer), tables }
    }

    /// An event that must be delivered again as a whole.
    pub fn failed(error: &impl Display, tables: BTreeMap<String, Counts>) -> Self {
        Outcome { answer: Err(error.to_string()), tables }
    }
}

/// Starts a function: logging, and the config document that `LAKEHOUSE_CONFIG` names.
///
/// # Errors
/// Where the document cannot be read or is at fault.
pub async fn start() -> crate::Result<(Config, Aws)> {
    telemetry::init();
    let aws = Aws::default();
    let config = Config::from_environment(&aws).await.inspect_err(not_started)?;
    Ok((config, aws))
}

/// Says why the function does not start, as its log shows it; Lambda itself prints less.
fn not_started(error: &Error) {
    error!(%error, "the function does not start");
}

/// Runs a function on the lakehouse of the config document, until Lambda stops it.
///
/// # Errors
/// Where the start-up fails, with the setting or the call that is at fault.
pub async fn serve<H>(handler: H) -> Result<(), lambda_runtime::Error>
where
    H: AsyncFn(&str, &Lakehouse, Deadline) -> Outcome,
{
    let (config, aws) = start().await?;
    let lakehouse = Lakehouse::connect(config, &aws).await.inspect_err(not_started)?;
    let (handler, lakehouse) = (&handler, &lakehouse);
    run(async |payload: &str, deadline| handler(payload, lakehouse, deadline).await).await
}

/// Runs a function that needs nothing but its events, until Lambda stops it.
///
/// # Errors
/// Where the runtime does.
pub async fn run<H>(handler: H) -> Result<(), lambda_runtime::Error>
where
    H: AsyncFn(&str, Deadline) -> Outcome,
{
    let handler = &handler;
    let invocation = |event: LambdaEvent<Box<RawValue>>| {
        let function = event.context.env_config.function_name.clone();
        let span = info_span!("invocation", function, request_id = event.context.request_id);
        let left = event.context.deadline().duration_since(SystemTime::now());
        let deadline = Deadline::within(left.unwrap_or(Duration::ZERO));
        let answered = async move {
            let Outcome { answer, tables } = handler(event.payload.get(), deadline).await;
            for (table, counts) in &tables {
                telemetry::emit(&function, table, counts);
            }
            answer.map_err(lambda_runtime::Error::from)
        };
        answered.instrument(span)
    };
    lambda_runtime::run(service_fn(invocation)).await
}

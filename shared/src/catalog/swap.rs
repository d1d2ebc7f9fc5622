//! What AWS's answer to an update says of the pointer: swapped, not swapped, or nobody knows.
//!
//! An update is sent once. A retry within the SDK could meet its own first try, whose answer was
//! lost, and take it for another writer's commit. Only what AWS turned away unread, which is what
//! throttling does, is sent again.

use std::time::Duration;

use aws_sdk_s3::config::retry::RetryConfig;
use aws_sdk_s3::error::{ProvideErrorMetadata, SdkError};
use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use rand::Rng;

use super::SwapError;
use crate::error::Error;

/// Throttled tries before the batch fails.
const TRIES: u32 = 8;

/// The first pause after throttling; it doubles with each try.
const PAUSE: Duration = Duration::from_millis(100);

/// Codes of calls that were turned away before they did anything.
const THROTTLED: [&str; 4] = [
    "ThrottlingException",
    "TooManyRequestsException",
    "RequestLimitExceeded",
    "ProvisionedThroughputExceededException",
];

/// Codes that say that the table is not in the state that the update starts from.
const CONFLICT: [&str; 3] =
    ["AlreadyExistsException", "ConcurrentModificationException", "ConflictException"];

/// Codes behind which the update may have happened.
const UNKNOWN: [&str; 3] =
    ["InternalServiceException", "OperationTimeoutException", "InternalServerErrorException"];

/// The retry configuration of updates: none.
pub(super) fn once() -> RetryConfig {
    RetryConfig::disabled()
}

/// Sends an update, again where it was throttled.
pub(super) async fn send<T, E, Sent>(
    call: &'static str,
    mut update: impl FnMut() -> Sent,
) -> Result<T, SwapError>
where
    E: ProvideErrorMetadata + std::error::Error + 'static,
    Sent: Future<Output = Result<T, SdkError<E, HttpResponse>>>,
{
    let mut tries = 0;
    loop {
        let error = match update().await {
            Ok(answer) => return Ok(answer),
            Err(error) => error,
        };
        tries += 1;
        if !code_is(&error, &THROTTLED) || tries == TRIES {
            return Err(judged(call, error));
        }
        let pause = PAUSE * (1 << tries);
        let jitter = rand::rng().random_range(0.0..=1.0);
        tokio::time::sleep(pause.mul_f64(jitter)).await;
    }
}

/// What a failed update says of the pointer.
fn judged<E>(call: &'static str, error: SdkError<E, HttpResponse>) -> SwapError
where
    E: ProvideErrorMetadata + std::error::Error + 'static,
{
    if code_is(&error, &CONFLICT) {
        return SwapError::Conflict;
    }
    let certain = match &error {
        SdkError::ConstructionFailure(_) => true,
        // Also a success that cannot be read is one that may have happened.
        SdkError::ServiceError(answer) => {
            answer.raw().status().is_client_error() && !code_is(&error, &UNKNOWN)
        }
        _ => false,
    };
    let failure = Error::aws(call)(error);
    if certain { SwapError::Failed(failure) } else { SwapError::Unknown(failure) }
}

fn code_is<E: ProvideErrorMetadata>(error: &SdkError<E, HttpResponse>, codes: &[&str]) -> bool {
    error.code().is_some_and(|code| codes.contains(&code))
}

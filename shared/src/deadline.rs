//! The end of an invocation's time, and stopping before it.

use std::time::{Duration, Instant};

use crate::error::{Error, Result};

/// What is kept free before the end, for the answer and the last log lines.
const RESERVE: Duration = Duration::from_millis(1_500);

/// When an invocation must have answered.
#[derive(Debug, Clone, Copy, Default)]
pub struct Deadline(Option<Instant>);

impl Deadline {
    /// No end.
    pub fn none() -> Self {
        Deadline(None)
    }

    /// The end, from now. The last moments of it are kept for the answer.
    pub fn within(time: Duration) -> Self {
        Deadline(Some(Instant::now() + time.saturating_sub(RESERVE)))
    }

    /// Whether work that takes about so long can be done before the end.
    pub fn allows(&self, work: Duration) -> bool {
        self.0.is_none_or(|end| Instant::now() + work < end)
    }

    /// The result of `work`, if it is there before the end. Work that is not is dropped where it
    /// stands: commits are whole or not at all, and delivering the event again does the rest.
    ///
    /// # Errors
    /// [`Error::OutOfTime`], or what the work ends with.
    pub async fn limit<T>(&self, work: impl Future<Output = Result<T>>) -> Result<T> {
        match self.0 {
            None => work.await,
            Some(end) => {
                let limited = tokio::time::timeout_at(end.into(), work).await;
                limited.unwrap_or(Err(Error::OutOfTime))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_ends_before_the_invocation_does() {
        let deadline = Deadline::within(RESERVE + Duration::from_millis(200));
        assert!(deadline.allows(Duration::ZERO) && !deadline.allows(Duration::from_secs(1)));
        assert_eq!(deadline.limit(async { Ok(1) }).await.unwrap(), 1);
        let endless = deadline.limit(std::future::pending::<Result<()>>()).await;
        assert!(matches!(endless, Err(Error::OutOfTime)));
        assert!(Deadline::none().allows(Duration::from_secs(3600)));
    }
}

//! How often and after which pause a commit is tried again (`commit.retry.*` table properties).

use std::time::Duration;

use iceberg::spec::TableMetadata;
use rand::Rng;

use crate::error::Result;

/// Waits that grow, with jitter, so that writers that met once do not meet again.
#[derive(Debug)]
pub(super) struct Backoff {
    attempts: u32,
    retries: u32,
    least: Duration,
    most: Duration,
}

impl Default for Backoff {
    fn default() -> Self {
        Backoff {
            attempts: 0,
            retries: 4,
            least: Duration::from_millis(100),
            most: Duration::from_secs(60),
        }
    }
}

impl Backoff {
    /// Takes the table's own settings.
    pub(super) fn configure(&mut self, metadata: &TableMetadata) -> Result<()> {
        let properties = metadata.table_properties()?;
        self.retries = u32::try_from(properties.commit_num_retries).unwrap_or(u32::MAX);
        self.least = Duration::from_millis(properties.commit_min_retry_wait_ms);
        self.most = Duration::from_millis(properties.commit_max_retry_wait_ms);
        Ok(())
    }

    /// Conflicts met.
    pub(super) fn attempts(&self) -> u32 {
        self.attempts
    }

    /// Whether another conflict is one too many.
    pub(super) fn is_exhausted(&self) -> bool {
        self.attempts >= self.retries
    }

    /// Waits before the next try: between half and the whole of a pause that doubles each time.
    pub(super) async fn wait(&mut self) {
        let pause = self.least.saturating_mul(1 << self.attempts.min(16)).min(self.most);
        self.attempts += 1;
        let jitter = rand::rng().random_range(0.5..=1.0);
        tokio::time::sleep(pause.mul_f64(jitter)).await;
    }
}

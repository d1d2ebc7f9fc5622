//! JSON logs on standard output, as CloudWatch takes them. `RUST_LOG` sets the level.

use tracing_subscriber::EnvFilter;

/// Starts logging. Rows' values are never logged.
pub fn init() {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    tracing_subscriber::fmt().json().with_env_filter(filter).with_current_span(false).init();
}

//! JSON logs on standard output, as CloudWatch takes them, and metrics among them.

mod metrics;

use tracing_subscriber::EnvFilter;

pub use metrics::{NAMESPACE, emit};

/// Starts logging. `RUST_LOG` sets the level, else Lambda's own setting does
/// (`AWS_LAMBDA_LOG_LEVEL`), else it is `info`. Rows' values are never logged.
pub fn init() {
    let variable = |name| std::env::var_os(name)?.into_string().ok();
    let level = variable("RUST_LOG")
        .or_else(|| variable("AWS_LAMBDA_LOG_LEVEL").map(|level| level.to_lowercase()))
        // Lambda's highest level is one that Rust does not have.
        .map(|level| if level == "fatal" { "error".to_owned() } else { level });
    let filter = level.and_then(|level| EnvFilter::try_new(level).ok());
    tracing_subscriber::fmt()
        .json()
        .flatten_event(true)
        .with_current_span(true)
        .with_span_list(false)
        .with_env_filter(filter.unwrap_or_else(|| EnvFilter::new("info")))
        .init();
}

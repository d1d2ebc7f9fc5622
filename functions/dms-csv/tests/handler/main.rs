//! Promises of the handler.
#![allow(clippy::unwrap_used)]

mod files;
mod golden;
mod partial_answers;
#[path = "../../../../shared/tests/promises/support.rs"]
mod support;

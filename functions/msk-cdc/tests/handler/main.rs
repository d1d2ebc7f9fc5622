//! Promises of the handler: on the sample events, on captured streams, on bad input.
#![allow(clippy::unwrap_used)]

mod bad_input;
mod events;
mod golden;
mod partial_answers;
mod streams;
#[path = "../../../../shared/tests/promises/support.rs"]
mod support;

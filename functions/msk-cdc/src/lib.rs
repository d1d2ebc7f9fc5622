//! MSK events -> tables.
//!
//! The handler reads like the flow: event -> records -> changes and rejected -> one batch a table ->
//! applied. A table that fails does not keep the others from their changes, but fails the event, so
//! that it is delivered again; what was applied is then skipped.

mod event;
mod handler;

pub use event::{KafkaEvent, KafkaRecord};
pub use handler::{Failed, Report, handle};

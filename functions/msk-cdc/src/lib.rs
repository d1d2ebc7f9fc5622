//! MSK events -> tables.
//!
//! The handler reads like the flow: event -> records -> changes and rejected -> one batch a table ->
//! applied. A table that fails does not keep the others from their changes, but fails the event, so
//! that it is delivered again; what was applied is then skipped.

mod batches;
mod event;
mod handler;
mod report;

pub use event::{KafkaEvent, KafkaRecord};
pub use handler::handle;
pub use report::{Failed, Item, Report, outcome};

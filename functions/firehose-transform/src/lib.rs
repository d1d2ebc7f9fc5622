//! Records of an Amazon Data Firehose stream -> rows for its Iceberg destination.
//!
//! Firehose writes the table itself; this function decodes what a record says and answers with the
//! row, the table and the operation. Order, exactly-once and kept values are then Firehose's matter,
//! which promises less than `msk-cdc` does.

mod event;
mod handler;
mod response;

pub use event::FirehoseEvent;
pub use handler::{Failed, handle, outcome};
pub use response::Response;

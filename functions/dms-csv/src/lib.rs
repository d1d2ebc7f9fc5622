//! S3 events -> CSV files of AWS DMS -> tables.
//!
//! Events are a trigger, not the data: they come late, twice and in any order. For the folder of
//! each object that an event names, the handler lists what is there and applies every file that the
//! table does not hold yet, full loads first, then changes by name.

mod event;
mod file;
mod folder;
mod handler;
mod report;

pub use event::{Delivery, Named, deliveries};
pub use handler::handle;
pub use report::{Failed, Report, TableReport, outcome};

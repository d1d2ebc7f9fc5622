//! Change events into Apache Iceberg tables, for serverless functions.
//!
//! ```text
//! event ──> decode ──> changes ──> batch (one table, folded to one change per key)
//!                 └─> rejected ──> quarantine
//! batch ──> locate old rows ──> write files ──> commit (rows + deletes + schema + checkpoint)
//! ```
//!
//! The modules below stand in the order in which data flows. `change`, `decode`, `batch` and, within
//! `table`, `value`, `columns`, `schema` and `settle` are functions of values without I/O; only
//! `table` and `catalog` know the Iceberg library.

pub mod config;
pub mod lakehouse;
pub mod route;

pub mod change;
pub mod decode;

pub mod batch;
pub mod counts;
pub mod table;

pub mod catalog;
pub mod objects;
pub mod quarantine;

pub mod aws;
pub mod column_type;
pub mod deadline;
pub mod error;
pub mod function;
pub mod iso8601;
pub mod telemetry;

pub use error::{Error, Result};
pub use lakehouse::Lakehouse;

//! The packaged functions on doubles of AWS and of Kafka: what is deployed does what was tested.
#![allow(clippy::unwrap_used)]

mod answers;
mod cloud;
mod emulation;
#[path = "../../../../shared/tests/aws/needs.rs"]
mod needs;
mod same_rows;
#[path = "../../../../shared/tests/aws/servers.rs"]
mod servers;
mod stream;
#[path = "../../../../shared/tests/promises/support.rs"]
mod support;

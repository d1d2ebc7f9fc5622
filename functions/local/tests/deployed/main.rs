//! The packaged functions on doubles of AWS and of Kafka: what is deployed does what was tested.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

mod answers;
mod cloud;
mod emulation;
mod same_rows;
#[path = "../../../../shared/tests/aws/servers.rs"]
mod servers;
mod stream;
#[path = "../../../../shared/tests/promises/support.rs"]
mod support;

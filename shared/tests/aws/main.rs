//! The AWS parts against real servers: Glue, S3 and S3 Tables doubles, started and stopped here.
#![allow(clippy::unwrap_used)]

mod glue;
mod needs;
mod objects;
mod proxy;
mod s3_tables;
mod servers;
mod several;
#[path = "../promises/support.rs"]
mod support;

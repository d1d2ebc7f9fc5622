//! Promises of the crate as a whole, on tables that are written and read back.
#![allow(clippy::unwrap_used)]

mod crash;
mod faults;
mod laws;
mod lookup;
mod race;
mod support;
mod tables;

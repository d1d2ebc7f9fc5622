//! What the Terraform of `infra/` makes: a document that the functions read, a plan that holds everything,
//! a lakehouse that works.
#![allow(clippy::unwrap_used)]

mod applied;
#[path = "../../../../shared/tests/aws/needs.rs"]
mod needs;
mod plans;
mod refined;
#[path = "../../../../shared/tests/aws/servers.rs"]
mod servers;
#[path = "../../../../shared/tests/promises/support.rs"]
mod support;
mod terraform;

//! What a test needs besides Cargo, and may not find: then it is skipped, aloud.
#![allow(dead_code, unreachable_pub)]

use std::io::Write;
use std::path::PathBuf;

/// A program of the services that `make test` installs.
pub fn program(name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("SERVICES_BIN").map(PathBuf::from);
    let program = folder.map(|folder| folder.join(name)).filter(|program| program.exists());
    found(program, || format!("SERVICES_BIN names no folder with {name}"))
}

/// The Python of the second readers, PyIceberg and DuckDB.
pub fn python() -> Option<PathBuf> {
    let python = std::env::var_os("READERS_PYTHON").map(PathBuf::from);
    found(python, || "READERS_PYTHON names no Python with PyIceberg and DuckDB".to_owned())
}

/// The zip of a function.
pub fn package(function: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("PACKAGES").map(PathBuf::from);
    let package = folder.map(|folder| folder.join(function).join("bootstrap.zip"));
    let package = package.filter(|package| package.exists());
    found(package, || format!("PACKAGES names no folder with a package of {function}"))
}

/// The folder of all packages, which are built together.
pub fn packages() -> Option<PathBuf> {
    package("msk-cdc")?.ancestors().nth(2).map(PathBuf::from)
}

/// Terraform, from the search path.
pub fn terraform() -> Option<PathBuf> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let mut programs = std::env::split_paths(&folders).map(|folder| folder.join("terraform"));
    found(programs.find(|program| program.exists()), || "there is no terraform".to_owned())
}

fn found(path: Option<PathBuf>, fault: impl Fn() -> String) -> Option<PathBuf> {
    if path.is_none() {
        let test = std::thread::current().name().unwrap_or_default().to_owned();
        // Not by `println!`, which the test harness keeps to itself where a test passes.
        let _ = writeln!(std::io::stderr(), "skipped {test}: {} (see Makefile)", fault());
    }
    path
}

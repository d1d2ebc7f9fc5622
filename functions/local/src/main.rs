//! The lakehouse on one machine: the same handlers, an embedded catalog, no AWS account.
//!
//! Without a command it replays every sample event and prints what each did, and the tables.

mod invoke;
mod poll;
mod print;
mod replay;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use poll::Poll;
use shared::aws::Aws;
use shared::catalog::{self, Catalog, TableName};
use shared::config::{CatalogConfig, Config, Place};
use shared::table::scan;
use shared::{Error, Lakehouse, Result};

/// The lakehouse on one machine. Without a command: replay every sample event.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    /// The config document: a path or s3://bucket/key.
    #[arg(long, global = true, default_value = "events/lakehouse.json")]
    config: Place,
    /// One JSON object a line, for programs.
    #[arg(long, global = true)]
    json: bool,
    /// The catalog to look in, where the config document names several; else the first.
    #[arg(long, global = true)]
    catalog: Option<String>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Send events through the handlers; the shape of an event says which.
    Invoke {
        /// Event files, in order.
        #[arg(required = true)]
        events: Vec<PathBuf>,
    },
    /// Read a Kafka topic and send it through the handler, or to a function, as MSK events.
    Poll(Poll),
    /// Print the rows of a table.
    Show {
        /// `namespace.name`.
        table: TableName,
        /// Also columns of ours, such as `_cdc_version`.
        #[arg(long)]
        metadata_columns: bool,
    },
    /// List the tables.
    Tables,
    /// Delete the catalog, the tables and the quarantine.
    Clean,
}

#[tokio::main]
async fn main() -> ExitCode {
    let arguments = Arguments::parse();
    init_logs();
    match run(arguments).await {
        Ok(code) => code,
        Err(error) => {
            print::error(&error);
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: Arguments) -> Result<ExitCode> {
    let aws = Aws::default();
    let config = Config::read(&arguments.config, &aws).await?;
    if let Some(Command::Clean) = arguments.command {
        return clean(&config).map(|()| ExitCode::SUCCESS);
    }
    let lakehouse = Lakehouse::connect(config, &aws).await?;
    let catalog = match &arguments.catalog {
        Some(name) => lakehouse.catalog_named(name)?,
        None => lakehouse.catalog(),
    };
    match arguments.command {
        None => replay::samples(&lakehouse, &arguments.config, arguments.json).await,
        Some(Command::Invoke { events }) => invoke::all(&lakehouse, &events, arguments.json).await,
        Some(Command::Poll(options)) => {
            poll::poll(&options, &lakehouse, arguments.json).await.map(|()| ExitCode::SUCCESS)
        }
        Some(Command::Show { table, metadata_columns }) => {
            show(catalog, &table, metadata_columns, arguments.json).await
        }
        Some(Command::Tables) => tables(catalog, arguments.json).await,
        Some(Command::Clean) => Ok(ExitCode::SUCCESS),
    }
}

async fn show(
    catalog: &dyn Catalog,
    name: &TableName,
    metadata_columns: bool,
    json: bool,
) -> Result<ExitCode> {
    let loaded = catalog::load(catalog, name).await?;
    let loaded =
        loaded.ok_or_else(|| Error::table(name, "is not there; `local tables` lists what is"))?;
    let rows = scan(catalog, &loaded).await?;
    let rows = print::sorted(&rows, &print::key_of(&loaded), metadata_columns)?;
    match json {
        true => print::rows_as_json(&rows)?,
        false => print::rows(&rows, usize::MAX)?,
    }
    Ok(ExitCode::SUCCESS)
}

async fn tables(catalog: &dyn Catalog, json: bool) -> Result<ExitCode> {
    for name in catalog.tables().await? {
        if let Some(loaded) = catalog::load(catalog, &name).await? {
            print::table_line(&loaded, json);
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Deletes what runs left behind on this machine, and nothing else.
fn clean(config: &Config) -> Result<()> {
    let remove = |path: &Path| {
        let removed = match path.is_dir() {
            true => std::fs::remove_dir_all(path),
            false => std::fs::remove_file(path),
        };
        match removed {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(Error::io(path.display())(error))
            }
            _ => Ok(()),
        }
    };
    for catalog in config.catalogs() {
        if let CatalogConfig::Sqlite { path, warehouse, .. } = catalog {
            remove(path)?;
            remove(warehouse)?;
        }
    }
    if let Place::Path(folder) = &config.quarantine {
        remove(folder)?;
    }
    Ok(())
}

/// Logs go to standard error, from `RUST_LOG` on; by default only what goes wrong.
fn init_logs() {
    let filter = tracing_subscriber::EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("error"));
    tracing_subscriber::fmt().with_writer(std::io::stderr).with_env_filter(filter).init();
}

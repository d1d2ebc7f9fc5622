//! The main job on the samples: every event, then every table.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use shared::config::Place;
use shared::table::scan;
use shared::{Error, Lakehouse, Result, catalog};

use crate::{invoke, print};

/// Rows printed of a table.
const ROWS: usize = 12;

/// Replays the events beside the config document, then prints the tables.
pub(crate) async fn samples(lakehouse: &Lakehouse, config: &Place, json: bool) -> Result<ExitCode> {
    let Place::Path(config) = config else {
        return Err(Error::config("--config", "is a path, where the sample events lie beside it"));
    };
    let folder = config.parent().unwrap_or(Path::new("."));
    let mut events: Vec<PathBuf> = Vec::new();
    for function in ["msk-cdc", "dms-csv"] {
        events.extend(invoke::events_in(&folder.join(function))?);
    }
    let code = invoke::all(lakehouse, &events, json).await?;
    for name in lakehouse.catalog().tables().await? {
        let Some(loaded) = catalog::load(lakehouse.catalog(), &name).await? else {
            continue;
        };
        if !json {
            print::gap();
        }
        print::table_line(&loaded, json);
        if !json {
            let rows = scan(lakehouse.catalog(), &loaded).await?;
            let rows = print::sorted(&rows, &print::key_of(&loaded), false)?;
            print::rows(&rows, ROWS)?;
        }
    }
    if !json {
        print::quarantine(&lakehouse.quarantine);
    }
    Ok(code)
}

//! The main job on the samples: every event, then every table.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use shared::table::scan;
use shared::{Lakehouse, Result, catalog};

use crate::{invoke, print};

/// Rows printed of a table.
const ROWS: usize = 12;

/// Replays the events beside the config document, then prints the tables.
pub(crate) async fn samples(lakehouse: &Lakehouse, config: &Path, json: bool) -> Result<ExitCode> {
    let folder = config.parent().unwrap_or(Path::new("."));
    let mut events: Vec<PathBuf> = Vec::new();
    for function in ["msk-cdc", "dms-csv"] {
        events.extend(invoke::events_in(&folder.join(function))?);
    }
    let code = invoke::all(lakehouse, &events, json).await?;
    for name in lakehouse.catalog.tables().await? {
        let Some(loaded) = catalog::load(lakehouse.catalog.as_ref(), &name).await? else {
            continue;
        };
        if !json {
            print::gap();
        }
        print::table_line(&loaded, json);
        if !json {
            let rows = scan(lakehouse.catalog.as_ref(), &loaded).await?;
            let rows = print::sorted(&rows, &print::key_of(&loaded), false)?;
            print::rows(&rows, ROWS)?;
        }
    }
    if !json {
        print::quarantine(&lakehouse.quarantine);
    }
    Ok(code)
}

//! Everything that outlives an event: the configuration, the clients, the caches. Made once, at cold
//! start.

use std::sync::Arc;

use crate::catalog::{self, Catalog};
use crate::config::{Config, TableConfig};
use crate::error::Result;
use crate::objects::Objects;
use crate::quarantine::Quarantine;
use crate::table::{Cache, Table};

/// The lakehouse that handlers write to.
#[derive(Debug)]
pub struct Lakehouse {
    /// The configuration.
    pub config: Config,
    /// The tables' pointers.
    pub catalog: Arc<dyn Catalog>,
    /// Raw files, where the configuration names a place for them.
    pub objects: Option<Objects>,
    /// Rejected records.
    pub quarantine: Quarantine,
    cache: Cache,
}

impl Lakehouse {
    /// Connects to what the configuration names.
    ///
    /// # Errors
    /// Where the catalog cannot be opened.
    pub async fn connect(config: Config) -> Result<Self> {
        let catalog = catalog::connect(&config.catalog).await?;
        Ok(Lakehouse::with_catalog(config, catalog))
    }

    /// The same with another catalog than the configuration's, for tests that make it fail.
    pub fn with_catalog(config: Config, catalog: Arc<dyn Catalog>) -> Self {
        let objects = config.objects.as_ref().map(Objects::new);
        let quarantine = Quarantine::new(config.quarantine.clone());
        Lakehouse { config, catalog, objects, quarantine, cache: Cache::default() }
    }

    /// A table that takes changes.
    pub fn table<'l>(&'l self, config: &'l TableConfig) -> Table<'l> {
        Table {
            config,
            catalog: self.catalog.as_ref(),
            quarantine: &self.quarantine,
            cache: &self.cache,
        }
    }
}

//! Everything that outlives an event: the configuration, the clients, the caches. Made once, at cold
//! start.

use std::sync::Arc;

use futures::future::try_join_all;

use crate::aws::Aws;
use crate::catalog::{self, Catalog};
use crate::config::{Config, TableConfig};
use crate::error::{Error, Result};
use crate::objects::Objects;
use crate::quarantine::Quarantine;
use crate::table::{Cache, Table};

/// Tables that take their changes at the same time: they wait for storage, not for one another.
pub const TABLES_AT_ONCE: usize = 8;

/// The lakehouse that handlers write to.
#[derive(Debug)]
pub struct Lakehouse {
    /// The configuration.
    pub config: Config,
    /// The tables' pointers, in the order of the configuration. There is at least one catalog.
    pub catalogs: Vec<NamedCatalog>,
    /// Raw files, where the configuration names a place for them.
    pub objects: Option<Objects>,
    /// Rejected records.
    pub quarantine: Quarantine,
    cache: Cache,
}

/// A catalog under the name that the configuration gives it.
#[derive(Debug, Clone)]
pub struct NamedCatalog {
    /// The name.
    pub name: String,
    /// The catalog.
    pub catalog: Arc<dyn Catalog>,
}

impl Lakehouse {
    /// Connects to what the configuration names.
    ///
    /// # Errors
    /// Where a catalog cannot be opened.
    pub async fn connect(config: Config, aws: &Aws) -> Result<Self> {
        let opened = config.catalogs().map(|own| async {
            let catalog = catalog::connect(own, aws).await?;
            Ok::<_, Error>(NamedCatalog { name: own.name().to_owned(), catalog })
        });
        let catalogs = try_join_all(opened).await?;
        Ok(Lakehouse::with_catalogs(config, catalogs, aws).await)
    }

    /// The same with other catalogs than the configuration's, for tests that make them fail.
    pub async fn with_catalogs(config: Config, catalogs: Vec<NamedCatalog>, aws: &Aws) -> Self {
        let objects = match &config.objects {
            None => None,
            Some(own) => Some(Objects::connect(own, aws).await),
        };
        let quarantine = Quarantine::connect(config.quarantine.clone(), aws).await;
        Lakehouse { config, catalogs, objects, quarantine, cache: Cache::default() }
    }

    /// The first catalog: where one looks who does not say in which.
    pub fn catalog(&self) -> &dyn Catalog {
        self.catalogs[0].catalog.as_ref()
    }

    /// The catalog of that name.
    ///
    /// # Errors
    /// [`Error::Config`] where there is none.
    pub fn catalog_named(&self, name: &str) -> Result<&dyn Catalog> {
        let found = self.catalogs.iter().find(|own| own.name == name);
        found.map(|own| own.catalog.as_ref()).ok_or_else(|| {
            let known: Vec<_> = self.catalogs.iter().map(|own| own.name.as_str()).collect();
            Error::config("catalogs", format!("\"{name}\" is none of {}", known.join(", ")))
        })
    }

    /// A table that takes changes, in each of its catalogs.
    pub fn tables<'l>(&'l self, config: &'l TableConfig) -> impl Iterator<Item = Table<'l>> {
        let several = self.catalogs.len() > 1;
        let own = move |name: &String| config.catalogs.is_empty() || config.catalogs.contains(name);
        self.catalogs.iter().filter(move |catalog| own(&catalog.name)).map(move |catalog| Table {
            config,
            catalog: catalog.catalog.as_ref(),
            label: match several {
                true => format!("{}/{}", catalog.name, config.table).into(),
                false => config.table.as_str().into(),
            },
            quarantine: &self.quarantine,
            cache: &self.cache,
        })
    }
}

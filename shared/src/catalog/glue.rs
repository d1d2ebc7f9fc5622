//! The AWS Glue Data Catalog: a table's pointer is its parameter `metadata_location`.
//!
//! A commit is one UpdateTable with the VersionId that the table was read with. What others keep in
//! the entry (parameters, comments, owner, description) stays as it was. The columns are shown for
//! people and for tools that do not read Iceberg's metadata; engines do.

mod columns;

use std::collections::HashMap;

use async_trait::async_trait;
use aws_sdk_glue::Client;
use aws_sdk_glue::error::ProvideErrorMetadata;
use aws_sdk_glue::types::{DatabaseInput, StorageDescriptor, Table, TableInput};
use iceberg::io::FileIO;
use iceberg::spec::TableMetadata;

use super::{Catalog, Pointer, SwapError, TableName, Token, swap};
use crate::error::{Error, Result};

const METADATA_LOCATION: &str = "metadata_location";
const PREVIOUS_METADATA_LOCATION: &str = "previous_metadata_location";
const TABLE_TYPE: &str = "table_type";
/// Athena asks for this type; Iceberg's own catalog writes it in upper case.
const ICEBERG: &str = "ICEBERG";
const EXTERNAL_TABLE: &str = "EXTERNAL_TABLE";
const NOT_FOUND: &str = "EntityNotFoundException";
const EXISTS: &str = "AlreadyExistsException";

/// A catalog in Glue.
#[derive(Debug)]
pub struct GlueCatalog {
    client: Client,
    file_io: FileIO,
    catalog_id: Option<String>,
    warehouse: String,
}

impl GlueCatalog {
    /// Tables of databases without a location go below `warehouse`.
    pub fn new(
        client: Client,
        file_io: FileIO,
        catalog_id: Option<String>,
        warehouse: &str,
    ) -> Self {
        let warehouse = warehouse.trim_end_matches('/').to_owned();
        GlueCatalog { client, file_io, catalog_id, warehouse }
    }

    async fn table(&self, name: &TableName) -> Result<Option<Table>> {
        let request = self.client.get_table().set_catalog_id(self.catalog_id.clone());
        let request = request.database_name(&name.namespace).name(&name.name);
        match request.send().await {
            Ok(answer) => Ok(answer.table),
            Err(error) if error.code() == Some(NOT_FOUND) => Ok(None),
            Err(error) => Err(Error::aws("glue:GetTable")(error)),
        }
    }

    async fn tables_of(&self, namespace: &str) -> Result<Vec<TableName>> {
        let request = self.client.get_tables().set_catalog_id(self.catalog_id.clone());
        let mut tables = request.database_name(namespace).into_paginator().send();
        let mut names = Vec::new();
        while let Some(page) = tables.next().await {
            let page = page.map_err(Error::aws("glue:GetTables"))?;
            for table in page.table_list() {
                if table.parameters().is_some_and(|own| own.contains_key(METADATA_LOCATION)) {
                    let (namespace, name) = (namespace.to_owned(), table.name().to_owned());
                    names.push(TableName { namespace, name });
                }
            }
        }
        Ok(names)
    }

    async fn create_database(&self, name: &str) -> Result<()> {
        let input = DatabaseInput::builder().name(name).build();
        let input = input.map_err(|error| Error::table(name, error.to_string()))?;
        let request = self.client.create_database().set_catalog_id(self.catalog_id.clone());
        match request.database_input(input).send().await {
            Ok(_) => Ok(()),
            Err(error) if error.code() == Some(EXISTS) => Ok(()),
            Err(error) => Err(Error::aws("glue:CreateDatabase")(error)),
        }
    }
}

#[async_trait]
impl Catalog for GlueCatalog {
    async fn pointer(&self, name: &TableName) -> Result<Option<Pointer>> {
        let Some(table) = self.table(name).await? else { return Ok(None) };
        let parameter = |key: &str| table.parameters().and_then(|parameters| parameters.get(key));
        let is_iceberg = parameter(TABLE_TYPE).is_some_and(|own| own.eq_ignore_ascii_case(ICEBERG));
        match parameter(METADATA_LOCATION) {
            Some(location) if is_iceberg => Ok(Some(Pointer {
                metadata_location: location.clone(),
                token: Token::Glue(Box::new(table)),
            })),
            _ => {
                let fault = "is in the Glue catalog and is no Iceberg table: drop it there, or \
                             give `table` another name";
                Err(Error::table(name, fault))
            }
        }
    }

    async fn location(&self, name: &TableName) -> Result<String> {
        let request = self.client.get_database().set_catalog_id(self.catalog_id.clone());
        let database = match request.name(&name.namespace).send().await {
            Ok(answer) => answer.database,
            Err(error) if error.code() == Some(NOT_FOUND) => {
                self.create_database(&name.namespace).await?;
                None
            }
            Err(error) => return Err(Error::aws("glue:GetDatabase")(error)),
        };
        let own = database.and_then(|database| database.location_uri);
        Ok(match own.filter(|location| !location.is_empty()) {
            Some(location) => format!("{}/{}", location.trim_end_matches('/'), name.name),
            None => format!("{}/{}/{}", self.warehouse, name.namespace, name.name),
        })
    }

    async fn create(
        &self,
        name: &TableName,
        metadata_location: &str,
        metadata: &TableMetadata,
    ) -> Result<(), SwapError> {
        let input = new_entry(name, metadata_location, metadata).map_err(SwapError::Failed)?;
        let send = || {
            let request = self.client.create_table().set_catalog_id(self.catalog_id.clone());
            let request = request.database_name(&name.namespace).table_input(input.clone());
            request.customize().config_override(once()).send()
        };
        swap::send("glue:CreateTable", send).await.map(drop)
    }

    async fn swap(
        &self,
        name: &TableName,
        base: &Pointer,
        metadata_location: &str,
        metadata: &TableMetadata,
    ) -> Result<(), SwapError> {
        let Token::Glue(table) = &base.token else {
            let fault = "was not loaded from the Glue catalog";
            return Err(SwapError::Failed(Error::table(name, fault)));
        };
        let input = updated_entry(table, metadata_location, metadata).map_err(SwapError::Failed)?;
        let send = || {
            let request = self.client.update_table().set_catalog_id(self.catalog_id.clone());
            let request = request
                .database_name(&name.namespace)
                .table_input(input.clone())
                .set_version_id(table.version_id.clone())
                // Every commit would else leave a version behind, of which there may be few.
                .skip_archive(true);
            request.customize().config_override(once()).send()
        };
        swap::send("glue:UpdateTable", send).await.map(drop)
    }

    async fn tables(&self) -> Result<Vec<TableName>> {
        let request = self.client.get_databases().set_catalog_id(self.catalog_id.clone());
        let mut databases = request.into_paginator().send();
        let mut names = Vec::new();
        while let Some(page) = databases.next().await {
            let page = page.map_err(Error::aws("glue:GetDatabases"))?;
            for database in page.database_list() {
                names.extend(self.tables_of(database.name()).await?);
            }
        }
        names.sort();
        Ok(names)
    }

    fn file_io(&self) -> &FileIO {
        &self.file_io
    }
}

fn once() -> aws_sdk_glue::config::Builder {
    aws_sdk_glue::config::Builder::new().retry_config(swap::once())
}

/// The entry of a new table.
fn new_entry(name: &TableName, location: &str, metadata: &TableMetadata) -> Result<TableInput> {
    let descriptor = StorageDescriptor::builder()
        .location(metadata.location())
        .set_columns(Some(columns::of(metadata.current_schema(), &[])?))
        .build();
    TableInput::builder()
        .name(&name.name)
        .table_type(EXTERNAL_TABLE)
        .storage_descriptor(descriptor)
        .parameters(TABLE_TYPE, ICEBERG)
        .parameters(METADATA_LOCATION, location)
        .build()
        .map_err(|error| Error::table(name, error.to_string()))
}

/// The entry of a table with another pointer and the columns of its new metadata; all else as it is.
fn updated_entry(table: &Table, location: &str, metadata: &TableMetadata) -> Result<TableInput> {
    let mut parameters: HashMap<String, String> = table.parameters.clone().unwrap_or_default();
    let previous = parameters.insert(METADATA_LOCATION.to_owned(), location.to_owned());
    parameters.extend(previous.map(|previous| (PREVIOUS_METADATA_LOCATION.to_owned(), previous)));
    parameters.insert(TABLE_TYPE.to_owned(), ICEBERG.to_owned());
    let mut descriptor = table
        .storage_descriptor
        .clone()
        .unwrap_or_else(|| StorageDescriptor::builder().location(metadata.location()).build());
    let before = descriptor.columns.unwrap_or_default();
    descriptor.columns = Some(columns::of(metadata.current_schema(), &before)?);
    TableInput::builder()
        .name(table.name())
        .set_description(table.description.clone())
        .set_owner(table.owner.clone())
        .set_last_access_time(table.last_access_time)
        .set_last_analyzed_time(table.last_analyzed_time)
        .retention(table.retention())
        .storage_descriptor(descriptor)
        .set_partition_keys(table.partition_keys.clone())
        .set_view_original_text(table.view_original_text.clone())
        .set_view_expanded_text(table.view_expanded_text.clone())
        .table_type(EXTERNAL_TABLE)
        .set_parameters(Some(parameters))
        .set_target_table(table.target_table.clone())
        .build()
        .map_err(|error| Error::table(table.name(), error.to_string()))
}

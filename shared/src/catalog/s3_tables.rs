//! Amazon S3 Tables: each table has a place of its own in a table bucket, and a version token.
//!
//! The bucket keeps its tables in order by itself: compaction, snapshot expiry and the removal of
//! files that nobody refers to are its work, and it lets nobody else delete objects.

use async_trait::async_trait;
use aws_sdk_s3tables::Client;
use aws_sdk_s3tables::error::ProvideErrorMetadata;
use aws_sdk_s3tables::operation::get_table_metadata_location::GetTableMetadataLocationOutput;
use aws_sdk_s3tables::types::OpenTableFormat;
use iceberg::io::FileIO;
use iceberg::spec::TableMetadata;

use super::{Catalog, Pointer, SwapError, TableName, Token, swap};
use crate::error::{Error, Result};

const NOT_FOUND: &str = "NotFoundException";
/// Answered where what is to be made is there already.
const EXISTS: &str = "ConflictException";

/// The catalog of a table bucket.
#[derive(Debug)]
pub struct S3TablesCatalog {
    client: Client,
    file_io: FileIO,
    /// ARN.
    bucket: String,
}

impl S3TablesCatalog {
    /// The table bucket is named by its ARN.
    pub fn new(client: Client, file_io: FileIO, bucket: String) -> Self {
        S3TablesCatalog { client, file_io, bucket }
    }

    async fn state(&self, name: &TableName) -> Result<Option<GetTableMetadataLocationOutput>> {
        let request = self.client.get_table_metadata_location().table_bucket_arn(&self.bucket);
        match request.namespace(&name.namespace).name(&name.name).send().await {
            Ok(state) => Ok(Some(state)),
            Err(error) if error.code() == Some(NOT_FOUND) => Ok(None),
            Err(error) => Err(Error::aws("s3tables:GetTableMetadataLocation")(error)),
        }
    }

    async fn create_namespace(&self, name: &str) -> Result<()> {
        let request = self.client.create_namespace().table_bucket_arn(&self.bucket);
        match request.namespace(name).send().await {
            Ok(_) => Ok(()),
            Err(error) if error.code() == Some(EXISTS) => Ok(()),
            Err(error) => Err(Error::aws("s3tables:CreateNamespace")(error)),
        }
    }

    /// Makes the table, which then has a place and no metadata.
    async fn create_table(&self, name: &TableName) -> Result<()> {
        let request = self.client.create_table().table_bucket_arn(&self.bucket);
        let request = request.namespace(&name.namespace).name(&name.name);
        match request.format(OpenTableFormat::Iceberg).send().await {
            Ok(_) => Ok(()),
            Err(error) if error.code() == Some(EXISTS) => Ok(()),
            Err(error) => Err(Error::aws("s3tables:CreateTable")(error)),
        }
    }

    async fn update(
        &self,
        name: &TableName,
        token: &str,
        metadata_location: &str,
    ) -> Result<(), SwapError> {
        let send = || {
            let request = self.client.update_table_metadata_location();
            let request = request
                .table_bucket_arn(&self.bucket)
                .namespace(&name.namespace)
                .name(&name.name)
                .version_token(token)
                .metadata_location(metadata_location);
            let config = aws_sdk_s3tables::config::Builder::new().retry_config(swap::once());
            request.customize().config_override(config).send()
        };
        swap::send("s3tables:UpdateTableMetadataLocation", send).await.map(drop)
    }
}

#[async_trait]
impl Catalog for S3TablesCatalog {
    async fn pointer(&self, name: &TableName) -> Result<Option<Pointer>> {
        let Some(state) = self.state(name).await? else { return Ok(None) };
        // A table that nobody has written to yet has a token and no metadata.
        Ok(state.metadata_location.map(|metadata_location| Pointer {
            metadata_location,
            token: Token::S3Tables(state.version_token),
        }))
    }

    async fn location(&self, name: &TableName) -> Result<String> {
        let state = match self.state(name).await? {
            Some(state) => state,
            None => {
                self.create_namespace(&name.namespace).await?;
                self.create_table(name).await?;
                let state = self.state(name).await?;
                state.ok_or_else(|| Error::table(name, "was created and is gone again"))?
            }
        };
        Ok(state.warehouse_location.trim_end_matches('/').to_owned())
    }

    async fn create(
        &self,
        name: &TableName,
        metadata_location: &str,
        _metadata: &TableMetadata,
    ) -> Result<(), SwapError> {
        match self.state(name).await.map_err(SwapError::Failed)? {
            Some(state) if state.metadata_location.is_some() => Err(SwapError::Conflict),
            Some(state) => self.update(name, &state.version_token, metadata_location).await,
            None => {
                let fault = "was dropped while it was created";
                Err(SwapError::Failed(Error::table(name, fault)))
            }
        }
    }

    async fn swap(
        &self,
        name: &TableName,
        base: &Pointer,
        metadata_location: &str,
        _metadata: &TableMetadata,
    ) -> Result<(), SwapError> {
        match &base.token {
            Token::S3Tables(token) => self.update(name, token, metadata_location).await,
            _ => {
                let fault = "was not loaded from S3 Tables";
                Err(SwapError::Failed(Error::table(name, fault)))
            }
        }
    }

    async fn tables(&self) -> Result<Vec<TableName>> {
        let request = self.client.list_tables().table_bucket_arn(&self.bucket);
        let mut listed = request.into_paginator().items().send();
        let mut names = Vec::new();
        while let Some(table) = listed.next().await {
            let table = table.map_err(Error::aws("s3tables:ListTables"))?;
            if let [namespace] = table.namespace() {
                names.push(TableName { namespace: namespace.clone(), name: table.name });
            }
        }
        names.sort();
        Ok(names)
    }

    fn file_io(&self) -> &FileIO {
        &self.file_io
    }

    fn may_delete_files(&self) -> bool {
        false
    }
}

//! The way to AWS: one configuration and one set of credentials, for the SDK's clients and for the
//! files of tables.
//!
//! Region, credentials and endpoints come from the environment, as every AWS tool reads them
//! (`AWS_REGION`, `AWS_ENDPOINT_URL`, …). Nothing of it is loaded before something needs it.

use std::sync::Arc;
use std::time::Duration;

use aws_config::retry::RetryConfig;
use aws_config::timeout::TimeoutConfig;
use aws_config::{BehaviorVersion, SdkConfig};
use aws_credential_types::provider::{ProvideCredentials, SharedCredentialsProvider};
use aws_sdk_s3::error::{ProvideErrorMetadata, SdkError};
use iceberg::io::{FileIO, FileIOBuilder, S3_ENDPOINT, S3_PATH_STYLE_ACCESS, S3_REGION};
use iceberg_storage_opendal::{CustomAwsCredentialLoader, OpenDalStorageFactory};
use reqsign_aws_v4::Credential;
use reqsign_core::{Context, ProvideCredential};
use tokio::sync::OnceCell;

use crate::error::{Error, Result};

/// Tries of a call that may be repeated. The SDK waits between them, longer each time, with jitter.
const ATTEMPTS: u32 = 5;

/// The way to AWS. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct Aws {
    sdk: Arc<OnceCell<SdkConfig>>,
}

impl Aws {
    /// A way that is known already.
    pub fn new(sdk: SdkConfig) -> Self {
        Aws { sdk: Arc::new(OnceCell::new_with(Some(sdk))) }
    }

    async fn sdk(&self) -> &SdkConfig {
        let load = || async {
            aws_config::defaults(BehaviorVersion::latest())
                .retry_config(RetryConfig::standard().with_max_attempts(ATTEMPTS))
                .timeout_config(
                    TimeoutConfig::builder()
                        .connect_timeout(Duration::from_secs(3))
                        .read_timeout(Duration::from_secs(30))
                        .build(),
                )
                .load()
                .await
        };
        self.sdk.get_or_init(load).await
    }

    /// A client of S3. A custom endpoint is addressed by path: it has no host name for each bucket.
    pub async fn s3(&self) -> aws_sdk_s3::Client {
        let sdk = self.sdk().await;
        let config = aws_sdk_s3::config::Builder::from(sdk)
            .force_path_style(sdk.endpoint_url().is_some())
            .build();
        aws_sdk_s3::Client::from_conf(config)
    }

    /// A client of the Glue Data Catalog.
    pub async fn glue(&self) -> aws_sdk_glue::Client {
        aws_sdk_glue::Client::new(self.sdk().await)
    }

    /// A client of S3 Tables.
    pub async fn s3_tables(&self) -> aws_sdk_s3tables::Client {
        aws_sdk_s3tables::Client::new(self.sdk().await)
    }

    /// Files of tables in S3.
    ///
    /// # Errors
    /// [`Error::Config`] where the environment names no region or no credentials.
    pub async fn file_io(&self) -> Result<FileIO> {
        let sdk = self.sdk().await;
        let region = sdk.region().ok_or_else(|| {
            Error::config("AWS_REGION", "is not set: it is the region of the tables' files")
        })?;
        let credentials = sdk.credentials_provider().ok_or_else(|| {
            Error::config("AWS credentials", "are not set: a role, a profile or AWS_ACCESS_KEY_ID")
        })?;
        let loader = CustomAwsCredentialLoader::new(SdkCredentials(credentials));
        let factory = OpenDalStorageFactory::S3 { customized_credential_load: Some(loader) };
        let mut builder = FileIOBuilder::new(Arc::new(factory)).with_prop(S3_REGION, region);
        if let Some(endpoint) = sdk.endpoint_url() {
            builder =
                builder.with_prop(S3_ENDPOINT, endpoint).with_prop(S3_PATH_STYLE_ACCESS, "true");
        }
        Ok(builder.build())
    }
}

/// The SDK's credentials, which it renews before they expire, for OpenDAL.
#[derive(Debug)]
struct SdkCredentials(SharedCredentialsProvider);

impl ProvideCredential for SdkCredentials {
    type Credential = Credential;

    async fn provide_credential(&self, _: &Context) -> reqsign_core::Result<Option<Credential>> {
        let credentials = self.0.provide_credentials().await;
        let credentials = credentials
            .map_err(|error| reqsign_core::Error::credential_invalid(error.to_string()))?;
        Ok(Some(Credential {
            access_key_id: credentials.access_key_id().to_owned(),
            secret_access_key: credentials.secret_access_key().to_owned(),
            session_token: credentials.session_token().map(str::to_owned),
            // The SDK's provider is asked again for every file and knows when to renew.
            expires_in: None,
        }))
    }
}

impl Error {
    /// A failed call of AWS, by the IAM action that allows it.
    pub(crate) fn aws<E, R>(call: &'static str) -> impl FnOnce(SdkError<E, R>) -> Self
    where
        E: ProvideErrorMetadata + std::error::Error + 'static,
        R: std::fmt::Debug + 'static,
    {
        move |error| {
            let cause = match (error.code(), error.message()) {
                (Some(code), Some(message)) => format!("{code}: {message}"),
                (Some(code), None) => code.to_owned(),
                (None, _) => causes(&error),
            };
            Error::Aws { call, cause }
        }
    }
}

/// An error and what caused it, in one line.
fn causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

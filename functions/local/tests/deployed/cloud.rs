//! A double of AWS with a lake in it, and the packaged functions deployed there.

use std::path::PathBuf;
use std::sync::Arc;

use aws_sdk_lambda::primitives::Blob;
use aws_sdk_lambda::types::{Environment, FunctionCode, Runtime};
use serde_json::{Value, json};
use shared::Lakehouse;
use shared::config::Config;

use crate::needs::package;
use crate::servers::{Server, ministack, sdk_config};

/// A lake in a bucket of its own.
pub(crate) struct Cloud {
    pub(crate) server: Arc<Server>,
    pub(crate) bucket: String,
    document: Value,
    lambda: aws_sdk_lambda::Client,
}

/// What Lambda says of an invocation.
#[derive(Debug, PartialEq)]
pub(crate) enum Invoked {
    Answer(Value),
    FunctionError(Value),
}

pub(crate) fn events() -> PathBuf {
    std::env::current_dir().unwrap().join("../../events")
}

impl Cloud {
    /// A lake with tables in Glue. Databases are named for its bucket, so that lakes do not meet.
    pub(crate) async fn new(sources: Value, tables: Value) -> Option<Cloud> {
        let server = ministack()?;
        let bucket = server.bucket().await;
        let document = json!({
            "catalog": {"type": "glue", "warehouse": format!("s3://{bucket}/warehouse")},
            "objects": {"type": "s3"},
            "quarantine": format!("s3://{bucket}/quarantine"),
            "sources": sources,
            "tables": tables,
        });
        let document = document.to_string().replace("BUCKET", &bucket);
        let s3 = server.aws().s3().await;
        let request = s3.put_object().bucket(&bucket).key("config.json");
        request.body(document.clone().into_bytes().into()).send().await.unwrap();
        let lambda = aws_sdk_lambda::Client::new(&sdk_config(&server.endpoint));
        let document = serde_json::from_str(&document).unwrap();
        Some(Cloud { server, bucket, document, lambda })
    }

    /// Deploys a function and returns its name.
    pub(crate) async fn deploy(&self, function: &str) -> Option<String> {
        let code = std::fs::read(package(function)?).unwrap();
        let name = format!("{}-{function}", self.bucket);
        let environment = Environment::builder()
            .variables("LAKEHOUSE_CONFIG", format!("s3://{}/config.json", self.bucket))
            .variables("AWS_ENDPOINT_URL", &self.server.endpoint);
        self.lambda
            .create_function()
            .function_name(&name)
            .runtime(Runtime::Providedal2023)
            .handler("bootstrap")
            .role("arn:aws:iam::000000000000:role/function")
            .code(FunctionCode::builder().zip_file(Blob::new(code)).build())
            .environment(environment.build())
            .timeout(60)
            .memory_size(1024)
            .send()
            .await
            .unwrap();
        Some(name)
    }

    pub(crate) async fn invoke(&self, function: &str, event: &str) -> Invoked {
        let request = self.lambda.invoke().function_name(function);
        let answer = request.payload(Blob::new(event)).send().await.unwrap();
        let payload = answer.payload().map(|payload| payload.as_ref()).unwrap_or_default();
        let payload = serde_json::from_slice(payload).unwrap();
        match answer.function_error() {
            None => Invoked::Answer(payload),
            Some(_) => Invoked::FunctionError(payload),
        }
    }

    /// Sends what a bucket gets to a function, through a queue, with partial answers on.
    pub(crate) async fn notify(&self, bucket: &str, function: &str) {
        use aws_sdk_s3::types::{Event, NotificationConfiguration, QueueConfiguration};
        let config = sdk_config(&self.server.endpoint);
        let sqs = aws_sdk_sqs::Client::new(&config);
        let queue = sqs.create_queue().queue_name(format!("{bucket}-created"));
        let visibility = aws_sdk_sqs::types::QueueAttributeName::VisibilityTimeout;
        let queue = queue.attributes(visibility, "2").send().await.unwrap();
        let arn = aws_sdk_sqs::types::QueueAttributeName::QueueArn;
        let attributes = sqs.get_queue_attributes().queue_url(queue.queue_url().unwrap());
        let attributes = attributes.attribute_names(arn.clone()).send().await.unwrap();
        let arn = &attributes.attributes().unwrap()[&arn];
        self.lambda
            .create_event_source_mapping()
            .event_source_arn(arn)
            .function_name(function)
            .batch_size(10)
            .function_response_types("ReportBatchItemFailures".into())
            .send()
            .await
            .unwrap();
        let queue = QueueConfiguration::builder().queue_arn(arn);
        let queue = queue.events(Event::S3ObjectCreated).build().unwrap();
        let notification = NotificationConfiguration::builder().queue_configurations(queue).build();
        let s3 = self.server.aws().s3().await;
        let request = s3.put_bucket_notification_configuration().bucket(bucket);
        request.notification_configuration(notification).send().await.unwrap();
    }

    /// The lake, from this process.
    pub(crate) async fn lakehouse(&self) -> Lakehouse {
        let config = Config::parse(&self.document.to_string()).unwrap();
        Lakehouse::connect(config, &self.server.aws()).await.unwrap()
    }
}

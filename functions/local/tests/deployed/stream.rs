//! Kafka -> poller -> function -> table.

use std::collections::BTreeMap;
use std::process::{Child, Command, Stdio};

use chrono::Utc;
use rskafka::client::ClientBuilder;
use rskafka::client::partition::{Compression, UnknownTopicHandling};
use rskafka::record::Record;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::cloud::Cloud;
use crate::needs::program;
use crate::servers::{free_port, wait_for};
use crate::support::{TestLake, rows};

/// A broker of its own, which ends with the test.
struct Broker {
    process: Child,
    address: String,
    _directory: TempDir,
}

impl Drop for Broker {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn broker() -> Option<Broker> {
    let (program, port, directory) = (program("tansu")?, free_port(), TempDir::new().unwrap());
    let url = format!("tcp://127.0.0.1:{port}");
    let process = Command::new(program)
        .args(["broker", "--listener-url", &url, "--advertised-listener-url", &url])
        .args(["--storage-engine", "memory://tansu/"])
        .current_dir(directory.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_for(port);
    Some(Broker { process, address: format!("127.0.0.1:{port}"), _directory: directory })
}

impl Broker {
    /// Writes records to a new topic of two partitions; a value of `None` is a tombstone.
    async fn produce(&self, topic: &str, values: &[(i32, Option<String>)]) {
        let client = ClientBuilder::new(vec![self.address.clone()]).build().await.unwrap();
        let controller = client.controller_client().unwrap();
        controller.create_topic(topic, 2, 1, 5_000).await.unwrap();
        for (partition, value) in values {
            let handling = UnknownTopicHandling::Retry;
            let partition = client.partition_client(topic, *partition, handling).await.unwrap();
            let record = Record {
                key: Some(b"key".to_vec()),
                value: value.as_ref().map(|value| value.clone().into_bytes()),
                headers: BTreeMap::from([("source".to_owned(), vec![0xc3, 0xa4])]),
                timestamp: Utc::now(),
            };
            partition.produce(vec![record], Compression::NoCompression).await.unwrap();
        }
    }

    /// Polls the topic to its end.
    fn poll(&self, topic: &str, config: &str, more: &[&str]) -> Vec<Value> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_local"));
        command.args(["--config", config, "--json", "poll", "--once", "--topic", topic]);
        let output = command.args(["--brokers", &self.address]).args(more).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{error}");
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

fn source() -> Value {
    json!([{"name": "s", "kafka": {"topics": ["orders"]}, "format": {"type": "plain"}}])
}

/// Rows with the ids 0 to 19 over two partitions, each written twice, and tombstones among them.
fn values() -> Vec<(i32, Option<String>)> {
    let mut values = Vec::new();
    for round in 0..2 {
        for id in 0..20 {
            values.push((id % 2, Some(json!({"id": id, "round": round}).to_string())));
        }
        values.push((0, None));
    }
    values
}

#[tokio::test]
async fn a_topic_reaches_its_table_through_the_deployed_function() {
    let Some(broker) = broker() else { return };
    let tables =
        json!([{"source": "s", "from": "orders", "table": "BUCKET.orders", "key": ["id"]}]);
    let Some(cloud) = Cloud::new(source(), tables).await else { return };
    let Some(function) = cloud.deploy("msk-cdc").await else { return };
    broker.produce("orders", &values()).await;
    let url = format!("{}/2015-03-31/functions/{function}/invocations", cloud.server.endpoint);
    // The function has a config document of its own; the poller's is only read.
    let unused = TestLake::new(source(), json!([])).await;
    let config = unused.directory.path().join("config.json");
    std::fs::write(&config, serde_json::to_string(&unused.config).unwrap()).unwrap();
    let answers = broker.poll("orders", config.to_str().unwrap(), &["--function", &url]);
    let applied = |answers: &[Value]| -> u64 {
        let tables = answers.iter().filter_map(|line| line["answer"]["tables"].as_object());
        tables.flat_map(|tables| tables.values()).filter_map(|own| own["applied"].as_u64()).sum()
    };
    assert_eq!(applied(&answers), 40, "{answers:?}");
    let lakehouse = cloud.lakehouse().await;
    let table = format!("{}.orders", cloud.bucket);
    let rows = rows(lakehouse.catalog(), &table).await;
    assert_eq!(rows.len(), 20);
    assert!(rows.iter().all(|row| row["round"].as_deref() == Some("1")), "{rows:?}");
    let again = broker.poll("orders", config.to_str().unwrap(), &["--function", &url]);
    assert_eq!(applied(&again), 0, "{again:?}");
}

#[tokio::test]
async fn a_topic_reaches_an_embedded_table_without_any_function() {
    let Some(broker) = broker() else { return };
    let tables = json!([{"source": "s", "from": "orders", "table": "shop.orders", "key": ["id"]}]);
    let lake = TestLake::new(source(), tables).await;
    broker.produce("orders", &values()).await;
    let config = lake.directory.path().join("config.json");
    std::fs::write(&config, serde_json::to_string(&lake.config).unwrap()).unwrap();
    broker.poll("orders", config.to_str().unwrap(), &[]);
    assert_eq!(lake.rows("shop.orders").await.len(), 20);
}

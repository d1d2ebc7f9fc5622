//! Servers that speak AWS, each a process of its own that ends with the last test that uses it.
#![allow(dead_code, unreachable_pub)]

use std::net::{TcpListener, TcpStream};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use aws_config::{BehaviorVersion, Region, SdkConfig};
use aws_credential_types::Credentials;
use aws_credential_types::provider::SharedCredentialsProvider;
use shared::aws::Aws;
use tempfile::TempDir;

use crate::needs::program;

/// How long a server may take to listen.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running server.
pub struct Server {
    process: Child,
    pub endpoint: String,
    pub directory: TempDir,
}

/// Glue, S3, SQS and Lambda.
static MINISTACK: Mutex<Weak<Server>> = Mutex::new(Weak::new());
/// S3 Tables.
static MOTO: Mutex<Weak<Server>> = Mutex::new(Weak::new());

/// The double of Glue, S3, SQS and Lambda; `None`, said aloud, where it is not installed.
pub fn ministack() -> Option<Arc<Server>> {
    shared_server(&MINISTACK, "ministack", |command, port| {
        command.env("BIND_HOST", "127.0.0.1").env("GATEWAY_PORT", port.to_string());
    })
}

/// The double of S3 Tables; `None`, said aloud, where it is not installed.
pub fn moto() -> Option<Arc<Server>> {
    shared_server(&MOTO, "moto_server", |command, port| {
        command.args(["-H", "127.0.0.1", "-p", &port.to_string()]);
    })
}

/// A port that nobody listens on.
pub fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Waits until somebody listens.
pub fn wait_for(port: u16) {
    let started = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(started.elapsed() < PATIENCE, "nobody listens on port {port}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn shared_server(
    slot: &Mutex<Weak<Server>>,
    name: &str,
    configure: impl FnOnce(&mut Command, u16),
) -> Option<Arc<Server>> {
    let mut slot = slot.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some(server) = slot.upgrade() {
        return Some(server);
    }
    let port = free_port();
    let directory = TempDir::new().unwrap();
    let mut command = Command::new(program(name)?);
    configure(&mut command, port);
    // Its own group, so that what it starts ends with it.
    command.current_dir(directory.path()).process_group(0);
    command.env("HOME", directory.path()).env("TMPDIR", directory.path());
    let log = std::fs::File::create(directory.path().join("server.log")).unwrap();
    command.stdout(Stdio::null()).stderr(log);
    let process = command.spawn().unwrap();
    wait_for(port);
    let server =
        Arc::new(Server { process, endpoint: format!("http://127.0.0.1:{port}"), directory });
    *slot = Arc::downgrade(&server);
    Some(server)
}

impl Drop for Server {
    fn drop(&mut self) {
        let group = format!("-{}", self.process.id());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
        let _ = self.process.wait();
    }
}

impl Server {
    /// The way to it.
    pub fn aws(&self) -> Aws {
        Aws::new(sdk_config(&self.endpoint))
    }

    /// A new bucket.
    pub async fn bucket(&self) -> String {
        let name = format!("b{}", uuid::Uuid::new_v4().simple());
        self.aws().s3().await.create_bucket().bucket(&name).send().await.unwrap();
        name
    }
}

/// The SDK's configuration for a server.
pub fn sdk_config(endpoint: &str) -> SdkConfig {
    let credentials = Credentials::new("test", "test", None, None, "test");
    SdkConfig::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("us-east-1"))
        .endpoint_url(endpoint)
        .credentials_provider(SharedCredentialsProvider::new(credentials))
        .build()
}

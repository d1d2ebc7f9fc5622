//! Promises of raw files, config document and quarantine in S3.

use std::io::Write;
use std::process::{Command, Stdio};

use aws_sdk_s3::Client;
use serde_json::json;
use shared::aws::Aws;
use shared::config::{Config, ObjectsConfig, Place};
use shared::objects::Objects;
use shared::{Error, Lakehouse};
use tokio::io::AsyncReadExt;

use crate::servers::ministack;
use crate::support::deliver;

async fn put(client: &Client, bucket: &str, key: &str, body: Vec<u8>) {
    client.put_object().bucket(bucket).key(key).body(body.into()).send().await.unwrap();
}

async fn objects(aws: &Aws) -> Objects {
    Objects::connect(&ObjectsConfig::S3 {}, aws).await
}

/// The whole content of the only object below a prefix.
async fn read(objects: &Objects, bucket: &str, prefix: &str) -> Vec<u8> {
    let listed = objects.list(bucket, prefix, "").await.unwrap();
    let [object] = listed.as_slice() else { panic!("{listed:?}") };
    let mut bytes = Vec::new();
    objects.open(bucket, object).await.unwrap().read_to_end(&mut bytes).await.unwrap();
    bytes
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut gzip =
        Command::new("gzip").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = gzip.stdin.take().unwrap();
    let copy = bytes.to_vec();
    let writer = std::thread::spawn(move || input.write_all(&copy).unwrap());
    let output = gzip.wait_with_output().unwrap();
    writer.join().unwrap();
    output.stdout
}

#[tokio::test]
async fn listings_of_more_than_a_page_are_whole_and_in_order() {
    let Some(server) = ministack() else { return };
    let (bucket, aws) = (server.bucket().await, server.aws());
    let client = aws.s3().await;
    let key = |number: usize| format!("shop/book/2026-{number:06}.csv");
    let puts = (0..1_205).map(async |n| put(&client, &bucket, &key(n), vec![b'x']).await);
    futures::future::join_all(puts).await;
    put(&client, &bucket, "shop/bookstore/a.csv", vec![b'x']).await;
    let listed = objects(&aws).await.list(&bucket, "shop/book/", &key(99)).await.unwrap();
    let keys: Vec<_> = listed.into_iter().map(|object| object.key).collect();
    assert_eq!(keys, (100..1_205).map(key).collect::<Vec<_>>());
}

#[tokio::test]
async fn keys_with_spaces_and_plus_signs_are_listed_and_read() {
    let Some(server) = ministack() else { return };
    let (bucket, aws) = (server.bucket().await, server.aws());
    let client = aws.s3().await;
    let odd = "shop/my table/a+b (1) ä%20.csv";
    put(&client, &bucket, odd, b"content".to_vec()).await;
    let objects = objects(&aws).await;
    assert_eq!(objects.list(&bucket, "shop/my table/", "").await.unwrap()[0].key, odd);
    assert_eq!(read(&objects, &bucket, "shop/my table/").await, b"content");
}

#[tokio::test]
async fn gzip_is_told_by_its_bytes_and_by_the_name() {
    let Some(server) = ministack() else { return };
    let (bucket, aws) = (server.bucket().await, server.aws());
    let client = aws.s3().await;
    put(&client, &bucket, "named/a.csv.gz", gzip(b"a,b\n")).await;
    put(&client, &bucket, "unnamed/a.csv", gzip(b"a,b\n")).await;
    put(&client, &bucket, "empty/a.csv.gz", Vec::new()).await;
    put(&client, &bucket, "broken/a.csv.gz", b"no gzip at all".to_vec()).await;
    let objects = objects(&aws).await;
    assert_eq!(read(&objects, &bucket, "named/").await, b"a,b\n");
    assert_eq!(read(&objects, &bucket, "unnamed/").await, b"a,b\n");
    assert_eq!(read(&objects, &bucket, "empty/").await, b"");
    let broken = objects.list(&bucket, "broken/", "").await.unwrap();
    let mut content = objects.open(&bucket, &broken[0]).await.unwrap();
    assert!(content.read_to_end(&mut Vec::new()).await.is_err());
}

#[tokio::test]
async fn a_file_of_many_ranges_is_read_whole_and_never_in_two_states() {
    let Some(server) = ministack() else { return };
    let (bucket, aws) = (server.bucket().await, server.aws());
    let client = aws.s3().await;
    let large: Vec<u8> = (0..40_000_000_u32).map(|number| (number % 251) as u8).collect();
    put(&client, &bucket, "a/large.csv", large.clone()).await;
    let objects = objects(&aws).await;
    assert!(read(&objects, &bucket, "a/").await == large, "the bytes differ");

    let object = &objects.list(&bucket, "a/", "").await.unwrap()[0];
    let mut content = objects.open(&bucket, object).await.unwrap();
    let mut first = vec![0; 1_000];
    content.read_exact(&mut first).await.unwrap();
    put(&client, &bucket, "a/large.csv", vec![b'x'; 40_000_000]).await;
    let error = content.read_to_end(&mut Vec::new()).await.unwrap_err();
    assert!(error.to_string().contains("rewritten while it was read"), "{error}");
    client.delete_object().bucket(&bucket).key("a/large.csv").send().await.unwrap();
    let gone = objects.open(&bucket, object).await.err();
    assert!(matches!(gone, Some(Error::File { .. })), "{gone:?}");
}

#[tokio::test]
async fn a_versioned_bucket_gives_the_current_content() {
    use aws_sdk_s3::types::{BucketVersioningStatus, VersioningConfiguration};
    let Some(server) = ministack() else { return };
    let (bucket, aws) = (server.bucket().await, server.aws());
    let client = aws.s3().await;
    let versioning =
        VersioningConfiguration::builder().status(BucketVersioningStatus::Enabled).build();
    let request = client.put_bucket_versioning().bucket(&bucket);
    request.versioning_configuration(versioning).send().await.unwrap();
    let objects = objects(&aws).await;
    let mut etags = Vec::new();
    for content in ["first", "second"] {
        put(&client, &bucket, "a/LOAD00000001.csv", content.into()).await;
        assert_eq!(read(&objects, &bucket, "a/").await, content.as_bytes());
        etags.push(objects.list(&bucket, "a/", "").await.unwrap().remove(0).etag);
    }
    assert_ne!(etags[0], etags[1]);
    client.delete_object().bucket(&bucket).key("a/LOAD00000001.csv").send().await.unwrap();
    assert_eq!(objects.list(&bucket, "a/", "").await.unwrap(), []);
}

#[tokio::test]
async fn config_document_and_quarantine_live_in_s3() {
    let Some(server) = ministack() else { return };
    let (bucket, aws) = (server.bucket().await, server.aws());
    let client = aws.s3().await;
    let document = json!({
        "catalog": {"type": "glue", "warehouse": format!("s3://{bucket}/warehouse")},
        "quarantine": format!("s3://{bucket}/quarantine/"),
        "sources": [{"name": "s", "kafka": {"topics": ["t"]}, "format": {"type": "plain"}}],
        "tables": [{"source": "s", "from": "t", "table": format!("{bucket}.t"), "key": ["id"]}],
    });
    put(&client, &bucket, "config/lakehouse.json", document.to_string().into()).await;
    let place: Place = format!("s3://{bucket}/config/lakehouse.json").parse().unwrap();
    let config = Config::read(&place, &aws).await.unwrap();
    let lakehouse = Lakehouse::connect(config, &aws).await.unwrap();
    let values = ["poison".to_owned(), r#"{"id": 1}"#.to_owned()];
    let counts = deliver(&lakehouse, 3, 7, &values).await.unwrap();
    assert_eq!((counts.applied(), counts.rejected), (1, 1));
    let key = format!("quarantine/s/{bucket}.t/t-3@00000000000000000007.jsonl");
    let object = client.get_object().bucket(&bucket).key(key).send().await.unwrap();
    let line = object.body.collect().await.unwrap().into_bytes();
    let line: serde_json::Value = serde_json::from_slice(&line).unwrap();
    assert_eq!((&line["position"], &line["text"]), (&json!("t-3@7"), &json!("poison")));

    let missing: Place = format!("s3://{bucket}/config/other.json").parse().unwrap();
    let error = Config::read(&missing, &aws).await.unwrap_err().to_string();
    assert!(error.starts_with(&format!("setting `{missing}`: ")), "{error}");
}

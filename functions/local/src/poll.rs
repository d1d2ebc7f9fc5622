//! A real Kafka topic on one machine: what Lambda's pollers do for MSK, for trying a stream.
//!
//! Each partition is read in order. Its records become MSK events, which go to the handler in this
//! process or to a function elsewhere. A failed event is sent again after a pause, a partial answer
//! resumes at the first record that it names. Nothing is remembered between runs: what a table holds
//! already, it skips.

mod event;
mod target;

use std::time::Duration;

use clap::{Args, ValueEnum};
use rskafka::client::ClientBuilder;
use rskafka::client::partition::{OffsetAt, PartitionClient, UnknownTopicHandling};
use shared::{Error, Lakehouse, Result};

use crate::print;
use event::Batch;
use target::Target;

/// Bytes asked of a partition at once: with base64 and JSON around them they stay below the 6 MB that
/// Lambda takes.
const FETCH_BYTES: i32 = 3 * 1024 * 1024;

/// Milliseconds that the broker waits for new records.
const FETCH_WAIT: i32 = 500;

/// Pauses after a failed event: from the first to the longest.
const PAUSES: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(30));

/// What to poll.
#[derive(Debug, Args)]
pub(crate) struct Poll {
    /// Brokers as `host:port`, separated by commas.
    #[arg(long, required = true, value_delimiter = ',')]
    brokers: Vec<String>,
    /// The topic; its source and tables are those of the config document.
    #[arg(long)]
    topic: String,
    /// The invocation URL of a function, such as
    /// `http://127.0.0.1:9000/2015-03-31/functions/msk-cdc/invocations`; without it the handler runs
    /// in this process.
    #[arg(long)]
    function: Option<String>,
    /// Where to begin.
    #[arg(long, value_enum, default_value_t = From::Earliest)]
    from: From,
    /// End when every partition was read to its end, and fail with the first event that fails.
    #[arg(long)]
    once: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum From {
    Earliest,
    Latest,
}

/// Polls until the process is stopped, or with `--once` until the topic's end.
pub(crate) async fn poll(options: &Poll, lakehouse: &Lakehouse, json: bool) -> Result<()> {
    let fault = |error: rskafka::client::error::Error| {
        Error::config("--brokers", format!("{}: {error}", options.brokers.join(",")))
    };
    let client = ClientBuilder::new(options.brokers.clone()).build().await.map_err(fault)?;
    let topics = client.list_topics().await.map_err(fault)?;
    let topic = topics.into_iter().find(|topic| topic.name == options.topic);
    let topic = topic.ok_or_else(|| {
        Error::config("--topic", format!("the brokers have no topic \"{}\"", options.topic))
    })?;
    let target = Target::new(options.function.as_deref(), lakehouse);
    let mut partitions = Vec::new();
    for partition in topic.partitions {
        let handling = UnknownTopicHandling::Error;
        let client = client.partition_client(&topic.name, partition, handling).await;
        partitions.push(Partition {
            client: client.map_err(fault)?,
            target: &target,
            options,
            json,
        });
    }
    let polls = partitions.iter().map(Partition::poll);
    futures::future::try_join_all(polls).await.map(drop)
}

struct Partition<'p> {
    client: PartitionClient,
    target: &'p Target<'p>,
    options: &'p Poll,
    json: bool,
}

impl Partition<'_> {
    async fn poll(&self) -> Result<()> {
        let fault = |error: rskafka::client::error::Error| {
            Error::config("--topic", format!("{}: {error}", self.options.topic))
        };
        let at = match self.options.from {
            From::Earliest => OffsetAt::Earliest,
            From::Latest => OffsetAt::Latest,
        };
        let mut offset = self.client.get_offset(at).await.map_err(fault)?;
        loop {
            let fetched = self.client.fetch_records(offset, 1..FETCH_BYTES, FETCH_WAIT).await;
            let (records, end) = fetched.map_err(fault)?;
            let batch =
                Batch { topic: self.client.topic(), partition: self.client.partition(), records };
            match batch.last() {
                Some(last) => {
                    self.deliver(batch).await?;
                    offset = last + 1;
                }
                // Only offsets that carry no records of ours are left: the end of a transaction.
                None if self.options.once => return Ok(()),
                None => {}
            }
            if self.options.once && offset >= end {
                return Ok(());
            }
        }
    }

    /// Sends a batch until all of it is applied.
    async fn deliver(&self, mut batch: Batch<'_>) -> Result<()> {
        let mut pause = PAUSES.0;
        loop {
            let name = format!("{}-{}@{}", batch.topic, batch.partition, batch.first());
            let answer = self.target.invoke(&batch.to_event()).await;
            print::answer_line(&name, &answer, self.json);
            let again = match answer {
                Ok(answer) => match event::first_failed(&answer) {
                    None => return Ok(()),
                    Some(first) => Some(first),
                },
                Err(error) if self.options.once => {
                    return Err(Error::config("--once", format!("{name}: {error}")));
                }
                Err(_) => None,
            };
            batch.records.retain(|record| again.is_none_or(|first| record.offset >= first));
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(PAUSES.1);
        }
    }
}

//! Where events go: the handler in this process, or a function behind a URL.

use serde_json::Value;
use shared::Lakehouse;
use shared::deadline::Deadline;

/// The header by which Lambda tells an answer from an error.
const FUNCTION_ERROR: &str = "x-amz-function-error";

/// Where events go.
pub(super) enum Target<'t> {
    Handler(&'t Lakehouse),
    Function { client: reqwest::Client, url: &'t str },
}

impl<'t> Target<'t> {
    pub(super) fn new(url: Option<&'t str>, lakehouse: &'t Lakehouse) -> Self {
        match url {
            Some(url) => Target::Function { client: reqwest::Client::new(), url },
            None => Target::Handler(lakehouse),
        }
    }

    /// Sends an event and returns the answer, or why it must be sent again.
    pub(super) async fn invoke(&self, event: &str) -> Result<Value, String> {
        match self {
            Target::Handler(lakehouse) => {
                msk_cdc::outcome(msk_cdc::handle(event, lakehouse, Deadline::none()).await).answer
            }
            Target::Function { client, url } => {
                let request = client.post(*url).body(event.to_owned());
                let answer = request.send().await.map_err(|error| error.to_string())?;
                let failed =
                    !answer.status().is_success() || answer.headers().contains_key(FUNCTION_ERROR);
                let status = answer.status();
                let text = answer.text().await.map_err(|error| error.to_string())?;
                match failed {
                    true => Err(format!("{status}: {text}")),
                    false => serde_json::from_str(&text).map_err(|error| error.to_string()),
                }
            }
        }
    }
}

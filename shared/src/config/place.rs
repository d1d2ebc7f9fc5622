//! A place that is a path of this machine or a prefix in an S3 bucket.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A path, or `s3://bucket/prefix`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub enum Place {
    /// A file or folder of this machine.
    Path(PathBuf),
    /// An object, or objects below a prefix.
    S3 {
        /// The bucket.
        bucket: String,
        /// The key or prefix, without a slash at either end.
        key: String,
    },
}

impl FromStr for Place {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let Some(rest) = text.strip_prefix("s3://") else {
            return match text {
                "" => Err("is empty: it is a path, or s3://bucket/prefix"),
                path => Ok(Place::Path(path.into())),
            };
        };
        let (bucket, key) = rest.split_once('/').unwrap_or((rest, ""));
        match bucket {
            "" => Err("names no bucket: it is a path, or s3://bucket/prefix"),
            bucket => {
                Ok(Place::S3 { bucket: bucket.to_owned(), key: key.trim_matches('/').to_owned() })
            }
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Path(path) => path.display().fmt(f),
            Place::S3 { bucket, key } if key.is_empty() => write!(f, "s3://{bucket}"),
            Place::S3 { bucket, key } => write!(f, "s3://{bucket}/{key}"),
        }
    }
}

impl TryFrom<String> for Place {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<Place> for String {
    fn from(place: Place) -> String {
        place.to_string()
    }
}

impl JsonSchema for Place {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Place".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "A path, or `s3://bucket/prefix`.",
            "type": "string",
            "minLength": 1,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_read_as_they_are_written() {
        let s3 = |bucket: &str, key: &str| Place::S3 { bucket: bucket.into(), key: key.into() };
        assert_eq!("a/b".parse(), Ok(Place::Path("a/b".into())));
        assert_eq!("s3://lake/quarantine/".parse(), Ok(s3("lake", "quarantine")));
        assert_eq!("s3://lake".parse(), Ok(s3("lake", "")));
        assert!("s3:///x".parse::<Place>().is_err() && "".parse::<Place>().is_err());
        assert_eq!(s3("lake", "a/b").to_string(), "s3://lake/a/b");
    }
}

//! Terraform on a copy of `infra/`, so that nothing of its own stays in the tree.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use crate::needs;

/// A root module in a copy of `infra/`, initialised.
pub(crate) struct Root {
    terraform: PathBuf,
    copy: TempDir,
    folder: PathBuf,
    environment: Vec<(String, String)>,
}

pub(crate) fn infra() -> PathBuf {
    std::env::current_dir().unwrap().join("../../infra")
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap();
        match path.is_dir() {
            true if name == ".terraform" => {}
            true => copy(&path, &to.join(name)),
            false => drop(std::fs::copy(&path, to.join(name)).unwrap()),
        }
    }
}

impl Root {
    /// The root in a folder of `infra/`; `None`, said aloud, where there is no Terraform.
    pub(crate) fn new(folder: &str, environment: &[(&str, &str)]) -> Option<Root> {
        let terraform = needs::terraform()?;
        let directory = TempDir::new().unwrap();
        let infra_copy = directory.path().join("infra");
        copy(&infra(), &infra_copy);
        // What stands for packages, where Terraform looks for them.
        copy(&infra_copy.join("tests/packages"), &infra_copy.join("packages/arm64"));
        let mut own = vec![("AWS_ACCESS_KEY_ID", "test"), ("AWS_SECRET_ACCESS_KEY", "test")];
        own.extend_from_slice(environment);
        let own = own.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
        let folder = infra_copy.join(folder);
        let root = Root { terraform, copy: directory, folder, environment: own.collect() };
        root.run(["init", "-backend=false", "-input=false", "-no-color"]);
        Some(root)
    }

    /// The root as it plans without an account: its provider asks AWS nothing.
    pub(crate) fn without_account(folder: &str, environment: &[(&str, &str)]) -> Option<Root> {
        let root = Root::new(folder, environment)?;
        let provider = "provider \"aws\" {\n  region = var.region\n  skip_credentials_validation = true\n  \
                        skip_requesting_account_id = true\n  skip_metadata_api_check = true\n}\n";
        std::fs::write(root.folder.join("provider_override.tf"), provider).unwrap();
        Some(root)
    }

    /// Runs a command to its end and returns what it printed.
    pub(crate) fn run<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> String {
        let mut command = Command::new(&self.terraform);
        command.args(arguments).current_dir(&self.folder);
        command.envs(self.environment.iter().cloned());
        let output = command.output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let (printed, faults) = (text(output.stdout), text(output.stderr));
        assert!(output.status.success(), "{command:?}\n{printed}\n{faults}");
        printed
    }

    /// What the root would create, as Terraform's JSON says it.
    pub(crate) fn plan(&self) -> Value {
        self.run(["plan", "-input=false", "-no-color", "-out=plan"]);
        serde_json::from_str(&self.run(["show", "-json", "plan"])).unwrap()
    }

    /// The copy of `infra/`.
    pub(crate) fn infra(&self) -> PathBuf {
        self.copy.path().join("infra")
    }
}

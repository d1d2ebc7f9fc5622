//! Plans of the examples, without an account.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;
use shared::config::Config;

use crate::terraform::Root;

const PASSWORD: &str = "correct-horse-battery";
const ACCOUNT: (&str, &str) = ("TF_VAR_account_id", "123456789012");

/// The document that an example gives its functions, as these parse it.
fn document(plan: &Value) -> Config {
    let text = plan["planned_values"]["outputs"]["config_document"]["value"].as_str().unwrap();
    Config::parse(text).unwrap()
}

/// Sources and what they become, a table a line.
fn tables(config: &Config) -> Vec<String> {
    let tables = config.tables.iter();
    tables.map(|table| format!("{}/{} -> {}", table.source, table.from, table.table)).collect()
}

#[test]
fn the_document_of_a_name_alone_starts_the_functions() {
    let Some(root) = Root::without_account("examples/minimal", &[ACCOUNT]) else { return };
    let config = document(&root.plan());
    assert_eq!(config.quarantine.to_string(), "s3://lakehouse-quarantine-123456789012/quarantine");
    assert_eq!((config.sources.len(), config.tables.len()), (0, 0));
}

#[test]
fn the_document_of_the_bookstore_starts_the_functions() {
    let environment =
        [ACCOUNT, ("TF_VAR_password_database", PASSWORD), ("TF_VAR_public_ip", "203.0.113.7/32")];
    let Some(root) = Root::without_account("examples/bookstore", &environment) else { return };
    let plan = root.plan();
    assert_eq!(
        tables(&document(&plan)),
        [
            "bookstoredb/book -> bookstore.book",
            "bookstoredb/customer -> bookstore.customer",
            "bookstoredb/sales -> bookstore.sales"
        ]
    );
    let planned = [&plan["planned_values"], &plan["resource_changes"]];
    assert!(
        planned.iter().all(|part| !part.to_string().contains(PASSWORD)),
        "what goes into the state holds no password"
    );
}

#[test]
fn the_document_of_a_topic_starts_the_functions_whatever_delivers_it() {
    let cluster = "arn:aws:kafka:eu-central-1:123456789012:cluster/given/0a1b2c3d";
    for delivery in ["msk-cdc", "firehose"] {
        let environment =
            [ACCOUNT, ("TF_VAR_msk_cluster_arn", cluster), ("TF_VAR_topic_delivery", delivery)];
        let Some(root) = Root::without_account("examples/cockroach", &environment) else { return };
        let config = document(&root.plan());
        let expected =
            "financial_transactions/financial_transactions -> payments.financial_transactions";
        assert_eq!(tables(&config), [expected]);
        let streams = &config.sources[0].kafka.as_ref().unwrap().delivery_streams;
        assert_eq!(streams.len(), usize::from(delivery == "firehose"));
    }
}

/// `module/type.name` of every resource that files below a folder declare.
fn declared(folder: &Path, module: &str, resources: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "tf") {
            let text = std::fs::read_to_string(&path).unwrap();
            let heads = text.lines().filter_map(|line| line.strip_prefix("resource \""));
            resources.extend(heads.map(|head| {
                let (kind, rest) = head.split_once("\" \"").unwrap();
                format!("{module}/{kind}.{}", rest.split('"').next().unwrap())
            }));
        }
    }
}

/// The same of what a plan creates.
fn planned(plan: &Value) -> BTreeSet<String> {
    let changes = plan["resource_changes"].as_array().unwrap();
    let managed = changes.iter().filter(|change| change["mode"] == "managed");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let resources = managed.filter_map(|change| {
        let module = text(&change["module_address"]);
        let module = module.strip_prefix("module.lakehouse")?;
        let module = module.strip_prefix(".module.").unwrap_or("root");
        let module = module.split('[').next()?.replace('_', "-");
        Some(format!("{module}/{}.{}", text(&change["type"]), text(&change["name"])))
    });
    resources.collect()
}

#[test]
fn a_plan_of_the_complete_example_lists_every_resource() {
    let plugins = r#"{"oracle": "../../tests/plugins/oracle.zip", "postgres": "../../tests/plugins/postgres.zip"}"#;
    let environment =
        [ACCOUNT, ("TF_VAR_password_database", PASSWORD), ("TF_VAR_debezium_plugins", plugins)];
    let Some(root) = Root::without_account("examples/complete", &environment) else { return };
    let plan = root.plan();
    let mut resources = BTreeSet::new();
    declared(&root.infra(), "root", &mut resources);
    for module in std::fs::read_dir(root.infra().join("modules")).unwrap() {
        let folder = module.unwrap().path();
        let module = folder.file_name().unwrap().to_str().unwrap().to_owned();
        declared(&folder, &module, &mut resources);
    }
    assert!(resources.len() > 80, "{}", resources.len());
    let planned = planned(&plan);
    let missing: Vec<_> = resources.difference(&planned).collect();
    assert!(missing.is_empty(), "{missing:?}");
    let config = document(&plan);
    assert_eq!((config.sources.len(), config.tables.len()), (7, 10));
    assert_eq!(config.catalogs().count(), 2);
}

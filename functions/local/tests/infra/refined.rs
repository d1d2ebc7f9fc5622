//! The SQL of refined tables and of saved queries.

use std::process::Command;

use expect_test::{Expect, expect};
use serde_json::Value;
use tempfile::TempDir;

use crate::needs::python;
use crate::terraform::infra;

fn check(step: &Value, table: &str, expected: Expect) {
    let rows = step[table].as_array().unwrap();
    let lines: Vec<String> = rows.iter().map(|row| format!("{row}\n")).collect();
    expected.assert_eq(&lines.concat());
}

#[test]
fn refined_tables_follow_the_clean_ones() {
    let Some(python) = python() else { return };
    let directory = TempDir::new().unwrap();
    let events = std::env::current_dir().unwrap().join("../../events");
    std::os::unix::fs::symlink(events, directory.path().join("events")).unwrap();
    let mut demo = Command::new(env!("CARGO_BIN_EXE_local"));
    assert!(demo.arg("--json").current_dir(directory.path()).output().unwrap().status.success());

    let script = std::env::current_dir().unwrap().join("python/refine.py");
    let mut refine = Command::new(python);
    refine.arg(script).arg(directory.path().join("lakehouse")).arg(infra().join("sql/refined"));
    let output = refine.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let steps: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [made, again, followed] = &steps[..] else { panic!("{text}") };

    assert_eq!(made, again, "a second run changes nothing");
    check(
        made,
        "sales_by_category_and_month",
        expect![[r#"
        ["Fiction","2024-07-01",1,1,"20.99"]
        ["Fiction","2024-08-01",1,2,"41.98"]
        ["Mystery","2024-08-01",1,1,"25.15"]
        ["Mystery","2024-11-01",1,1,"25.15"]
        ["Non-Fiction","2024-09-01",1,2,"20.94"]
        ["Non-Fiction","2024-10-01",1,2,"20.94"]
        ["Romance","2024-08-01",2,4,"90.44"]
        ["Thriller","2024-09-01",1,3,"75.54"]
        ["Thriller","2024-10-01",1,4,"100.72"]
    "#]],
    );
    check(
        made,
        "customer_value",
        expect![[r#"
        [1,"Christiane","Paffrath","Germany",2,6,"142.70","2024-08-11","2024-10-22"]
        [2,"Arnold","Reuter","Germany",2,4,"92.98","2024-08-10","2024-11-06"]
        [3,"Louise","Beckmann","Germany",2,4,"96.53","2024-07-22","2024-09-01"]
        [4,"Imke","Zimmer","Germany",2,3,"43.55","2024-08-15","2024-09-10"]
        [5,"Anna-Luise","Gerlach","Germany",2,3,"46.09","2024-08-30","2024-10-22"]
    "#]],
    );
    // A sale is gone, a customer has another name, a customer is gone.
    check(
        followed,
        "sales_by_category_and_month",
        expect![[r#"
        ["Fiction","2024-07-01",1,1,"20.99"]
        ["Mystery","2024-11-01",1,1,"25.15"]
        ["Non-Fiction","2024-09-01",1,2,"20.94"]
        ["Romance","2024-08-01",2,4,"90.44"]
        ["Thriller","2024-09-01",1,3,"75.54"]
        ["Thriller","2024-10-01",1,4,"100.72"]
    "#]],
    );
    check(
        followed,
        "customer_value",
        expect![[r#"
        [1,"Christiane","Paffrath","Germany",1,4,"100.72","2024-10-22","2024-10-22"]
        [2,"Arnold","Neumann","Germany",2,4,"92.98","2024-08-10","2024-11-06"]
        [3,"Louise","Beckmann","Germany",2,4,"96.53","2024-07-22","2024-09-01"]
        [4,"Imke","Zimmer","Germany",2,3,"43.55","2024-08-15","2024-09-10"]
    "#]],
    );
}

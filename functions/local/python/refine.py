"""Runs the SQL of the refined tables on an embedded lakehouse, with DuckDB in Athena's place.

Usage: refine.py LAKEHOUSE SQL_DIRECTORY. Prints the refined tables as one JSON object a line: made of the
sample bookstore, made once more, and made after rows of the bookstore changed and went.
"""

import json
import pathlib
import re
import string
import sys

import duckdb
from pyiceberg.catalog import load_catalog

from cells import cell

CLEAN, REFINED = "bookstore", "bookstore_refined"
TABLES = ["sales_by_category_and_month", "customer_value"]
CHANGES = [
    "DELETE FROM bookstore.sales WHERE sale_id = 1",
    "UPDATE bookstore.customer SET last_name = 'Neumann' WHERE customer_id = 2",
    "DELETE FROM bookstore.sales WHERE customer_id = 5",
    "DELETE FROM bookstore.customer WHERE customer_id = 5",
]


def statements(folder):
    names = {"clean": CLEAN, "refined": REFINED, "location": "s3://refined"}
    for table in TABLES:
        for step in ("create", "merge"):
            text = (folder / f"{table}.{step}.sql").read_text()
            # Where files go and in which format is nothing to DuckDB.
            text = re.sub(r"\nLOCATION .*", "", string.Template(text).substitute(names), flags=re.DOTALL)
            yield text


def refine(connection, folder):
    for statement in statements(folder):
        connection.execute(statement)
    print(json.dumps({table: rows(connection, table) for table in TABLES}))


def rows(connection, table):
    result = connection.execute(f"SELECT * FROM {REFINED}.{table} ORDER BY 1, 2")
    return [[cell(value) for value in row] for row in result.fetchall()]


def main(lakehouse, folder):
    lakehouse, folder = pathlib.Path(lakehouse), pathlib.Path(folder)
    catalog = load_catalog(
        "local", type="sql", uri=f"sqlite:///{lakehouse}/catalog.db", warehouse=f"file://{lakehouse}/warehouse"
    )
    connection = duckdb.connect()
    for schema in (CLEAN, REFINED):
        connection.execute(f"CREATE SCHEMA {schema}")
    for identifier in catalog.list_tables(CLEAN):
        read = catalog.load_table(identifier).scan().to_arrow()
        connection.execute(f"CREATE TABLE {'.'.join(identifier)} AS SELECT * FROM read")
    refine(connection, folder)
    refine(connection, folder)
    for change in CHANGES:
        connection.execute(change)
    refine(connection, folder)


if __name__ == "__main__":
    main(*sys.argv[1:])

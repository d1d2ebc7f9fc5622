"""Reads every table of an embedded lakehouse with PyIceberg and with DuckDB.

Usage: read_back.py CATALOG_DB WAREHOUSE. Prints one JSON object a table and engine: its rows, each
cell as `local show --json` prints it, columns of ours left out.
"""

import json
import pathlib
import sys

import duckdb
import duckdb_extension_avro
import duckdb_extension_httpfs
import duckdb_extension_iceberg
from pyiceberg.catalog import load_catalog

from cells import cell


def load_extensions(connection):
    for module in (duckdb_extension_avro, duckdb_extension_httpfs, duckdb_extension_iceberg):
        folder = pathlib.Path(module.__file__).parent
        (extension,) = folder.glob("extensions/*/*.duckdb_extension")
        connection.execute(f"LOAD '{extension}'")


def main(database, warehouse):
    catalog = load_catalog(
        "local", type="sql", uri=f"sqlite:///{database}", warehouse=f"file://{warehouse}"
    )
    connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    load_extensions(connection)
    for namespace in catalog.list_namespaces():
        for identifier in catalog.list_tables(namespace):
            table = catalog.load_table(identifier)
            emit("pyiceberg", identifier, table.scan().to_arrow())
            result = connection.execute(
                "SELECT * FROM iceberg_scan(?)", [table.metadata_location]
            )
            emit("duckdb", identifier, result.to_arrow_table())


def emit(engine, identifier, read):
    found = [
        {name: cell(value) for name, value in row.items() if not name.startswith("_cdc_")}
        for row in read.to_pylist()
    ]
    print(json.dumps({"engine": engine, "table": ".".join(identifier), "rows": found}))


if __name__ == "__main__":
    main(*sys.argv[1:])

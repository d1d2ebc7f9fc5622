"""Every SQL file below infra/sql is one statement that Athena's grammar knows."""

import logging
import pathlib
import re
import sys

import sqlglot
from sqlglot import exp

SQL = pathlib.Path(__file__).parent.parent / "sql"
# Athena's upkeep of tables, which the parser leaves unread.
UNREAD = {"OPTIMIZE", "VACUUM"}


def fault(file):
    """What is wrong with a file, or nothing."""
    text = re.sub(r"\$\{(\w+)\}", r"\1", file.read_text())
    try:
        (statement,) = sqlglot.parse(text, read="athena")
    except (sqlglot.errors.ParseError, ValueError) as error:
        return str(error)
    if isinstance(statement, exp.Command) and statement.this not in UNREAD:
        return f"no statement of Athena: {statement.this}"
    return None


def main():
    logging.disable(logging.WARNING)
    files = sorted(SQL.rglob("*.sql"))
    faults = [f"{file}: {found}" for file in files if (found := fault(file))]
    if faults or not files:
        sys.exit("\n".join(faults) or "error: there is no SQL")
    print(f"{len(files)} SQL files")


if __name__ == "__main__":
    main()

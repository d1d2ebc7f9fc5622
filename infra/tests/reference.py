"""The reference of variables and outputs in infra/README.md, made of the variables and outputs themselves.

Usage: reference.py [--check]

Without --check the README is rewritten between its marks; with it, a README that says something else fails.
"""

import argparse
import difflib
import json
import pathlib
import re
import sys

import hcl2

INFRA = pathlib.Path(__file__).parent.parent
README = INFRA / "README.md"
BEGIN, END = "<!-- begin: made by tests/reference.py -->\n", "<!-- end -->\n"
FILES = {
    "The lake and its functions": "variables.tf",
    "Sources of Kafka": "variables_kafka.tf",
    "Sources of files": "variables_files.tf",
    "Readers": "variables_readers.tf",
}


def blocks(file, kind):
    """The blocks of a kind in a file: name -> attributes."""
    with open(INFRA / file) as text:
        for block in hcl2.load(text).get(kind, []):
            for name, attributes in block.items():
                # Each value comes in a list; what does not is about the file.
                yield name, {key: value[0] for key, value in attributes.items() if isinstance(value, list)}


def text(value):
    """What an attribute says, on one line, as a cell of a table."""
    return re.sub(r"\s+", " ", value).strip().replace("|", "\\|")


def type_of(attributes):
    """The type in a word; what an object holds is in its description and in the file."""
    kind = text(attributes["type"]).removeprefix("${").removesuffix("}")
    return re.sub(r"object\(.*\)", "object", kind)


def default_of(attributes):
    if "default" not in attributes:
        return "required"
    return f"`{json.dumps(attributes['default'])}`"


def reference():
    lines = []
    for title, file in FILES.items():
        lines += [f"### {title}", "", "| variable | type | default | what |", "| --- | --- | --- | --- |"]
        for name, attributes in blocks(file, "variable"):
            secret = "**Secret.** " if attributes.get("sensitive") else ""
            cells = (f"`{name}`", type_of(attributes), default_of(attributes), secret + text(attributes["description"]))
            lines.append(f"| {' | '.join(cells)} |")
        lines.append("")
    lines += ["### Outputs", "", "| output | what |", "| --- | --- |"]
    for name, attributes in blocks("outputs.tf", "output"):
        lines.append(f"| `{name}` | {text(attributes['description'])} |")
    return "\n".join(lines) + "\n"


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--check", action="store_true")
    check = arguments.parse_args().check
    written = README.read_text()
    before, rest = written.split(BEGIN)
    _, after = rest.split(END)
    made = f"{before}{BEGIN}\n{reference()}\n{END}{after}"
    if not check:
        README.write_text(made)
    elif made != written:
        sys.stdout.writelines(difflib.unified_diff(written.splitlines(True), made.splitlines(True), "README.md", "made"))
        sys.exit("error: infra/README.md is not of these variables and outputs: run infra/tests/reference.py")


if __name__ == "__main__":
    main()

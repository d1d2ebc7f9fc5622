"""The deployed lakehouse on one machine: the packaged functions on a double of AWS.

Usage: emulate.py --packages DIR --ministack PROGRAM [--events DIR] [--json]

Starts the double (Glue, S3, SQS, Lambda), deploys the packages, drops the sample CSV files into the
raw bucket, whose notifications reach `dms-csv` through a queue, invokes `msk-cdc` with the sample
events, and prints every table as PyIceberg's Glue catalog reads it. Everything ends with the script.
"""

import argparse
import contextlib
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time

import boto3
from botocore.config import Config
from pyiceberg.catalog import load_catalog

from cells import cell

REGION = "us-east-1"
ACCOUNT = "000000000000"
LAKE = "lakehouse"
# How long the double may take to start, and the queue to be worked off, in seconds.
PATIENCE = 120


@contextlib.contextmanager
def double(program):
    """Runs the double on a free port and yields its endpoint."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {
            "BIND_HOST": "127.0.0.1",
            "GATEWAY_PORT": str(port),
            "TMPDIR": folder,
        }
        log = open(pathlib.Path(folder) / "log", "wb")
        process = subprocess.Popen(
            [program], cwd=folder, env=environment, stdout=log, stderr=log, start_new_session=True
        )
        try:
            wait_until(lambda: is_open(port), "the double does not start")
            yield f"http://127.0.0.1:{port}"
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def is_open(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def wait_until(condition, fault):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            sys.exit(f"error: {fault}")
        time.sleep(0.1)


class Cloud:
    """Clients of the double."""

    def __init__(self, endpoint):
        self.endpoint = endpoint
        options = {
            "endpoint_url": endpoint,
            "region_name": REGION,
            "aws_access_key_id": "test",
            "aws_secret_access_key": "test",
            "config": Config(read_timeout=PATIENCE, retries={"max_attempts": 0}),
        }
        self.s3, self.sqs, self.functions = (
            boto3.client(name, **options) for name in ("s3", "sqs", "lambda")
        )

    def deploy(self, name, package):
        """Creates a function that reads the config document in the lake."""
        role = f"arn:aws:iam::{ACCOUNT}:role/{name}"
        variables = {
            "LAKEHOUSE_CONFIG": f"s3://{LAKE}/config/lakehouse.json",
            "AWS_ENDPOINT_URL": self.endpoint,
        }
        created = self.functions.create_function(
            FunctionName=name,
            Runtime="provided.al2023",
            Handler="bootstrap",
            Role=role,
            Code={"ZipFile": package.read_bytes()},
            Timeout=60,
            MemorySize=1024,
            Environment={"Variables": variables},
        )
        return created["FunctionArn"]

    def invoke(self, name, payload):
        """The function's answer, or its error."""
        answer = self.functions.invoke(FunctionName=name, Payload=payload)
        body = json.loads(answer["Payload"].read())
        return {"error": body} if "FunctionError" in answer else {"answer": body}

    def notify(self, bucket, function):
        """Objects that are created in the bucket reach the function through a queue."""
        url = self.sqs.create_queue(
            QueueName=f"{bucket}-created", Attributes={"VisibilityTimeout": "360"}
        )["QueueUrl"]
        attributes = self.sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])
        queue = attributes["Attributes"]["QueueArn"]
        self.functions.create_event_source_mapping(
            EventSourceArn=queue,
            FunctionName=function,
            BatchSize=10,
            FunctionResponseTypes=["ReportBatchItemFailures"],
        )
        self.s3.put_bucket_notification_configuration(
            Bucket=bucket,
            NotificationConfiguration={
                "QueueConfigurations": [{"QueueArn": queue, "Events": ["s3:ObjectCreated:*"]}]
            },
        )
        return url

    def is_worked_off(self, url):
        names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
        counts = self.sqs.get_queue_attributes(QueueUrl=url, AttributeNames=names)["Attributes"]
        return all(int(counts[name]) == 0 for name in names)

    def catalog(self):
        """PyIceberg's view of the tables."""
        keys = {"region": REGION, "access-key-id": "test", "secret-access-key": "test"}
        services = {f"{service}.{key}": value for service in ("glue", "s3") for key, value in keys.items()}
        endpoints = {"glue.endpoint": self.endpoint, "s3.endpoint": self.endpoint}
        return load_catalog("glue", type="glue", **services, **endpoints)


def config_document(events):
    """The samples' document with AWS in place of this machine."""
    document = json.loads((events / "lakehouse.json").read_text())
    document["catalog"] = {"type": "glue", "warehouse": f"s3://{LAKE}/warehouse"}
    document["objects"] = {"type": "s3"}
    document["quarantine"] = f"s3://{LAKE}/quarantine"
    for source in document["sources"]:
        if "s3" in source:
            source["s3"]["partial_batch_responses"] = True
    return json.dumps(document)


def tables(catalog):
    """Every table with its rows, columns of ours left out."""
    for (namespace,) in sorted(catalog.list_namespaces()):
        for identifier in sorted(catalog.list_tables(namespace)):
            rows = catalog.load_table(identifier).scan().to_arrow().to_pylist()
            yield ".".join(identifier), [
                {name: cell(value) for name, value in row.items() if not name.startswith("_cdc_")}
                for row in rows
            ]


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--packages", type=pathlib.Path, required=True)
    arguments.add_argument("--ministack", required=True)
    arguments.add_argument("--events", type=pathlib.Path, default=pathlib.Path("events"))
    arguments.add_argument("--json", action="store_true")
    options = arguments.parse_args()
    events = options.events

    def say(text, **structured):
        print(json.dumps(structured) if options.json else text, flush=True)

    with double(options.ministack) as endpoint:
        cloud = Cloud(endpoint)
        for bucket in (LAKE, "raw-zone"):
            cloud.s3.create_bucket(Bucket=bucket)
        cloud.s3.put_object(
            Bucket=LAKE, Key="config/lakehouse.json", Body=config_document(events).encode()
        )
        arns = {
            name: cloud.deploy(name, options.packages / name / "bootstrap.zip")
            for name in ("msk-cdc", "dms-csv")
        }
        say(f"deployed {', '.join(arns)}", deployed=arns)

        queue = cloud.notify("raw-zone", arns["dms-csv"])
        objects = events / "dms-csv" / "objects" / "raw-zone"
        for path in sorted(path for path in objects.rglob("*") if path.is_file()):
            key = path.relative_to(objects).as_posix()
            cloud.s3.put_object(Bucket="raw-zone", Key=key, Body=path.read_bytes())
            say(f"dropped s3://raw-zone/{key}", dropped=key)

        for path in sorted((events / "msk-cdc").glob("*.json")):
            answer = cloud.invoke("msk-cdc", path.read_bytes())
            say(f"{path.name}: {json.dumps(answer)}", event=path.name, **answer)

        wait_until(lambda: cloud.is_worked_off(queue), "the queue is not worked off")
        for name, rows in tables(cloud.catalog()):
            say(f"\n{name}: {len(rows)} rows", table=name, rows=rows)
            if not options.json:
                for row in rows[:12]:
                    print("  " + ", ".join(f"{key}={value}" for key, value in list(row.items())[:8]))


if __name__ == "__main__":
    main()

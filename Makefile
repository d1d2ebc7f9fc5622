# What each target does: make help
.DEFAULT_GOAL := help
SHELL := bash

# Builds and the Python of the second readers live outside the work tree and are used again.
CACHE := $(if $(XDG_CACHE_HOME),$(XDG_CACHE_HOME),$(HOME)/.cache)/cdc-lakehouse
export CARGO_TARGET_DIR ?= $(CACHE)/target
VENV := $(CACHE)/readers

.PHONY: help demo test check bench

help: ## Lists the targets.
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1\t/' | expand -t 16

demo: ## Replays every sample event into ./lakehouse and prints the tables.
	cargo run --release -p local

test: check $(VENV)/ready ## Runs all checks and tests; sets up what they need.
	READERS_PYTHON=$(VENV)/bin/python cargo test --workspace

check: ## Checks format, lints and docs.
	cargo fmt --check
	cargo clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --document-private-items

bench: ## Measures the workloads of the README with their peak memory.
	cargo bench -p local --bench workloads

# PyIceberg and DuckDB, by which the tests read tables back.
$(VENV)/ready: functions/local/tests/readers.txt
	python3 -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --requirement $<
	touch $@

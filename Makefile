# make env     the environment a server needs, in .venv
# make play    a server on this machine, ready to be played
# make test    everything that must hold: style, types, tests, browsers
# make bench   figures, printed as ratios
# make docs    documents that hold what is measured or declared elsewhere
# make samples sessions rehearsed on a real server, for analysis/sample/

PYTHON ?= python3
PORT ?= 8000
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip install --quiet --disable-pip-version-check

.PHONY: env play test check bench docs samples clean

$(VENV)/.play: requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else "Python 3.11 or newer is needed, for example: make play PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(PIP) -r requirements.txt
	@touch $@

$(VENV)/.test: $(VENV)/.play requirements-dev.txt requirements-adapters.txt requirements-analysis.txt requirements-rehearsal.txt requirements-tournament.txt
	$(PIP) -r requirements-dev.txt
	@touch $@

env: $(VENV)/.play

play: $(VENV)/.play
	@$(BIN)/python -m mixed play --port $(PORT)

test: check
	$(BIN)/python -m tests.browser
	$(BIN)/python -m pytest tests -n 2 --dist loadgroup

check: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.test
	$(BIN)/python -m benchmarks.commons
	$(BIN)/python -m benchmarks.sanctions
	$(BIN)/python -m benchmarks.gem_mining
	$(BIN)/python -m benchmarks.votes
	$(BIN)/python -m benchmarks.layers
	$(BIN)/python -m benchmarks.decisions
	$(BIN)/python -m benchmarks.tournament
	$(BIN)/python -m benchmarks.live
	$(BIN)/python -m benchmarks.server
	$(BIN)/python -m benchmarks.turns
	$(BIN)/python -m benchmarks.export

docs: $(VENV)/.test
	$(BIN)/python -m mixed codebook > docs/codebook.md
	$(BIN)/python -m mixed measures > docs/measures.md
	$(BIN)/python -m docs.policies > docs/policies.md
	$(BIN)/python -m docs.sessions > docs/sessions.md
	$(BIN)/python -m docs.sanctions
	$(BIN)/python -m docs.behaviour
	$(BIN)/python -m docs.patterns
	$(BIN)/python -m docs.tournaments
	$(BIN)/python -m docs.screenshot

samples: $(VENV)/.test
	$(BIN)/python -m docs.samples

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache

# make env     the environment a server needs, in .venv
# make play    a server on this machine, ready to be played
# make test    everything that must hold: style, types, tests, browsers, other Pythons
# make bench   figures, printed as ratios
# make docs    documents that hold what is measured or declared elsewhere
# make samples sessions rehearsed on a real server, for analysis/sample/

PYTHON ?= python3
PORT ?= 8000
VENV := .venv
BIN := $(VENV)/bin
LIBRARY := .venv-library
INSTALL := install --quiet --disable-pip-version-check -e
# What needs newer libraries than oTree takes, in an environment without it: docs/dependencies.md
LIBRARY_TESTS := tests/adapters tests/bots/training $(wildcard tests/bots/test_tournament*.py)

.PHONY: env play test check suite library pythons environments bench docs samples clean

$(VENV)/.play: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else "Python 3.11 or newer is needed, for example: make play PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip $(INSTALL) ".[server]"
	@touch $@

$(VENV)/.test: $(VENV)/.play
	$(BIN)/pip $(INSTALL) ".[dev]"
	@touch $@

$(LIBRARY)/.test: $(VENV)/.test
	$(PYTHON) -m venv --clear $(LIBRARY)
	$(LIBRARY)/bin/pip $(INSTALL) ".[tests,tournament,training]"
	@touch $@

env: $(VENV)/.play

play: $(VENV)/.play
	@$(BIN)/python -m mixed play --port $(PORT)

# The other environments are downloaded while the suite runs.
test: check
	$(BIN)/python -m tests.browser
	$(MAKE) -j 2 suite environments
	$(MAKE) library pythons

check: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

suite: $(VENV)/.test
	$(BIN)/python -m pytest tests $(addprefix --ignore=,$(LIBRARY_TESTS)) -n 2 --dist loadgroup

library: $(LIBRARY)/.test
	$(LIBRARY)/bin/python -c "import distributed, momaland, sb3_contrib, torch"
	$(LIBRARY)/bin/python -m pytest $(LIBRARY_TESTS) -n 2 --dist loadgroup

pythons: $(VENV)/.test
	$(BIN)/python -m tests.pythons

environments: $(LIBRARY)/.test
	$(BIN)/python -m tests.pythons --prepare

bench: $(VENV)/.test
	$(BIN)/python -m benchmarks.commons
	$(BIN)/python -m benchmarks.sanctions
	$(BIN)/python -m benchmarks.gem_mining
	$(BIN)/python -m benchmarks.votes
	$(BIN)/python -m benchmarks.layers
	$(BIN)/python -m benchmarks.decisions
	$(BIN)/python -m benchmarks.tournament
	$(BIN)/python -m benchmarks.live
	$(BIN)/python -m benchmarks.moves
	$(BIN)/python -m benchmarks.server
	$(BIN)/python -m benchmarks.turns
	$(BIN)/python -m benchmarks.export

docs: $(VENV)/.test
	$(BIN)/python -m docs.requirements > requirements.txt
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
	rm -rf $(VENV) $(VENV)-* build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache

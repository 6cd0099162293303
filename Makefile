# make env     create the environment of a server in .venv
# make play    start a server on this machine, ready to play
# make test    check style, types and tests; one folder: make test TESTS=tests/table
# make test-long   run the long tests: products, databases, languages, other Pythons, training, Dask
# make bench   print performance figures, as ratios
# make drills  kill, disconnect and crowd a server for some hours; make test-long runs a short form
# make coverage    print the lines and branches that tests run; for some tests: make coverage TESTS=tests/table
# make mutants     plant faults one by one and list those no test finds; a sample: make mutants SAMPLE=300
# make docs    write the documents that are generated from measurements and declarations
# make site    build the website of the documents in site/; open site/index.html, with or without a server
# make hashes  write requirements-hashed.txt
# make samples rehearse plans on a real server, for mixed_company/analysis/sample/
# make trained train, judge and exploit the trained policies again, for hours; one game: make trained GAME=sanctions

PYTHON ?= python3
PORT ?= 8000
TESTS ?= tests
AGAIN ?=
SAMPLE ?=
GAME ?=
VENV := .venv
BIN := $(VENV)/bin
LIBRARY := .venv-library
LEARNING := .venv-learning
SITE := .venv-site
BOTEX := .venv-botex
# Exact versions; pyproject.toml has the ranges for environments of users
INSTALL := install --quiet --disable-pip-version-check -c requirements.txt
EXACT := $(INSTALL) -c tests/constraints.txt -e
EXACT_ALONE := $(INSTALL) -c tests/constraints-alone.txt -e
# Tests of libraries newer than oTree allows, in an environment without oTree: docs/developers/dependencies.md
LIBRARY_TESTS := tests/adapters/test_vector.py tests/adapters/test_momaland.py tests/adapters/test_example.py \
    tests/bots/test_tournament_command.py tests/bots/training tests/table/export/test_package_valid.py
LIBRARY_LONG := tests/adapters tests/bots/training tests/docs/test_built.py $(wildcard tests/bots/test_tournament*.py)
# All tests of a file run on one worker; files start in the order of tests/conftest.py
BY_FILE := --dist loadfile --no-loadscope-reorder
# Without this, linear algebra threads of several processes would wait for each other.
SUITE := OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tests.suite $(AGAIN) $(BY_FILE) -rfE

# If this variable were set, every server and worker of a test would compile all modules again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: env play test test-long check style suite long drawn library learning forms pythons ends sampled coverage mutants bench drills docs judged site hashes samples trained clean

$(VENV)/.play: pyproject.toml requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else "Python 3.11 or newer is needed, for example: make play PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip $(EXACT) ".[server]"
	@touch $@

$(VENV)/.test: $(VENV)/.play
	$(BIN)/pip $(EXACT) ".[dev]"
	@touch $@

$(LIBRARY)/.test: $(VENV)/.test
	$(PYTHON) -m venv --clear $(LIBRARY)
	$(LIBRARY)/bin/pip $(EXACT_ALONE) ".[docs,package,tests,tournament,training]"
	@touch $@

# botex needs newer libraries than oTree accepts
$(BOTEX)/.test: Makefile
	$(PYTHON) -m venv --clear $(BOTEX)
	$(BOTEX)/bin/pip install --quiet --disable-pip-version-check botex==0.2.0
	@touch $@

# Libraries in which students train: one of them needs an older gymnasium than the tests above.
$(LEARNING)/.test: $(VENV)/.test tests/learning.txt
	$(PYTHON) -m venv --clear $(LEARNING)
	$(LEARNING)/bin/pip $(INSTALL) -r tests/learning.txt -e ".[adapters,tests]"
	@touch $@

# Only the libraries of the `docs` extra: the site needs none of the project's other libraries.
$(SITE)/.site: pyproject.toml tests/constraints-alone.txt
	$(PYTHON) -m venv --clear $(SITE)
	$(SITE)/bin/pip $(INSTALL) -c tests/constraints-alone.txt mkdocs mkdocs-material
	@touch $@

env: $(VENV)/.play

play: $(VENV)/.play
	@$(BIN)/python -m mixed_company play --port $(PORT)

# Types are checked beside the tests, on processor time that tests leave idle, and printed at the end.
test: style
	@$(BIN)/mypy > $(VENV)/types.txt 2>&1 & types=$$!; $(MAKE) --no-print-directory suite; tests=$$?; \
	wait $$types; types=$$?; cat $(VENV)/types.txt; exit $$((tests + types))

# A failure does not stop the remaining tests.
test-long: $(VENV)/.test
	$(MAKE) --keep-going long drawn library learning forms pythons ends sampled

check: style
	$(BIN)/mypy --num-workers 2

style: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

suite: $(VENV)/.test
	$(BIN)/python -m tests.browser
	$(BIN)/python -m tests.proxy
	$(BIN)/python -m tests.compiled
	$(SUITE) $(TESTS)

long: $(VENV)/.test
	$(BIN)/python -m tests.browser
	$(BIN)/python -m tests.proxy
	$(SUITE) $(TESTS) -m long

# Tests with hypothesis, on new random examples.
drawn: $(VENV)/.test
	$(SUITE) $$(git grep -l "^from hypothesis" -- 'tests/**/test_*.py') --hypothesis-profile=searching

library: $(LIBRARY)/.test
	$(LIBRARY)/bin/python -c "import distributed, momaland, sb3_contrib, torch"
	$(LIBRARY)/bin/python -m tests.suite $(LIBRARY_TESTS) -m "not long" -n 2 $(BY_FILE)
	$(LIBRARY)/bin/python -m tests.suite $(LIBRARY_LONG) -m long -n 2 $(BY_FILE)

# One process: TorchRL and RLlib start threads and processes of their own.
learning: $(LEARNING)/.test
	OMP_NUM_THREADS=1 $(LEARNING)/bin/python -m pytest -p no:cacheprovider -n 0 -m long \
	    tests/adapters/test_learning_libraries.py tests/bots/training/test_rllib.py

# A bot that reads and fills in forms: it needs newer libraries than oTree accepts.
forms: $(VENV)/.test $(BOTEX)/.test
	BOTEX_PYTHON=$(CURDIR)/$(BOTEX)/bin/python $(BIN)/python -m pytest -n 0 -m long tests/door/test_form_bots.py

pythons: $(VENV)/.test
	$(BIN)/python -m tests.pythons

ends: $(VENV)/.test
	$(BIN)/python -m tests.ends

sampled: $(VENV)/.test
	for room in games table server; do $(BIN)/python -m tests.planted $$room --sample 30 || exit 1; done

coverage: $(VENV)/.test
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest $(TESTS)
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

# .planted/ keeps the results; docs/developers/mutants.md lists them.
mutants: $(VENV)/.test
	for room in games table server; do \
	    $(BIN)/python -m tests.planted $$room $(if $(SAMPLE),--sample $(SAMPLE)) || exit 1; \
	done
	$(BIN)/python -m tests.planted > docs/developers/mutants.md

bench: $(VENV)/.test
	$(BIN)/python -m benchmarks.commons
	$(BIN)/python -m benchmarks.sanctions
	$(BIN)/python -m benchmarks.gem_mining
	$(BIN)/python -m benchmarks.votes
	$(BIN)/python -m benchmarks.environments
	$(BIN)/python -m benchmarks.jaxmarl
	$(BIN)/python -m benchmarks.layers
	$(BIN)/python -m benchmarks.decisions
	$(BIN)/python -m benchmarks.tournament
	$(BIN)/python -m benchmarks.live
	$(BIN)/python -m benchmarks.moves
	$(BIN)/python -m benchmarks.pages
	for database in sqlite postgresql; do \
	    for name in server crowd agents turns growth loads; do \
	        $(BIN)/python -m benchmarks.$$name $$database || exit 1; \
	    done; \
	done
	$(BIN)/python -m benchmarks.servers
	$(BIN)/python -m benchmarks.export
	$(BIN)/python -m benchmarks.reading
	$(BIN)/python -m benchmarks.floods

drills: $(VENV)/.test
	for database in sqlite postgresql; do \
	    for name in beside crash hostile visits; do \
	        $(BIN)/python -m tests.drills $$name --database $$database || exit 1; \
	    done; \
	done
	$(BIN)/python -m tests.drills session
	$(BIN)/python -m tests.drills soak
	$(BIN)/python -m tests.drills outage
	$(BIN)/python -m tests.drills accidents
	$(BIN)/python -m tests.drills connection
	$(BIN)/python -m tests.drills disk

docs: $(VENV)/.test
	$(BIN)/python -m docs.codebook > docs/codebook.md
	$(BIN)/python -m docs.commands > docs/commands.md
	$(BIN)/python -m mixed_company measures > docs/measures.md
	$(BIN)/python -m docs.best > docs/best.md
	$(BIN)/python -m docs.policies > docs/policies.md
	$(BIN)/python -m docs.stakes > docs/stakes.md
	$(BIN)/python -m docs.pace > docs/pace.md
	$(BIN)/python -m docs.sessions > docs/sessions.md
	$(BIN)/python -m docs.sanctions
	$(BIN)/python -m docs.behaviour
	$(BIN)/python -m docs.populations
	$(BIN)/python -m docs.patterns
	$(BIN)/python -m docs.classics
	$(BIN)/python -m docs.coverage
	$(BIN)/python -m tests.analysis.audit.verdicts
	$(BIN)/python -m docs.tournaments
	$(BIN)/python -m docs.metagame $(VENV)/metagame
	$(BIN)/python -m docs.screenshot

# DATA is a folder with choices of people, which are not part of the project (docs/judged/reading.py).
judged: $(VENV)/.test
	$(BIN)/python -m docs.judged --data $(DATA)

# A warning, such as about a broken link, is an error (mkdocs.yml).
site: $(SITE)/.site
	NO_MKDOCS_2_WARNING=1 $(SITE)/bin/python -m mkdocs build --quiet
	@echo "The site is $(CURDIR)/site/index.html"

# Libraries of a server, with the hashes of their files for every Python and system
hashes: $(VENV)/.test
	$(BIN)/uv pip compile --quiet --no-config --universal --python-version 3.11 --generate-hashes \
		--custom-compile-command "make hashes" --output-file requirements-hashed.txt requirements.txt

samples: $(VENV)/.test
	$(BIN)/python -m docs.samples

trained: $(LIBRARY)/.test
	$(LIBRARY)/bin/python -m docs.training $(GAME)

clean:
	rm -rf $(VENV) $(VENV)-* site build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache

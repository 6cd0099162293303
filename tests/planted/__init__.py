"""Mutation testing: plant faults in the code, one by one, and run the tests (`make mutants`).

    python -m tests.planted games                 all faults of one part, which takes hours
    python -m tests.planted table --sample 300    a random sample of them
    python -m tests.planted server --again        the survivors of the last run
    python -m tests.planted                       print the results (docs/developers/mutants.md)

A fault is a small change in the body of a function (`changes.py`, `faults.py`). Everything is
imported, and all tests are collected, only once. For each fault the process forks, and the function
gets the changed code (`planting.py`). Then the tests that execute the changed lines are run,
quickest first, until one fails (`trying.py`). A first run with coverage determines which tests
these are and how long they take (`nearby.py`). Surviving faults are listed, with a reason for those
that change nothing visible (`reasons.toml`).

Faults are not planted in code that runs once, on import (defaults, ranges, archetypes), in texts
for people, or in error messages.
"""

"""Drills: what must hold while a server is not spared, with a seed and as long as one likes.

    python -m tests.drills                                      which drills there are
    python -m tests.drills crash --kills 100 --database postgresql --seed 1

Each drill is a module here, found by itself, with the names that `tests.drills.drill` lists. It
prints a row for docs/reliability.md; the exit code is 0 if everything held, 1 with a line for each
fault if not. `test_drills.py` runs all of them, short.
"""

"""Drills: checks of a server under failures and load, with a seed and for any length of time.

    python -m tests.drills                                      list the drills
    python -m tests.drills crash --kills 100 --database postgresql --seed 1

Each module here that has the functions listed in `tests.drills.drill` is a drill. It prints a row
for docs/reliability.md. The exit code is 0 without faults; otherwise it is 1, with a line for each
fault. `test_drills.py` runs a short version of each.
"""

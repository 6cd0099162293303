"""Faults are planted into the code, one by one, and the tests are to find them (`make mutants`).

python -m tests.planted games                 all faults of a room, which takes hours
python -m tests.planted table --sample 300    some of them, drawn by a seed
python -m tests.planted server --again        those that no test found the last time
python -m tests.planted                       what was found, as docs/developers/mutants.md has it

A fault is a small change of one place in the body of a function (`changes.py`, `faults.py`).
Everything is imported and all tests are collected once. For each fault the process is forked, the
function gets the changed code (`planting.py`), and those tests run that come by the changed lines,
the quickest first, until one fails (`trying.py`). Which tests these are, and how long they take, is
measured before, with coverage (`nearby.py`). What no test finds is listed, with the reason if it
changes nothing that anybody could see (`reasons.toml`).

Not planted: what is read once, when a module is imported (defaults, ranges, archetypes); texts for
people; what an error says.
"""

"""Golden records: stored plays with all seats' observations, and stored declarations of games.

`<game>.jsonl` is a verbose log of one play. `<game>_seen.jsonl` has a line with every seat's
observation before the first period and after each one. `<game>_declared.jsonl` has the declarations
of the game and its archetypes: fields, units, ranges. `archetypes/<game>/<archetype>.jsonl` is a
log of the first periods of an archetype.

The tests in this folder replay them and compare every byte. If the rules, the configuration or the
log are changed on purpose, rewrite the files, and check in the diff that nothing else changed:

    python -m tests.engine.golden.write
"""

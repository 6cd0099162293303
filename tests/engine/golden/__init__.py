"""Golden records: plays kept as files, with all observations of seats, and declarations of games.

`<game>.jsonl` is a verbose log of one play. `<game>_seen.jsonl` has a line with the
observation of every seat before the first and after every period.
`<game>_declared.jsonl` has the declarations of the game and its archetypes: fields, units, ranges.
`archetypes/<game>/<archetype>.jsonl` is a log of the first periods of an archetype.

The tests beside this file play the same again and compare every byte. If the rules, the
configuration or the log change on purpose, rewrite the files and check in their diff that nothing
else changed:

    python -m tests.engine.golden.write
"""

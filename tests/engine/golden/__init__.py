"""Golden records: plays kept as files, with everything each seat saw, and what games declare.

`<game>.jsonl` is a verbose log of one play. `<game>_seen.jsonl` has a line for every seat and
period, the time before the first period included: what that seat saw then.
`<game>_declared.jsonl` has what the game and its archetypes declare: fields, units, ranges.
`archetypes/<game>/<archetype>.jsonl` is a log of the first periods of an archetype.

The tests beside this file play the same again and compare every byte. Where the rules, the
configuration or the log change on purpose, write the files anew, and read in the difference of
the files whether it is what was meant to change:

    python -m tests.engine.golden.write
"""

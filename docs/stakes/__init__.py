"""Stakes of the sessions that people play by default: what choices earn, and what each session
promises.

    python -m docs.stakes > docs/stakes.md      write the page
    python -m docs.stakes --check [SESSION]     list the conditions that do not hold

`earning` measures a session, `conditions` has what every session promises, and a module named after
a game has the sessions and promises of that game.
"""

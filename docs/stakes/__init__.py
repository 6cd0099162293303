"""Stakes in the sessions that people play by default: what choices earn, and what each session
promises.

    python -m docs.stakes > docs/stakes.md      write the page
    python -m docs.stakes --check [SESSION]     list the conditions that do not hold

`earning` measures a session, and `conditions` contains the promises that apply to all sessions. A
module named after a game contains that game's sessions and promises.
"""

"""The page of `mixed --help`."""

from __future__ import annotations

from collections.abc import Iterator

from mixed_company.cli.command import Group, find, names, sentence

__all__ = ["page"]

HEAD = """mixed COMMAND ...

Behavioural games for people and bots: play them, run sessions, work with the data.
"""

FOOT = """
For example, two policies play, and their play is looked at in a browser:

    mixed play commons_game --archetype lab --policies steward,greedy > play.jsonl
    mixed replay play.jsonl --html play.html

`mixed COMMAND --help` says more of each command, with examples."""


def page() -> str:
    """Every command with its sentence, by what one wants to do."""
    return "\n".join([HEAD, *_groups(), FOOT])


def _groups() -> Iterator[str]:
    commands = {name: find(name) for name in names()}
    width = max(map(len, commands))
    for number, group in enumerate(Group):
        lines = [
            f"  {name:{width}}  {sentence(command)}"
            for name, command in commands.items()
            if command.GROUP is group
        ]
        yield "\n".join([*([""] if number else []), group.value, *lines])

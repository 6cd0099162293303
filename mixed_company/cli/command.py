"""Commands (the modules in `cli.commands`, which are found automatically) and the help page."""

from __future__ import annotations

import importlib
import pkgutil
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from enum import Enum
from keyword import iskeyword
from typing import Protocol, cast

from mixed_company.cli import commands

HEAD = """mixed COMMAND ...

Behavioural games for people and bots: play them, run sessions, work with the data.
"""

FOOT = """
For example, let two policies play, and view their play in a browser:

    mixed play commons_game --archetype lab --policies steward,greedy > play.jsonl
    mixed replay play.jsonl --html play.html

`mixed COMMAND --help` describes each command, with examples."""


class Group(Enum):
    """Sections of the help page, in order."""

    PLAY = "Play"
    SESSIONS = "Plan and run sessions"
    DATA = "Work with the data"
    POLICIES = "Compare and train policies"
    LOOK_UP = "Look things up"


class Command(Protocol):
    """Module of a command. The first line of its docstring appears on the help page; the whole
    docstring is its help text.

    GROUP      section of the help page that lists it
    EXTRA      optional extra of this package that the command needs; empty: none
    EXAMPLES   command lines that a user can copy
    """

    __doc__: str | None
    GROUP: Group
    EXTRA: str
    EXAMPLES: tuple[str, ...]

    def configure(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""

    def run(self, chosen: Namespace) -> int:
        """Run the command and return the exit code. `chosen.arguments` holds the arguments as
        written.

        Raises EngineError or OSError if it cannot be run.
        """


def names() -> list[str]:
    """Return the names of all commands."""
    return sorted(
        module.name.removesuffix("_") for module in pkgutil.iter_modules(commands.__path__)
    )


def find(name: str) -> Command:
    """Return a command by name. Raises UnknownName."""
    if name not in names():
        from mixed_company.engine.contract.errors import UnknownName, nearest

        raise UnknownName(f"command {name!r}: unknown{nearest(name, names())}")
    module = f"{name}_" if iskeyword(name) else name  # `mixed import` is the module `import_`
    return cast(Command, importlib.import_module(f"mixed_company.cli.commands.{module}"))


def sentence(command: Command) -> str:
    """Return the line that describes a command."""
    return str(command.__doc__).strip().splitlines()[0]


def page() -> str:
    """Return the `mixed --help` page: every command with its description, by group."""
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

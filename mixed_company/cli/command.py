"""A command is a module of `cli.commands` with the names below. It is found by itself."""

from __future__ import annotations

import importlib
import pkgutil
from argparse import ArgumentParser, Namespace
from enum import Enum
from typing import Protocol, cast

from mixed_company.cli import commands

__all__ = ["Command", "Group", "find", "names", "sentence"]


class Group(Enum):
    """What somebody wants to do, in the order of the page of help."""

    PLAY = "Play"
    SESSIONS = "Plan and run sessions"
    DATA = "Work with the data"
    POLICIES = "Compare and train policies"
    LOOK_UP = "Look things up"


class Command(Protocol):
    """A module: the first line of its docstring is its line in the page, the whole its help.

    GROUP      the heading below which it stands
    EXTRA      the extra of the package that it needs; empty: none
    EXAMPLES   lines to copy, each a whole command
    """

    __doc__: str | None
    GROUP: Group
    EXTRA: str
    EXAMPLES: tuple[str, ...]

    def configure(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""

    def run(self, chosen: Namespace) -> int:
        """Do it; the exit code. `chosen.arguments` are the arguments as they were written.

        Raises EngineError or OSError for what is refused.
        """


def names() -> list[str]:
    """The names of all commands: the modules of `cli.commands`."""
    return sorted(module.name for module in pkgutil.iter_modules(commands.__path__))


def find(name: str) -> Command:
    """A command by its name. Raises UnknownName."""
    if name not in names():
        from mixed_company.engine.contract.errors import UnknownName, nearest

        raise UnknownName(f"command {name!r}: unknown{nearest(name, names())}")
    return cast(Command, importlib.import_module(f"mixed_company.cli.commands.{name}"))


def sentence(command: Command) -> str:
    """What a command does, in a line."""
    return str(command.__doc__).strip().splitlines()[0]

"""Generator for docs/commands.md: every command with its arguments, read from its parser.

python -m docs.commands > docs/commands.md
"""

from __future__ import annotations

import re
import sys
from argparse import Action, ArgumentParser
from collections.abc import Iterator
from functools import partial
from textwrap import wrap
from typing import Any

from mixed_company.__main__ import parser_of
from mixed_company.cli.command import Command, Group, find, names, sentence

INTRODUCTION = """# Commands

This page lists every command of `mixed`, with its arguments and examples. In a clone without
`pip install`, write `python -m mixed_company` instead of `mixed`. `mixed COMMAND --help` prints the
same text. If a command cannot run, it prints the reason and exits with code 2. Commands with
other exit codes list them below. `make docs` writes this page.

<!-- excerpts: synopses and examples, whose syntax a test of all commands checks -->
"""

_WIDTH = 100
_USAGE = 80
"""Maximum width of a usage text that fits next to the site's navigation."""
_KEPT = "\0"
"""Placeholder for a space at which a line must not be wrapped."""


def document() -> str:
    """Return the page."""
    parts = [INTRODUCTION]
    commands = {name: find(name) for name in names()}
    for group in Group:
        parts.append(f"\n## {group.value}\n")
        chosen = {name: command for name, command in commands.items() if command.GROUP is group}
        parts += [section(name, command) for name, command in chosen.items()]
    return "".join(parts)


def section(name: str, command: Command) -> str:
    """Return the section of one command: purpose, usage, arguments and examples."""
    parser = parser_of(name, command)
    extra = f"It needs the `{command.EXTRA}` extra."
    paragraphs = [
        f"\n### mixed {name}",
        sentence(command),
        *_description(command),
        *([extra] if command.EXTRA else []),
        f"```\n{usage(parser)}\n```",
        *_tables(parser),
        "\n".join(["```", *command.EXAMPLES, "```"]),
    ]
    return "\n\n".join(paragraphs) + "\n"


def usage(parser: ArgumentParser) -> str:
    """Return a command's usage, wrapped in the same way in every version of Python."""
    formatter: Any = parser.formatter_class
    parser.formatter_class = partial(formatter, width=10_000)
    line = parser.format_usage().removesuffix("\n").replace(" [-h]", "")
    indent = " " * len(f"usage: {parser.prog} ")
    whole = re.sub(r"\[[^\[\]]*\]", lambda option: option[0].replace(" ", _KEPT), line)
    lines = wrap(whole, _USAGE, subsequent_indent=indent, break_on_hyphens=False)
    return "\n".join(lines).replace(_KEPT, " ")


def _description(command: Command) -> Iterator[str]:
    """Yield the paragraphs of a command's help below its first line.

    A call followed by an indented description becomes a sentence that starts with the call.
    """
    for paragraph in str(command.__doc__).strip().split("\n\n"):
        first, *rest = paragraph.splitlines()
        if rest and all(line.startswith("    ") for line in rest):
            text = " ".join([f"`{first}`", *(line.strip() for line in rest)])
            yield "\n".join(wrap(text, _WIDTH, break_on_hyphens=False, break_long_words=False))
        elif first != sentence(command):
            yield _as_markdown(paragraph)


def _as_markdown(text: str) -> str:
    """Return help text as Markdown, with links to pages and with special characters escaped."""
    escaped = text.replace("<", "&lt;").replace("*", "\\*")
    return re.sub(r"docs/(\w+\.md)", r"[\1](\1)", escaped)


def _tables(parser: ArgumentParser) -> Iterator[str]:
    """Yield a table for every group of arguments, starting with the command's main arguments."""
    for group in parser._action_groups:
        actions = [action for action in group._group_actions if action.dest != "help"]
        if not actions:
            continue
        if group.title not in ("positional arguments", "options"):
            yield f"Arguments {group.title}:" if group.title else ""
        head = "option" if all(action.option_strings for action in actions) else "argument"
        rows = [f"| `{_call(parser, action)}` | {_meaning(parser, action)} |" for action in actions]
        yield "\n".join([f"| {head} | meaning |", "|---|---|", *rows])


def _call(parser: ArgumentParser, action: Action) -> str:
    """Return the form of an argument: all its names, followed by its value."""
    formatter: Any = parser.formatter_class(prog=parser.prog)
    if action.option_strings:
        default = action.dest.upper()
        value = "" if action.nargs == 0 else formatter._format_args(action, default)
        return f"{', '.join(action.option_strings)} {value}".strip()
    [metavar] = formatter._metavar_formatter(action, action.dest)(1)
    return str(metavar)


def _meaning(parser: ArgumentParser, action: Action) -> str:
    """Return an argument's help with its default, for a row of a table."""
    formatter: Any = parser.formatter_class(prog=parser.prog)
    text: str = formatter._expand_help(action) if action.help else ""
    return " ".join(text.replace("|", "\\|").split())


if __name__ == "__main__":
    sys.stdout.write(document())

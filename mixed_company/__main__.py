"""The command line: `mixed COMMAND ...`, or in a clone `python -m mixed_company COMMAND ...`."""

from __future__ import annotations

import sys
from argparse import Action, ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence
from contextlib import redirect_stdout
from typing import TextIO, cast

from mixed_company.cli.command import Command, find, page
from mixed_company.cli.project import prefer_project
from mixed_company.cli.refusal import REFUSED, Visible, guarded, missing


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code; if the command is rejected, print the reason and
    return 2."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    prefer_project()
    if not words or words[0] in ("-h", "--help"):
        print(page())
        return 0 if words else REFUSED
    with redirect_stdout(cast("TextIO", Visible(sys.stdout))):
        return guarded(lambda: _run(words[0], words[1:]))


class _WithDefaults(RawDescriptionHelpFormatter):
    """Help formatter that appends an option's default, if it is informative."""

    def _get_help_string(self, action: Action) -> str | None:
        default = action.default
        if not action.option_strings or default is None or isinstance(default, bool):
            return action.help
        if default in ("", []) or action.dest == "help":
            return action.help
        return f"{action.help} (default: %(default)s)"


def parser_of(name: str, command: Command) -> ArgumentParser:
    """Return the parser of a command's arguments, for `parse_intermixed_args`."""
    parser = ArgumentParser(
        prog=f"mixed {name}",
        description=str(command.__doc__).strip(),
        epilog="\n".join(["examples:", *(f"  {example}" for example in command.EXAMPLES)]),
        formatter_class=_WithDefaults,
    )
    command.configure(parser)
    return parser


def _run(name: str, arguments: Sequence[str]) -> int:
    command = find(name)
    chosen: Namespace = parser_of(name, command).parse_intermixed_args(arguments)
    chosen.arguments = list(arguments)
    try:
        return command.run(chosen)
    except ModuleNotFoundError as error:
        return missing(error, name, command.EXTRA)


if __name__ == "__main__":
    sys.exit(main())

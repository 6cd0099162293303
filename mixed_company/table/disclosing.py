"""Check that the statement to people about bots is true in every play of a session."""

from __future__ import annotations

from string import Formatter
from typing import Any

from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.game import Game
from mixed_company.table.options import Options

__all__ = ["check_disclosure"]

_GAPS = ("bots", "seats")
"""Placeholders in a custom sentence."""


def check_disclosure(game: Game[Any], options: Options) -> None:
    """Raise ConfigError if the session's statement about bots could be false, and say why."""
    kind, text = options.disclosure, options.disclosure_text
    if kind == "count" and _fills(options):
        raise ConfigError(f"disclosure = 'count': {_UNCERTAIN.format(options.lobby_outcome)}")
    if kind == "possible" and not _can_play(game, options):
        raise ConfigError(
            "disclosure = 'possible': no bot can play here, because people fill every seat, "
            f"lobby_outcome is 'release' and dropout is {options.dropout!r}; set 'none'"
        )
    if text:
        _check_text(text, options)


_UNCERTAIN = (
    "the number of bots is not certain: with lobby_outcome = {!r} they take the seats of people "
    "who do not arrive in time; with 'release' no group begins without its people"
)


def _check_text(text: str, options: Options) -> None:
    if options.disclosure == "none":
        raise ConfigError("disclosure_text: is never shown, because disclosure is 'none'")
    try:
        gaps = {name for _, name, _, _ in Formatter().parse(text) if name is not None}
        unknown = sorted(gaps - set(_GAPS))
        if not unknown:
            text.format(bots=1, seats=1)
    except ValueError as error:
        raise ConfigError(f"disclosure_text = {text!r:.60}: {error}") from None
    if unknown:
        raise ConfigError(
            f"disclosure_text: {{{unknown[0]}}}: should be one of "
            f"{', '.join(f'{{{name}}}' for name in _GAPS)}"
        )
    if "bots" in gaps and _fills(options):
        raise ConfigError(f"disclosure_text: {{bots}}: {_UNCERTAIN.format(options.lobby_outcome)}")


def _fills(options: Options) -> bool:
    """Return whether bots can take the seats of people who have not come."""
    return options.people_per_group > 1 and options.lobby_outcome != "release"


def _can_play(game: Game[Any], options: Options) -> bool:
    """Return whether a bot can get a seat without a directive of the manager."""
    free = game.seats > options.people_per_group
    return free or _fills(options) or options.dropout in ("bot", "pause")

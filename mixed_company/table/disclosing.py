"""The statement about bots that people read, and a check that it is true in every play."""

from __future__ import annotations

from string import Formatter
from typing import Any, get_args

from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.game import Game
from mixed_company.language import codes, ngettext, speaking
from mixed_company.language import gettext as _
from mixed_company.table.options import Options

_REPLACED = ("bot", "pause")
"""Values of `dropout` for which a bot takes the seat of a person who has left."""
_GAPS = ("bots", "seats")
"""Placeholders in a custom sentence."""


def disclosure(options: Options, seats: int) -> str:
    """Return the sentence about bots that people read before they play; empty if there is none.

    If the sentence would not be true, the session is rejected (`check_disclosure`).
    """
    bots = seats - options.people_per_group
    if options.disclosure_text:
        return options.disclosure_text.format(bots=bots, seats=seats)
    return {
        "none": "",
        "possible": _("Some of the players may be computer programs."),
        "count": " ".join([_count(bots, seats), *_stand_ins(options)]),
        "labels": _("Players can be people or computer programs. You can see which is which."),
    }[options.disclosure]


def disclosures(options: Options, seats: int) -> dict[tuple[str, str], str]:
    """Return the sentence about bots for every kind of disclosure and every language, with the
    other options unchanged.

    A custom sentence (`disclosure_text`) is used only for the options' own kind.
    """
    sentences = {}
    for kind in get_args(Options.model_fields["disclosure"].annotation):
        kept = {} if kind == options.disclosure else {"disclosure_text": ""}
        changed = options.model_copy(update={"disclosure": kind, **kept})
        for language in codes():
            with speaking(language):
                sentences[kind, language] = disclosure(changed, seats)
    return sentences


def translated_disclosure(options: Options, seats: int) -> str:
    """Return the sentence about bots in the session's language."""
    with speaking(options.language):
        return disclosure(options, seats)


def _stand_ins(options: Options) -> list[str]:
    """Return the sentence saying that a bot can replace a person as early as the first period."""
    if options.people_per_group == 1 or options.dropout not in _REPLACED:
        return []
    return [_("If a player is away, a computer program takes that player's place.")]


def _count(bots: int, seats: int) -> str:
    line = ngettext(
        "When the game begins, {bots} of the {seats} players in your group is a computer program.",
        "When the game begins, {bots} of the {seats} players in your group are computer programs.",
        bots,
    )
    return line.format(bots=bots, seats=seats)


def bots_enter(options: Options, later: bool = False, advice: bool = True) -> str:
    """Return a sentence that says when a bot takes a person's seat; empty if this requires a
    directive from a manager. With `advice`, it also names the key that prevents this. If people
    can be missing, another sentence lists all bots, because a smaller group has more of them.

    `later` is true for a later block, in which a bot takes the place of a missing person.
    """
    people, fewer = [], ""
    if later and options.people_per_group > 1:
        people.append(("who is missing from this block", "no key can rule it out"))
    elif not later and _fills(options):
        wait = "twice " if options.lobby_outcome == "extend" else ""
        missing = f"who is missing after {wait}{options.lobby_seconds:g} s in the lobby"
        people.append((missing, "set lobby_outcome=release to rule it out"))
    if people and len(set(options.bot_list)) > 1:
        bots = ", ".join(options.bot_list)
        fewer = f" In a group with fewer people, the bots are {bots}, in rotation."
    if options.dropout in _REPLACED:
        pause = f" and a pause of {options.pause_seconds:g} s" if options.dropout == "pause" else ""
        silent = f"who is silent for {options.grace_seconds:g} s{pause}"
        people.append((silent, "set dropout=reduced or dropout=end to rule it out"))
    listed = [f"{who} ({rule})" if advice else who for who, rule in people]
    return f"A bot takes the seat of a person {', or '.join(listed)}.{fewer}" if listed else ""


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
    "who do not arrive in time; with 'release' no group starts without its people"
)


def _check_text(text: str, options: Options) -> None:
    if options.disclosure == "none":
        raise ConfigError("disclosure_text: would never be shown, because disclosure is 'none'")
    try:
        gaps = {part[1] for part in Formatter().parse(text) if part[1] is not None}
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
    """Return whether bots can take the seats of people who never arrive."""
    return options.people_per_group > 1 and options.lobby_outcome != "release"


def _can_play(game: Game[Any], options: Options) -> bool:
    """Return whether a bot can get a seat without a directive from the manager."""
    free = game.seats > options.people_per_group
    return free or _fills(options) or options.dropout in _REPLACED

"""Instructions: the five screens, and the texts that all games share.

The screens answer people's questions in order: What is the game about, and who plays? What do I
decide? What happens then? What do I earn? How does it end? Without scripts, they are shown one
below the other; otherwise the reader goes from screen to screen (`_static/mixed/screens.js`).

A game's guide adds its own texts. `server.pages.rules` describes layers and roles.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from mixed_company.engine.contract.config import roles_of_seats
from mixed_company.experiment.planned import Planned
from mixed_company.experiment.showing import practice_periods
from mixed_company.language import gettext as _
from mixed_company.language import ngettext
from mixed_company.policies.spec import policy_specs
from mixed_company.server.pages import (
    asking,
    choosing,
    money,
    peer_quiz,
    peer_rules,
    rules,
    talking,
    texts,
)
from mixed_company.server.pages.guide import Question, Row, Section
from mixed_company.server.pages.texts import Screen, counted, exact, section
from mixed_company.table import timing
from mixed_company.table.disclosing import disclosure
from mixed_company.table.options import Options
from mixed_company.table.setup import Setup


def titles() -> dict[Screen, str]:
    """Return the title of each screen, in reading order."""
    return {
        "about": _("What the game is about"),
        "decides": _("What you decide"),
        "happens": _("What happens next"),
        "pays": _("What you earn"),
        "ends": _("How the game ends"),
    }


def screens(parts: Sequence[Section]) -> list[Row]:
    """Return the sections grouped by screen: {name, title, progress, sections}.

    Empty screens are omitted and not counted in `progress`, which is text such as "2 of 5". A
    section without a screen belongs to `happens`.
    """
    by_screen: dict[str, list[Section]] = {name: [] for name in titles()}
    for part in parts:
        by_screen[part.get("screen", "happens")].append(part)
    shown: list[Any] = [name for name in by_screen if by_screen[name]]
    return [
        {
            "name": name,
            "title": titles()[name],
            "progress": _("{n} of {all}").format(n=n, all=len(shown)),
            "sections": by_screen[name],
        }
        for n, name in enumerate(shown, 1)
    ]


def scenes(periods: int | None, rate: str) -> dict[str, Row]:
    """Return, by screen, the numbers for the pictures that all games share: points and periods.
    `periods` is None if people are not told how many periods there are.
    """
    drawn: dict[str, Row] = {"pays": {"rate": rate}} if rate else {}
    return drawn if periods is None else {**drawn, "ends": {"periods": periods}}


def sections(setup: Setup, rate: str, fee: str) -> list[Section]:
    """Return the sections that follow the game's own sections. `rate` is the value of points as
    text, and `fee` an amount of money.
    """
    words, options = texts.shared(), setup.options
    bots = disclosure(options, setup.game.seats)
    parts = [
        section(words["company"], [escape(bots)] if bots else [], screen="about"),
        *choosing.sections(setup),
        *peer_rules.sections(setup.game, options),
        section(words["besides"], [*rules.roles(setup.game), *rules.layers(setup.game)]),
        section(words["time"], [*_order(setup), *rhythm(options)], screen="decides"),
        section(_("Talk"), talking.sentences(setup), screen="decides"),
        section(
            words["payment"],
            [*payment(options, rate, fee), *money.besides(options)],
            screen="pays",
        ),
        section(words["questions"], asking.sentences(options), screen="decides"),
        section(words["practice"], _practice(setup), screen="decides"),
        section(words["absence"], absence(options), screen="ends"),
    ]
    return [part for part in parts if part["lines"]]


def questions(setup: Setup) -> list[Question]:
    """Return the quiz questions that follow the game's own questions."""
    of_peers = peer_quiz.questions(setup.game)
    if setup.options.by_clock:
        return of_peers
    together, in_turn = _("All at the same time"), _("One after the other")
    sequential = rules.order_of(setup.game) is not None
    why = _("Nobody knows what the other players are deciding in the same period.")
    if sequential:
        why = _("Players who decide later see the earlier decisions.")
    return [
        *of_peers,
        {
            "name": "when",
            "text": _("When do the players decide?"),
            "options": [together, in_turn],
            "right": in_turn if sequential else together,
            "why": why,
        },
    ]


def _order(setup: Setup) -> list[str]:
    order = rules.order_of(setup.game)
    if setup.options.by_clock:
        return []
    if order is None:
        return [_("In each period, all players decide at the same time.")]
    line = _(
        "In each period, the players decide one after the other. Players who decide later see the "
        "earlier decisions. The order is: {players}."
    )
    return [line.format(players=rules.players(order))]


def rhythm(options: Options) -> list[str]:
    """Return the sentences about how much time people have for a decision."""
    if not options.decision_seconds:
        return []
    line = _(
        "You have {s} seconds for each decision. If you do not decide in time, that counts as "
        "doing nothing."
    )
    if options.by_clock:
        line = _(
            "A turn lasts {s} seconds. You can change your choice until the turn ends. Only your "
            "last choice counts. If you make no choice, you do nothing in that turn."
        )
    return [line.format(s=exact(options.decision_seconds))]


def absence(options: Options) -> list[str]:
    """Return the sentences about what happens if people are away."""
    lines = []
    away = _(
        "If you are away for more than {s} seconds, a stand-in decides for you until "
        "you come back. What the stand-in earns does not count towards your payment."
    )
    if options.dropout == "reduced":
        away = _(
            "If you are away for more than {s} seconds, you are out of the game and cannot come "
            "back. You are paid for what you have earned by then."
        )
    elif options.dropout == "end":
        away = _(
            "If a player is away for more than {s} seconds, the game ends for the whole group. "
            "Everybody is paid for what they have earned by then."
        )
    elif options.dropout == "pause":
        lines.append(
            _(
                "If a player is away for more than {s} seconds, the other players wait up to "
                "{pause} more seconds."
            ).format(s=exact(options.grace_seconds), pause=exact(options.pause_seconds))
        )
        away = _(
            "If you are not back by then, a stand-in decides for you until you come back. "
            "What the stand-in earns does not count towards your payment."
        )
    lines.append(away.format(s=exact(options.grace_seconds)))
    if options.ready:
        grace = timing.grace_ms(options.grace_seconds)
        come = timing.come_ms(grace, options.dropout, options.confirms_alone)
        line = _(
            "Before the game begins, you are asked whether you are ready. If you do not confirm "
            "within {s} seconds, you are treated as away."
        )
        lines.append(line.format(s=exact(come / 1000)))
    return lines


def payment(options: Options, rate: str, fee: str) -> list[str]:
    """Return the sentences about payment; `rate` and `fee` are texts."""
    lines = [_("{rate}. You are paid {fee} for taking part.").format(rate=rate, fee=fee)]
    if not rate:
        lines = [
            _("Points are not worth any money. You are paid {fee} for taking part.").format(fee=fee)
        ]
    if options.pay_cap:
        lines.append(
            counted(
                "You are paid for at most {n} point.",
                "You are paid for at most {n} points.",
                options.pay_cap,
            )
        )
    if options.pay_floor:
        lines.append(
            counted(
                "You are paid for at least {n} point.",
                "You are paid for at least {n} points.",
                options.pay_floor,
            )
        )
    return lines


def _practice(setup: Setup) -> list[str]:
    """Return the sentences about the practice and how it differs from the play. They mention that
    the other players are bots only if the session discloses bots.
    """
    periods = practice_periods(setup)
    if not periods:
        return []
    line = ngettext(
        "Before the game, you practise for {n} period. It does not count, and you can "
        "take as much time as you like.",
        "Before the game, you practise for {n} periods. They do not count, and you can "
        "take as much time as you like.",
        periods,
    )
    if setup.options.by_clock:
        line = ngettext(
            "Before the game, you practise for {n} turn. It does not count, and it lasts "
            "until you choose.",
            "Before the game, you practise for {n} turns. They do not count, and each one "
            "lasts until you choose.",
            periods,
        )
    lines = [line.format(n=periods)]
    if len(set(roles_of_seats(setup.game.config.agents, setup.game.seats))) > 1:
        lines.append(_("Your role during practice may differ from your role in the game."))
    if setup.options.disclosure != "none":
        lines.append(_partners(setup.options))
    return lines


def _partners(options: Options) -> str:
    """Return the sentence about the other players in the practice."""
    if set(policy_specs(options.practice_bots)) == {"random"}:
        return _("During practice, all other players are computer programs that choose at random.")
    return _("During practice, all other players are computer programs.")


def about(planned: Planned | None) -> list[Section]:
    """Return the sections about blocks: how many there are, who plays together, and which are
    paid.
    """
    if planned is None or not planned.blocks:
        return []
    many = len(planned.part_names)
    lines = [
        counted(
            "This session has {n} part.",
            "This session has {n} parts. Before each part, you are told what changes.",
            many,
        )
    ]
    with_whom = {
        "partners": _("You stay in the same group for all parts."),
        "strangers": _("New groups are formed at random for each part.")
        if many == len(planned.blocks)
        else _("New groups are formed at random for each game."),
        "perfect_strangers": _("You never play with the same person twice."),
    }[planned.course.matching]
    paid = {
        "all": _("You are paid for what you earn in every part."),
        "one": _(
            "At the end, one part is drawn at random for you. You are paid for what you earn in "
            "that part."
        ),
    }[planned.course.pay_blocks]
    _number, plays = planned.round
    if plays > 1:
        lines.append(
            counted(
                "In this part, you play the game {n} time.",
                "In this part, you play the game {n} times. Nothing carries over from one game to "
                "the next.",
                plays,
            )
        )
    return [
        section("", [*lines, with_whom], screen="about"),
        section("", [paid], screen="pays"),
    ]

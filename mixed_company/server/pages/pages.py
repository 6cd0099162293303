"""The pages every app has, in order: Instructions, Quiz, Lobby, Play, Results.

They are the same for all games. What the game itself says and shows is its guide, found by the name
of the app (`server.pages.guide` lists the files that a game needs).
"""

from __future__ import annotations

import json
import secrets
from html import escape
from typing import Any

from mixed_company.server import live
from mixed_company.server.blocks.apps import block_of
from mixed_company.server.blocks.way import again, goes_on, has_come, is_planned, sequence_of
from mixed_company.server.keeping import storage
from mixed_company.server.open.arrivals import link_for
from mixed_company.server.open.lobbies import lobbies
from mixed_company.server.open.showing import MOST_PERIODS
from mixed_company.server.open.tables import tables
from mixed_company.server.pages import (
    asking,
    blocks,
    choosing,
    money,
    results,
    rules,
    screens,
    talking,
    texts,
    wording,
)
from mixed_company.server.pages.attention import counted
from mixed_company.server.pages.disclosure import disclose
from mixed_company.server.pages.modules import modules
from mixed_company.server.pages.quiz import Quiz
from mixed_company.server.pages.shared import Shared, guide, setup_of, words_of
from mixed_company.server.paying import payment
from mixed_company.server.treatments import assign, planned_of
from mixed_company.table.directives import Directive
from mixed_company.table.pay import is_paid
from mixed_company.table.setup import Setup

__all__ = ["Instructions", "Lobby", "Play", "Quiz", "Results"]


class Instructions(Shared):
    """The rules, with this session's own numbers."""

    template_name = "mixed/Instructions.html"
    step = "instructions"

    @staticmethod
    def is_displayed(player: Any) -> bool:
        """Who begins here is assigned to a treatment: what follows is told of that."""
        if player.status == "arriving":
            assign(player)
        return bool(player.status == "arriving") and not again(player)

    @staticmethod
    def hurry(player: Any) -> bool:
        """Who reads goes on to quiz or practice; else nobody is brought into a play unseen."""
        options = setup_of(player).options
        return options.quiz or bool(options.practice_periods)

    @classmethod
    def vars_for_template(cls, player: Any) -> dict[str, Any]:
        disclose(player, setup_of(player))
        return {**cls.frame(player), "screens": cls.rules(player)}

    @classmethod
    def js_vars(cls, player: Any) -> dict[str, Any]:
        setup = setup_of(player)
        rate = money.equation(player.session)
        return {
            "game": setup.config["identity"]["game"],
            "pictures": {
                "own": guide(setup).scenes(setup.game),
                "shared": screens.scenes(setup.game.horizon, rate),
            },
            "texts": {**words_of(setup), **texts.shared()},
        }


class Lobby(Shared):
    """People meet here; the page moves on by itself.

    It has no timeout: oTree's go by the machine's clock, also while no server was there to keep the
    promise. The lobby finds out itself who has left (`table.lobby`).
    """

    template_name = "mixed/Lobby.html"
    step = "lobby"
    form_model = "player"
    form_fields = ["leaving"]

    @staticmethod
    def hurry(player: Any) -> bool:
        """The promise to who waits is over now, with what the session has follow on that."""
        lobbies.hurry(player)
        return False

    @staticmethod
    def is_displayed(player: Any) -> bool:
        """Who comes without instructions, in an app that has none, is assigned here."""
        if player.status == "arriving":
            assign(player)
        options = setup_of(player).options
        if player.status == "arriving" and options.people_per_group == 1:
            lobbies.admit(player)
        return player.status in ("arriving", "waiting")

    @staticmethod
    def live_method(player: Any, data: Any) -> dict[int, Any]:
        return live.lobby(player, data)

    @classmethod
    def vars_for_template(cls, player: Any) -> dict[str, Any]:
        words = wording.lobby()
        if is_planned(player):
            words["leave_sure"] = words["leave_later"]
        return {**cls.frame(player), "lobby": words}

    @staticmethod
    def js_vars(player: Any) -> dict[str, Any]:
        options = setup_of(player).options
        return {
            "texts": wording.lobby(),
            "outcome": "bots" if is_planned(player) else options.lobby_outcome,
            "promise_ms": 1000 * options.lobby_seconds,
            "bots": _bots(player),
        }

    @staticmethod
    def error_message(player: Any, values: dict[str, Any]) -> str | None:
        if values["leaving"] and player.status in ("arriving", "waiting"):
            lobbies.part(player)
        return wording.lobby()["not_yet"] if player.status in ("arriving", "waiting") else None


def _bots(player: Any) -> int:
    """How many seats of a group are for computer programs, where people are told of them."""
    setup = setup_of(player)
    disclosed = setup.options.disclosure in ("count", "labels")
    return max(setup.game.seats - setup.options.people_per_group, 0) if disclosed else 0


def stage_vars(setup: Setup, seat: int) -> dict[str, Any]:
    """What the play page of a seat needs once, before anything is played."""
    options = setup.options
    return {
        "game": setup.config["identity"]["game"],
        "setting": guide(setup).setting(setup.game, seat),
        "besides": rules.besides(setup.game),
        "accepts": rules.accepted(setup.game),
        "role": rules.role_of(setup.game, seat),
        "periods": setup.game.horizon,
        "history_periods": MOST_PERIODS,
        "turn_ms": 1000 * options.decision_seconds if options.by_clock else None,
        "seat": seat,
        "digits": guide(setup).digits,
        **({"talk": talking.setting(setup, seat)} if options.talks else {}),
        **choosing.sent(setup),
        "texts": words_of(setup),
    }


class Play(Shared):
    """The one live page on which all periods are played.

    It has no timeout: oTree's go by the machine's clock. A play that everybody has left ends by
    itself.
    """

    template_name = "mixed/Play.html"
    step = "play"
    form_model = "player"
    form_fields = ["attention"]

    @staticmethod
    def hurry(player: Any) -> bool:
        """A policy decides in this period for who has not decided, and the person is asked whether
        he or she is there; of who has decided, nothing is wanted (`table.managing`)."""
        tables.manage(player, Directive("skip", f"advance {secrets.token_hex(8)}", player.seat))
        return False

    @staticmethod
    def is_displayed(player: Any) -> bool:
        return bool(player.status == "seated")

    @staticmethod
    def live_method(player: Any, data: Any) -> dict[int, Any]:
        return live.play(player, data)

    @classmethod
    def vars_for_template(cls, player: Any) -> dict[str, Any]:
        setup = setup_of(player)
        return {
            **cls.frame(player),
            "attentive": setup.options.attention,
            "talk": talking.words() if setup.options.talks else None,
            "asks": asking.in_play(setup.options, player.seat),
            "modules": modules(setup.config["identity"]["game"]),
            "play": words_of(setup),
            "screens": cls.rules(player),
            "choosing": bool(setup.rules),
        }

    @classmethod
    def js_vars(cls, player: Any) -> dict[str, Any]:
        return stage_vars(setup_of(player), player.seat)

    @staticmethod
    def error_message(player: Any, values: dict[str, Any]) -> str | None:
        over = tables.settled(player).parted(player.seat)
        return None if over else wording.play()["not_over"]

    @staticmethod
    def before_next_page(player: Any, timeout_happened: bool) -> None:
        counts = counted(player.attention) if setup_of(player).options.attention else {}
        player.attention = json.dumps(counts) if counts else ""
        tables.settled(player)


class Results(Shared):
    """What was earned, and why. Between two blocks it is short: what would have been better, and
    what is paid, is said at the end."""

    template_name = "mixed/Results.html"
    step = "results"

    @staticmethod
    def is_displayed(player: Any) -> bool:
        """Whose part was over in a block before has seen them there."""
        return has_come(player)

    @classmethod
    def vars_for_template(cls, player: Any) -> dict[str, Any]:
        setup, planned = setup_of(player), planned_of(player.subsession)
        options, own = setup.options, guide(setup)
        words, between = wording.results(), goes_on(player, planned)
        notes = results.ended(player.status, player.seat >= 0 or is_planned(player), words)
        summary: list[str] = []
        parts: list[dict[str, str]] = []
        details: list[dict[str, Any]] = []
        if player.seat >= 0:
            table = tables.settled(player)
            log = storage.log_of(storage.log_class(player), player.group)
            parts = results.parts(log, player.seat, own.texts(table.game.core), own.digits)
            if table.episode.done and not between:
                summary = own.summary(table, log, player.seat)
                details = results.with_row_heads(own.details(table, log, player.seat))
            elif not table.over:
                notes.append(words["others_play"])
            notes += choosing.notes(setup)
            notes += results.notes(table, log, player.seat)
        return {
            **cls.frame(player),
            "results": words,
            "title": words["title" if player.seat >= 0 else "over"],
            "between": between,
            "part": blocks.headed(player, planned, between),
            "blocks": [] if between else blocks.earned(player, planned),
            "drawn": "" if between else blocks.drawn(player, planned),
            "played": player.seat >= 0,
            "points": texts.number(player.points, own.digits),
            "unit": texts.earned(player.points, own.digits),
            "pay": money.written(payment(player)),
            "rate": money.equation(player.session),
            "cents": [] if between else results.cents(player, words),
            "notes": notes,
            "parts": parts,
            "details": details,
            "summary": summary,
            "link": escape(link_for(player, options.completion_links)),
            "goes_on": between
            or (
                is_paid(player.status, player.seat >= 0 or is_planned(player)) and _follows(player)
            ),
            **blocks.title(planned, between),
        }

    @classmethod
    def js_vars(cls, player: Any) -> dict[str, Any]:
        setup = setup_of(player)
        played = player.seat >= 0 and tables.settled(player).episode.done
        played = played and not goes_on(player, planned_of(player.subsession))
        return {
            "game": setup.config["identity"]["game"],
            "setting": guide(setup).setting(setup.game, player.seat) if played else {},
            "periods": setup.game.horizon,
            "seat": player.seat,
            "history": tables.of(player).past.history(player.seat) if played else [],
            "picture": _picture(player) if played else {},
            "texts": words_of(setup),
        }


def _follows(player: Any) -> bool:
    """Does another app of the session come after this one? Later blocks do only for who goes on."""
    sequence = sequence_of(player.session)
    after = sequence[sequence.index(player.get_folder_name()) + 1 :]
    return any(block_of(app) == 1 for app in after)


def _picture(player: Any) -> dict[str, Any]:
    """What the stage's `ending` draws, where a game has one."""
    log = storage.log_of(storage.log_class(player), player.group)
    return guide(setup_of(player)).picture(tables.settled(player), log, player.seat)

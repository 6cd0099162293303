"""Live pages: Lobby and Play, and Practice, which comes before them.

These pages have no timeout, because oTree's timeouts follow the machine's clock, even while the
server is down. The lobby itself detects that somebody has left (`table.lobby`), and a play finishes
by itself after everybody has left.
"""

from __future__ import annotations

import json
import secrets
from typing import Any

from mixed_company.experiment.showing import practice_periods
from mixed_company.language import Words
from mixed_company.language import gettext as _
from mixed_company.server import live
from mixed_company.server.blocks.way import again, is_planned
from mixed_company.server.open.lobbies import lobbies
from mixed_company.server.open.open_table import OpenTable
from mixed_company.server.open.practices import practices
from mixed_company.server.open.showing import MOST_PERIODS
from mixed_company.server.open.tables import tables
from mixed_company.server.pages import (
    asking,
    choosing,
    money,
    peers,
    rules,
    scriptless,
    talking,
    wording,
)
from mixed_company.server.pages.guide import modules
from mixed_company.server.pages.handed_in import counted
from mixed_company.server.pages.shared import Shared, guide, keep_reason, setup_of, words_of
from mixed_company.server.treatments import assign, planned_of
from mixed_company.table.directives import Directive
from mixed_company.table.lobby import longest_ms
from mixed_company.table.protocol import Message, Refusal
from mixed_company.table.setup import Setup


class Lobby(Shared):
    """Page where people wait for their group; it moves on automatically."""

    template_name = "mixed/Lobby.html"
    plain_template = "mixed/Plain.html"
    step = "lobby"
    form_model = "player"
    form_fields = ["leaving"]

    @staticmethod
    def hurry(player: Any) -> bool:
        """End a person's waiting time now; the session's settings decide what follows."""
        lobbies.hurry(player)
        return False

    @staticmethod
    def is_displayed(player: Any) -> bool:
        """Assign a person to a treatment if the app has no instructions page."""
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
        if scriptless.is_plain(setup_of(player), player):
            lobbies.admit(player)
            return {**cls.frame(player), **scriptless.waiting(words["title"], words["stay"])}
        return {**cls.frame(player), "lobby": words}

    @staticmethod
    def js_vars(player: Any) -> dict[str, Any]:
        options = setup_of(player).options
        if is_planned(player):  # such a block starts after one wait, even if somebody is missing
            options = options.model_copy(update={"lobby_outcome": "bots"})
        return {
            "texts": wording.lobby(),
            "outcome": options.lobby_outcome,
            "promise_ms": longest_ms(options),
            "bots": _bots(player),
        }

    @staticmethod
    def error_message(player: Any, values: dict[str, Any]) -> str | None:
        if values["leaving"] and player.status in ("arriving", "waiting"):
            lobbies.part(player)
        return wording.lobby()["not_yet"] if player.status in ("arriving", "waiting") else None


def _bots(player: Any) -> int:
    """Return the number of bots in a group if people are told that number, otherwise 0."""
    setup = setup_of(player)
    disclosed = setup.options.disclosure in ("count", "labels")
    return max(setup.game.seats - setup.options.people_per_group, 0) if disclosed else 0


def stage_vars(setup: Setup, seat: int) -> dict[str, Any]:
    """Return the data that a seat's play page needs once, before play begins."""
    options = setup.options
    return {
        "game": setup.config["identity"]["game"],
        "setting": guide(setup).setting(setup.game, seat),
        "besides": rules.besides(setup.game),
        "accepts": rules.accepted(setup.game),
        "role": rules.role_of(setup.game, seat),
        "periods": setup.game.told_horizon,
        "history_periods": MOST_PERIODS,
        "turn_ms": 1000 * options.decision_seconds if options.by_clock else None,
        "seat": seat,
        "peers": peers.setting(setup.game),
        "digits": guide(setup).digits,
        **({"talk": talking.setting(setup, seat)} if options.talks else {}),
        **choosing.sent(setup),
        "texts": words_of(setup),
    }


class Play(Shared):
    """Live page for playing all periods."""

    template_name = "mixed/Play.html"
    plain_template = "mixed/Plain.html"
    step = "play"
    form_model = "player"
    form_fields = ["attention"]

    @staticmethod
    def hurry(player: Any) -> bool:
        """Have a policy decide for a person who has not decided, and ask whether the person is
        there.
        """
        tables.manage(player, Directive("skip", f"advance {secrets.token_hex(8)}", player.seat))
        return False

    @staticmethod
    def is_displayed(player: Any) -> bool:
        return bool(player.status == "seated")

    @staticmethod
    def live_method(player: Any, data: Any) -> dict[int, Any]:
        return live.play(player, data)

    @staticmethod
    def first_view(player: Any) -> dict[str, Any]:
        """Return the view that the page draws before its socket is connected."""
        return tables.seen(player)

    @staticmethod
    def told(player: Any, message: Message | Refusal | None = None) -> tuple[OpenTable, int, str]:
        """Handle a message from a page without scripts, and commit. Without a message, record that
        the page is there. Returns the table, the seat, and the reason if the message is refused.
        """
        opened, reasons = tables.of(player), list[str]()
        sent = Message("alive") if message is None else message
        tables.committed(
            opened, lambda: reasons.append(scriptless.taken(opened, player.seat, sent))
        )
        return opened, player.seat, reasons[0]

    def post(self) -> Any:
        """Handle a decision from a page without scripts; move on if the play is over."""
        if not scriptless.is_plain(setup_of(self.player), self.player):
            return super().post()
        opened, seat, _reason = self.told(self.player)
        if opened.table.parted(seat):
            return super().post()
        message = scriptless.message_of(opened.table, seat, self._form_data)
        if reason := self.told(self.player, message)[2]:
            keep_reason(self.participant.code, self._index_in_pages, reason)
        return self._redirect_to_page_the_user_should_be_on()

    @classmethod
    def vars_for_template(cls, player: Any) -> dict[str, Any]:
        if scriptless.is_plain(setup_of(player), player):
            opened, seat, _reason = cls.told(player)
            form = scriptless.decision(opened, seat, cls.first_view(player))
            return {**cls.frame(player), **form}
        first_view = asking.in_script(
            cls.first_view(player)
        )  # may change the setup: see `setup_of`
        setup = setup_of(player)
        return {
            **cls.frame(player),
            "first_view": first_view,
            "attentive": setup.options.attention,
            "talk": talking.words() if setup.options.talks else None,
            "asks": asking.in_play(setup.options, player.seat),
            "modules": modules(setup.config["identity"]["game"]),
            "play": {**words_of(setup), **_repeated(player)},
            "screens": cls.rules(player),
            "choosing": bool(setup.rules),
            "assigns": setup.game.peers is not None,
        }

    @classmethod
    def js_vars(cls, player: Any) -> dict[str, Any]:
        shown = stage_vars(setup_of(player), player.seat)
        texts = {**shown["texts"], **_repeated(player)}
        return {**shown, "texts": texts, "rate": money.equation(player.session)}

    @staticmethod
    def error_message(player: Any, values: dict[str, Any]) -> str | None:
        over = tables.settled(player).parted(player.seat)
        return None if over else wording.play()["not_over"]

    @staticmethod
    def before_next_page(player: Any, timeout_happened: bool) -> None:
        counts = counted(player.attention) if setup_of(player).options.attention else {}
        player.attention = json.dumps(counts) if counts else ""
        tables.settled(player)


def _repeated(player: Any) -> Words:
    """Return the texts that give the number of a play in a repeated block, and lead on to the next
    play."""
    planned = planned_of(player.subsession)
    if planned is None or planned.round[1] == 1:
        return {}
    (play, plays), setup = planned.round, setup_of(player)
    named = _("Game {n} of {all}").format(n=play, all=plays)
    if setup.game.horizon > 1:
        named = f"{named}: {words_of(setup)['period']}"
    if planned.is_last_of_part:
        return {"period": named}
    partners = planned.course.matching == "partners"
    over = _("On to the next game") if partners else _("You are now joining a new group")
    line = _("On to the next game.") if partners else _("You are now joining a new group.")
    return {"period": named, "over": over, "over_said": line, "to_results": _("Continue")}


class Practice(Play):
    """Play page with a banner: the person plays some periods with only bots, before the lobby.

    Shown if the session has a practice (`practice_periods`). `server.open.practices` defines what
    is played and makes sure that nothing counts.
    """

    template_name = "mixed/Practice.html"
    step = "practice"
    form_fields: list[str] = []

    @staticmethod
    def hurry(_player: Any) -> bool:
        """Move a person from the practice to the lobby."""
        return True

    @staticmethod
    def is_displayed(player: Any) -> bool:
        has_one = setup_of(player).options.practice_periods and not again(player)
        return bool(has_one and player.status == "arriving")

    @staticmethod
    def live_method(player: Any, data: Any) -> dict[int, Any]:
        return live.practice(player, data)

    @staticmethod
    def first_view(player: Any) -> dict[str, Any]:
        return practices.seen(player)

    @staticmethod
    def told(player: Any, message: Message | Refusal | None = None) -> tuple[OpenTable, int, str]:
        opened = practices.of(player)
        (seat,) = opened.table.people
        sent = Message("alive") if message is None else message
        return opened, seat, tables.in_loop(lambda: scriptless.taken(opened, seat, sent))

    @classmethod
    def vars_for_template(cls, player: Any) -> dict[str, Any]:
        if scriptless.is_plain(setup_of(player), player):
            form = super().vars_for_template(player)
            return {**form, "lines": [_("Practice. Nothing here counts."), *form["lines"]]}
        setup = setup_of(player)
        changes = {"attentive": False, "talk": None, "asks": "", "play": _words(setup)}
        changes["practice"] = _("Practice. Nothing here counts.")
        return {**super().vars_for_template(player), **changes}

    @classmethod
    def js_vars(cls, player: Any) -> dict[str, Any]:
        setup = setup_of(player)
        (seat,) = practices.of(player).table.people
        shown = stage_vars(setup.practice, seat)
        changes = {"periods": practice_periods(setup), "texts": _words(setup)}
        return {**shown, **changes, "rate": money.equation(player.session)}

    @staticmethod
    def error_message(player: Any, values: dict[str, Any]) -> str | None:
        table = practices.of(player).table
        left = player.status != "arriving" or table.parted(*table.people)
        return None if left else _("The practice is not over yet.")

    @staticmethod
    def before_next_page(player: Any, timeout_happened: bool) -> None:
        practised = practices.end(player)
        player.practised_periods = practised.periods
        player.practice_log = json.dumps(practised.decisions)


def _words(setup: Setup) -> Words:
    """Return the texts of the play page, changed where they would be wrong in a practice."""
    over = _("The practice is over")
    words = words_of(setup)
    if setup.game.told_horizon is None:  # people are told the number of practice periods
        words = {**words, "period": wording.play()["period"]}
    return {
        **words,
        "saved": _("Connected"),
        "over": over,
        "out": over,
        "over_said": _("The practice is over."),
        "out_said": _("The practice is over."),
        "out_ended": "",
        "to_results": _("Continue"),
    }

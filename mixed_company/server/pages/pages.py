"""Pages that every app has, in order (`PAGES`); this module defines the first and last ones.

These pages are the same for all games. A game's own texts and pictures come from its guide, which
is found by the app's name (`server.pages.guide` lists the files that a game needs).
"""

from __future__ import annotations

from html import escape
from typing import Any

from mixed_company.server import clock
from mixed_company.server.blocks.apps import block_of
from mixed_company.server.blocks.way import (
    again,
    goes_on,
    has_come,
    is_planned,
    players_of,
    repeats,
    sequence_of,
)
from mixed_company.server.keeping import storage
from mixed_company.server.open.arrivals import link_for
from mixed_company.server.open.tables import tables
from mixed_company.server.pages import (
    blocks,
    choosing,
    instructions,
    money,
    results,
    texts,
    wording,
)
from mixed_company.server.pages.play import Lobby, Play, Practice
from mixed_company.server.pages.questions import Questionnaire, QuestionsAfter, QuestionsBefore
from mixed_company.server.pages.quiz import Quiz
from mixed_company.server.pages.shared import Shared, guide, setup_of, words_of
from mixed_company.server.paying import payment
from mixed_company.server.treatments import assign, planned_of
from mixed_company.table.disclosing import disclosure
from mixed_company.table.pay import is_paid
from mixed_company.table.setup import Setup

MOST_COMMENTS = 5_000
"""Maximum number of characters that are stored for a comment."""


class Consent(Shared):
    """Consent page, which is shown first. The session ends for people who do not consent."""

    template_name = "mixed/Consent.html"
    step = "consent"
    form_model = "player"
    form_fields = ["consented"]

    @staticmethod
    def is_displayed(player: Any) -> bool:
        """Exclude a person who was excluded from an earlier game."""
        if player.status == "arriving":
            before = players_of(player.participant)
            if any(other.status == "excluded" for other in before):
                player.status = "excluded"
        wanted = setup_of(player).options.consent and not is_planned(player)
        return bool(wanted) and player.status == "arriving"

    @classmethod
    def vars_for_template(cls, player: Any) -> dict[str, Any]:
        text = setup_of(player).options.consent
        return {
            **cls.frame(player),
            "consent": texts.consent(),
            "paragraphs": texts.paragraphs(text),
        }

    @staticmethod
    def error_message(player: Any, values: dict[str, Any]) -> str | None:
        return None if values["consented"] in ("yes", "no") else texts.consent()["choose"]

    @staticmethod
    def before_next_page(player: Any, timeout_happened: bool) -> None:
        player.consented_ms = float(clock.wall_ms())
        if player.consented == "no":
            player.status = "no_consent"


class Instructions(Shared):
    """Page that explains the rules, with this session's numbers."""

    template_name = "mixed/Instructions.html"
    step = "instructions"

    @staticmethod
    def is_displayed(player: Any) -> bool:
        """Assign a new person to a treatment, because the instructions depend on it."""
        if player.status == "arriving":
            assign(player)
        return bool(player.status == "arriving") and not again(player)

    @staticmethod
    def hurry(player: Any) -> bool:
        """Move the reader on if a quiz or practice comes next, but never straight into the
        lobby.
        """
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
                "shared": instructions.scenes(setup.game.told_horizon, rate),
            },
            "texts": {**words_of(setup), **texts.shared()},
        }


def disclose(player: Any, setup: Setup) -> None:
    """Store the sentence about bots that a person was shown, and when it was first shown."""
    line = disclosure(setup.options, setup.game.seats)
    if line and not player.disclosed_ms:
        player.disclosure, player.disclosed_ms = line, float(clock.wall_ms())


class Comments(Shared):
    """Page for a free comment, before people see their payment."""

    template_name = "mixed/Comments.html"
    step = "results"
    form_model = "player"
    form_fields = ["comments"]

    @staticmethod
    def is_displayed(player: Any) -> bool:
        over = has_come(player) and not goes_on(player, planned_of(player.subsession))
        asked_for = setup_of(player).options.comments and over
        return bool(asked_for and player.seat >= 0 and is_paid(player.status, seated=True))

    @classmethod
    def vars_for_template(cls, player: Any) -> dict[str, Any]:
        return {**cls.frame(player), "comments": texts.comments(), "most": MOST_COMMENTS}

    @staticmethod
    def before_next_page(player: Any, timeout_happened: bool) -> None:
        player.comments = (player.comments or "")[:MOST_COMMENTS]


class Results(Shared):
    """Results: points, payment and reasons; between two blocks, the advice and payment are
    omitted.
    """

    template_name = "mixed/Results.html"
    step = "results"

    @staticmethod
    def is_displayed(player: Any) -> bool:
        """Show the page, except to people whose participation ended in an earlier block, and
        between the plays of a block."""
        planned = planned_of(player.subsession)
        in_block = goes_on(player, planned) and planned is not None and not planned.is_last_of_part
        return has_come(player) and not in_block

    @classmethod
    def vars_for_template(cls, player: Any) -> dict[str, Any]:
        setup, planned = setup_of(player), planned_of(player.subsession)
        options, game_guide = setup.options, guide(setup)
        words, between = wording.results(), goes_on(player, planned)
        is_over, points = _is_over(player), blocks.points_of_part(player)
        notes = results.ended(player.status, player.seat >= 0 or is_planned(player), words)
        summary: list[str] = []
        parts: list[dict[str, str]] = []
        details: list[dict[str, Any]] = []
        if player.seat >= 0:
            table = tables.settled(player)
            log = storage.log_of(storage.log_class(player), player.group)
            if not repeats(player):
                parts = results.parts(log, player.seat, words_of(setup), game_guide.digits)
            if is_over:
                summary = game_guide.summary(table, log, player.seat)
                summary += results.peer_summary(table.game, log, player.seat, game_guide.digits)
                details = results.tables(game_guide.details(table, log, player.seat))
            elif not table.over:
                notes.append(words["others_play"])
            notes += choosing.notes(setup)
            notes += results.notes(table, log, player.seat, bool(planned and planned.blocks))
        return {
            **cls.frame(player),
            "results": words,
            "title": words["title" if player.seat >= 0 else "over"],
            "between": between,
            "part": blocks.headed(player, planned, between),
            "blocks": [] if between else blocks.earned(player, planned),
            "drawn": "" if between else blocks.drawn(player, planned),
            "played": player.seat >= 0,
            "points": texts.number(points, game_guide.digits),
            "unit": texts.earned(points, game_guide.digits),
            "pay": money.written(payment(player)),
            "rate": money.equation(player.session),
            "cents": [] if between else results.cents(player, words),
            "notes": notes,
            "is_over": is_over,
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
        setup, played = setup_of(player), _is_over(player)
        return {
            "game": setup.config["identity"]["game"],
            "setting": guide(setup).setting(setup.game, player.seat) if played else {},
            "periods": setup.game.told_horizon,
            "seat": player.seat,
            "history": tables.of(player).past.history(player.seat) if played else [],
            **(_pictures(player) if played else {"picture": {}, "course": {}}),
            "texts": words_of(setup),
        }


def _follows(player: Any) -> bool:
    """Return whether another app of the session follows; later blocks do not count."""
    sequence = sequence_of(player.session)
    after = sequence[sequence.index(player.get_folder_name()) + 1 :]
    return any(block_of(app) == 1 for app in after)


def _is_over(player: Any) -> bool:
    """Return whether the person may now see the whole play. The person may not see it while others
    are still playing, or between two blocks. The plays of a repeated block are not shown again.
    """
    played = player.seat >= 0 and tables.settled(player).episode.done
    return played and not repeats(player) and not goes_on(player, planned_of(player.subsession))


def _pictures(player: Any) -> dict[str, Any]:
    """Return the points so far (`results.course`), and the numbers for the stage's `ending`."""
    log = storage.log_of(storage.log_class(player), player.group)
    picture = guide(setup_of(player)).picture(tables.settled(player), log, player.seat)
    return {
        "picture": picture,
        "course": results.course(log, player.seat, picture.get("course", {})),
    }


PAGES = [
    *(Consent, Instructions, Quiz, Practice, QuestionsBefore, Lobby),
    *(Play, QuestionsAfter, Comments, Questionnaire, Results),
]
"""Pages of an app in order: its `page_sequence`."""

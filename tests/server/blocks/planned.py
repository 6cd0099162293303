"""A session with blocks, in this process: its plan, its people and their visitors."""

from __future__ import annotations

import itertools
from typing import Any

import otree.session
from otree import database
from otree.models import Participant

from mixed_company.experiment import reading, treatments
from mixed_company.server import clock, live
from mixed_company.server.blocks.way import players_of
from mixed_company.server.open.tables import tables
from tests.server.inside import Session, Visitor

__all__ = ["ABA", "BELIEF", "BlockVisitor", "Blocks", "config_of"]

ABA = """
title = "Sanctions and none, one after the other"
session = "sanctions"
groups = 8
people = "sanction_averse"
seed = 5
changes = { periods = 2, people_per_group = 2 }

[treatments.all]
meaning = "everybody"

[[blocks]]
name = "first"
meaning = "none"
changes = { lambda_R = 0.0 }

[[blocks]]
name = "with"
meaning = "sanctions"
instruction = "Now there are sanctions."

[[blocks]]
name = "again"
meaning = "none, once more"
changes = { lambda_R = 0.0 }
"""

BELIEF = """
[[blocks.changes.questions]]
name = "others"
text = "How much will the others give?"
every = 1
type = "number"
required = false
least = 0
most = 20
about = "others_mean"
action = "contribution"
pay = "within"
margin = 20
prize = 5
"""
"""A plan's paid belief question, which is asked in each period of a block."""


def config_of(text: str, name: str) -> dict[str, Any]:
    """Return the session config of a plan."""
    import settings

    plan = reading.from_text(text, f"{name}.toml")
    others = [config for config in settings.SESSION_CONFIGS if config["name"] != name]
    return treatments.session_config(name, plan, others)


class BlockVisitor(Visitor):
    """Person who goes from block to block."""

    def player(self) -> Any:
        """Return the player of the block that this person has reached."""
        database.db.new_session()
        players = players_of(Participant.objects_first(code=self.code))
        following = (player for player in players if player.status != "finished")
        return next(following, players[-1])

    def to_the_lobby(self) -> BlockVisitor:
        """Submit pages until the lobby or the play page is reached."""
        if not self.url:
            self.come()
        while self.page not in ("Lobby", "Play"):
            answers = {"quiz_answers": self.rightly()} if self.page == "Quiz" else {}
            self.send(**answers)
        return self

    def wait(self) -> BlockVisitor:
        """Send the first message of the lobby page."""
        live.lobby(self.player(), {"kind": "sync"})
        return self


class Blocks:
    """Session of a plan that is not in a file."""

    def __init__(self, text: str, people: int, monkeypatch: Any, **changes: Any) -> None:
        planned = config_of(text, "blocks_of_a_test")
        configs = otree.session.SESSION_CONFIGS_DICT
        config = type(next(iter(configs.values())))({**configs["sanctions"], **planned})
        monkeypatch.setitem(configs, "blocks_of_a_test", config)
        session = Session("blocks_of_a_test", people, **changes)
        self.session, self.code = session, session.code
        self.people = [BlockVisitor(person.code, session.code) for person in session.people]
        self._seconds = itertools.count(1)

    def meet(self, *people: BlockVisitor) -> None:
        """Send these people (default: everyone) to the lobby and on into a group."""
        for visitor in people or self.people:
            visitor.to_the_lobby()
        for visitor in people or self.people:
            if visitor.page == "Lobby":
                visitor.wait()
        for visitor in people or self.people:
            visitor.come()

    def play(self, *people: BlockVisitor) -> None:
        """Let these people (default: everyone) play to the end and go to the results.

        Each decision takes a second longer than the one before. Otherwise the audit would mistake
        groups for copies, because their people would make the same decisions at the same times.
        """
        everybody = people or tuple(self.people)
        played = [visitor.player() for visitor in everybody]

        def players() -> list[Any]:
            database.db.new_session()
            return [type(player).objects_first(id=player.id) for player in played]

        for player in players():
            live.play(player, {"kind": "sync"})
        while any(not tables.settled(player).episode.done for player in players()):
            for player in players():
                table = tables.settled(player)
                if not table.episode.done:
                    clock.put_on(1000 * next(self._seconds))
                    _decide(player, table.episode)
            clock.put_on(3000)
            for player in players():
                live.play(player, {"kind": "alive"})
        for visitor in everybody:
            visitor.come()
            if visitor.page == "Play":
                visitor.send(attention="")

    def groups(self) -> dict[str, tuple[int, int]]:
        """Return the group and seat of each person in the block that the person has reached."""
        players = {visitor.code: visitor.player() for visitor in self.people}
        return {code: (player.group_id, player.seat) for code, player in players.items()}


def _decide(player: Any, episode: Any) -> None:
    action = episode.allowed(player.seat).default_action()
    act = {"kind": "act", "id": f"{episode.period}", "period": episode.period, "action": action}
    live.play(player, act)

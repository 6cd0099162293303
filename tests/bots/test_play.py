"""Policies play a game, and the log of the play can be replayed."""

from __future__ import annotations

from mixed_company import engine, policies
from mixed_company.engine.play import record
from mixed_company.policies.play import play


class Broken(policies.Policy):
    """Policy that raises an error in its second period."""

    id = "broken"
    games = ("commons_game",)
    source = "ours"

    def act(self, observation, memory, rng):
        if observation["period"] == 1:
            raise RuntimeError("no idea")
        return {"harvest": 1.0, "contribution": 0.0}, memory


def test_a_failing_policy_is_reported_and_the_default_is_played(monkeypatch):
    monkeypatch.setattr("mixed_company.policies.play.make", lambda spec, game: Broken(game.core))
    game = engine.make("commons_game", periods=3, seats=2)
    lines, faults = play(game, ["broken"], seed=1)
    assert [str(fault) for fault in faults] == [
        f"period 1, seat {seat}: RuntimeError: no idea" for seat in (0, 1)
    ]
    assert str(faults[1]) == "period 1, seat 1: RuntimeError: no idea"
    assert [line["sent"]["harvest"] for line in lines if line["level"] == "period"] == [
        *([1, 1], [0, 0], [1, 1])
    ]
    assert record.replay(lines) == []

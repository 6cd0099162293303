"""The leak check finds every reintroduced leak, and names the field and its source.

Every leak here once existed. A test reintroduces it where it was fixed.
"""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.engine.contract import sight
from mixed_company.engine.contract.chance import Stream
from mixed_company.engine.contract.sight import Sight, Turn
from mixed_company.engine.games.commons_game import CommonsGame
from mixed_company.engine.games.punishment_vote.rules import PunishmentVote
from mixed_company.engine.kit.leaks import leaks, nothing_leaks, variants
from mixed_company.engine.kit.secrets import _RecordedStream
from mixed_company.engine.layers.information import Information


def found_in(game, variant, leak):
    """Return whether the check finds this leak in this variant of a game."""
    [varied] = [varied for name, varied in variants(game) if name == variant]
    return any(leak in fault for fault in leaks(varied))


def lab(game, archetype="lab", **core):
    return engine.make(game, archetype=archetype, **core)


def test_decisions_not_limited_by_a_graph_are_found(monkeypatch):
    limited = Information._seat_axes

    def without_the_turn(self, field):
        return 0 if field.name in self.turned else limited(self, field)

    monkeypatch.setattr(Information, "_seat_axes", without_the_turn)
    leak = "earlier_harvest depends on decided harvest"
    assert found_in(lab("commons_game"), "a graph, turns and roles", leak)


def test_decisions_that_cannot_be_hidden_are_found(monkeypatch):
    shown = Information.view

    def around_the_layer(self, seen, state, chance):
        turned = {name: seen[name] for name in self.turned}
        return {**shown(self, seen, state, chance), **turned}

    monkeypatch.setattr(Information, "view", around_the_layer)
    leak = "earlier_contribution depends on decided contribution"
    assert found_in(lab("sanctions"), "the other half hidden, turns and roles", leak)


def test_decisions_beyond_the_games_own_local_view_are_found(monkeypatch):
    monkeypatch.setattr(CommonsGame, "in_view", lambda self: None)
    game = lab("commons_game", "local_view")
    assert found_in(game, "leaving and turns", "earlier_harvest depends on decided")


def test_decisions_of_later_seats_are_found(monkeypatch):
    original = Turn.__init__

    def all_at_once(self, actions, agents, seats, in_view):
        original(self, actions, agents, seats, in_view)
        self._seen = np.ones_like(self._seen)

    monkeypatch.setattr(Turn, "__init__", all_at_once)
    leak = "earlier_harvest depends on decided"
    assert found_in(lab("commons_game"), "leaving and turns", leak)


@pytest.mark.parametrize(
    ("name", "archetype", "field", "of"),
    [
        ("punishment_vote", "lab", "window", "state grid"),
        ("punishment_vote", "lab", "remembered", "state remembered"),
        ("gem_mining", "lab_0_7", "reach", "state reach"),
    ],
)
def test_fields_still_shown_to_a_seat_that_has_left_are_found(
    name, archetype, field, of, monkeypatch
):
    original = Sight.__init__

    def as_declared(self, *parts):
        original(self, *parts)
        self._masked = tuple(
            field for field in self._masked if field.maskable or field.name in self._public
        )

    monkeypatch.setattr(Sight, "__init__", as_declared)
    game = lab(name, archetype, seats=2)
    assert found_in(game, "leaving and turns", f"{field} depends on {of}")


@pytest.mark.parametrize("variant", ["the other half hidden", "a graph"])
def test_the_sum_of_a_hidden_field_is_found(variant, monkeypatch):
    checked = Information._check_sums

    def without_sums(self):
        checked(self)
        self.sums = {}

    monkeypatch.setattr(Information, "_check_sums", without_sums)
    assert found_in(lab("commons_game"), variant, "group_wealth depends on state wealth")


class OneStream(PunishmentVote):
    """Broken game: the noise of all seats and the spawns come from one stream."""

    def draw(self, chance):
        words = chance("turn").bits((self.seats + 1,))
        return {**super().draw(chance), "noise": (words[..., 1:] >> np.uint64(11)) * 2.0**-53}


def test_a_stream_shared_with_a_seats_noise_is_found():
    leak = "all random numbers of 'turn' can be computed from one that a seat sees"
    assert found_in(OneStream(OneStream.resolve("lab", seats=2)), "as it is", leak)


class OneAfterTheOther:
    """Stream that draws all numbers in sequence."""

    def __init__(self, stream, shape):
        self.stream, self.shape = stream, shape

    def normal(self):
        return self.stream.normal(self.shape)

    def uniform(self):
        return self.stream.uniform(self.shape)


@pytest.mark.parametrize("stream", ["information.noise.wealth", "uncertainty.wealth"])
def test_noise_not_drawn_separately_is_found(stream, monkeypatch):
    monkeypatch.setattr(Stream, "apart", lambda *args: OneAfterTheOther(*args))
    monkeypatch.setattr(_RecordedStream, "apart", lambda *args: OneAfterTheOther(*args))
    game = lab("commons_game", "open_access")
    assert found_in(game, "blurred", f"all random numbers of {stream!r} can be computed")


class ShowsTheNoiseOfTheNext(PunishmentVote):
    def view(self, state, chance):
        return super().view(state, {**chance, "noise": np.roll(chance["noise"], 1, axis=-1)})


class ShowsTheMapOfTheNext(PunishmentVote):
    def view(self, state, chance):
        seen = dict(super().view(state, chance))
        return {**seen, "remembered": np.roll(seen["remembered"], 1, axis=-3)}


class LooksBeyondItsWindow(PunishmentVote):
    """Broken game: the shown level depends slightly on the total number of resources."""

    def view(self, state, chance):
        seen = dict(super().view(state, chance))
        return {**seen, "level": seen["level"] + 1e-12 * (state["grid"] > 1).sum(axis=(-3, -2, -1))}


class TellsWhatWillSpawn(PunishmentVote):
    def view(self, state, chance):
        seen = dict(super().view(state, chance))
        return {**seen, "level": seen["level"] + 1e-12 * chance["spawned"].sum(axis=(-3, -2, -1))}


@pytest.mark.parametrize(
    ("broken", "field", "of"),
    [
        (ShowsTheNoiseOfTheNext, "noise", "chance noise"),
        (ShowsTheMapOfTheNext, "remembered", "state remembered"),
        (TellsWhatWillSpawn, "level", "chance spawned"),
    ],
)
def test_a_game_that_shows_values_of_other_seats_is_found(broken, field, of):
    game = broken(broken.resolve("lab", seats=2))
    assert found_in(game, "as it is", f"{field} depends on {of}")


def test_a_field_that_reads_undeclared_values_is_found():
    game = LooksBeyondItsWindow(LooksBeyondItsWindow.resolve("lab", seats=2))
    assert found_in(game, "one half hidden", "level depends on state grid")


def test_writable_observations_are_found(monkeypatch):
    monkeypatch.setattr(sight, "frozen", lambda seen: seen)
    assert found_in(lab("gem_mining"), "as it is", "workers_at is writeable")


@pytest.mark.long
@pytest.mark.parametrize("seats", [1, 2, 5])
def test_nothing_is_found_with_other_numbers_of_seats(seats):
    for name in engine.game_ids():
        if name == "sanctions" and seats == 1:
            continue
        assert nothing_leaks(engine.make(name, seats=seats)) == []

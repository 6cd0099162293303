"""Test of the public good on the whole server, in this process: oTree's bots visit every page."""

from __future__ import annotations

from mixed_company.server.open.tables import tables
from tests.server.inside import Session, inside, led_by_otree

__all__ = ["inside"]  # a fixture


def test_a_person_goes_through_every_page_and_is_paid(inside: None) -> None:
    session = Session("public_good", 1, consent="May we?", periods=3, practice_periods=1, seed="3")
    led_by_otree(session)
    [ann] = session.people
    player = ann.player()
    assert (player.status, player.practised_periods, player.quiz_attempts) == ("finished", 1, 1)
    table = tables.settled(player)
    assert table.episode.period == 3
    assert player.points == table.seats[player.seat].points
    assert ann.come().page == "Results"

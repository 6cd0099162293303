"""People go from block to block: what they are told, whom they meet, what they are paid."""

from __future__ import annotations

import pytest

from table.setup import setup_from
from tests.server.blocks.planned import ABA, Blocks
from tests.server.inside import inside

__all__ = ["inside"]  # a fixture


def together(blocks: Blocks) -> set[frozenset[str]]:
    """Who is in a group with whom."""
    groups: dict[int, set[str]] = {}
    for code, (group, _seat) in blocks.groups().items():
        groups.setdefault(group, set()).add(code)
    return {frozenset(members) for members in groups.values()}


def test_partners_play_three_blocks_in_one_group_on_their_seats(
    inside: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocks = Blocks(ABA, 4, monkeypatch)
    met, seats, sanctioned = [], [], []
    for number in (1, 2, 3):
        if number > 1:
            for visitor in blocks.people:
                assert f"Part {number - 1} of 3 is over" in visitor.text
                visitor.send()
                assert visitor.page == "NextBlock"
                assert f"Part {number} of 3" in visitor.text
                assert ("Now there are sanctions." in visitor.text) is (number == 2)
                assert ("The rules are the same as before." in visitor.text) is (number == 3)
                visitor.send()
                assert visitor.page == "Lobby"  # no consent, no quiz
        blocks.meet()
        met.append(together(blocks))
        seats.append({code: seat for code, (_, seat) in blocks.groups().items()})
        player = blocks.people[0].player()
        sanctioned.append(setup_from(player.group.setup).game.core.lambda_R > 0)
        blocks.play()
    assert met[0] == met[1] == met[2]
    assert len(met[0]) == 2
    assert seats[0] == seats[1] == seats[2]
    assert sanctioned == [False, True, False]
    last = blocks.people[0]
    assert last.page == "Results"
    assert last.text.count("<li><span>Part ") == 3
    assert 'id="next"' not in last.text

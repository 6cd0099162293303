"""People go from block to block, with the right instructions, groups and pay."""

from __future__ import annotations

import pytest

from mixed_company.experiment.assignment import drawn_block
from mixed_company.server import clock, live
from mixed_company.server.blocks.way import players_of
from mixed_company.server.open.lobbies import lobbies
from mixed_company.server.open.tables import tables
from mixed_company.server.paying import ledger_of, payment
from mixed_company.server.treatments import planned_of
from mixed_company.table.ledger import total
from mixed_company.table.setup import setup_from
from tests.server.blocks.planned import ABA, BELIEF, Blocks, BlockVisitor
from tests.server.inside import inside

__all__ = ["inside"]  # a fixture


def together(blocks: Blocks) -> set[frozenset[str]]:
    """Return the sets of people who are in a group together."""
    groups: dict[int, set[str]] = {}
    for code, (group, _seat) in blocks.groups().items():
        groups.setdefault(group, set()).add(code)
    return {frozenset(members) for members in groups.values()}


def test_partners_play_three_blocks_in_the_same_seats_and_one_block_is_paid(inside, monkeypatch):
    blocks = Blocks(ABA.replace("seed = 5", 'seed = 5\npay_blocks = "one"'), 4, monkeypatch)
    met, seats, sanctioned = [], [], []
    for number in (1, 2, 3):
        if number > 1:
            for visitor in blocks.people:
                assert f"Part {number - 1} of 3 is over" in visitor.text
                visitor.send()
                assert visitor.page == "NextBlock"
                assert f"Part {number} of 3" in visitor.text
                assert ("Now there are sanctions." in visitor.text) is (number == 2)
                assert ("Some rules have changed." in visitor.text) is (number == 3)
                assert "The rules are the same as before." not in visitor.text
                visitor.send()
                assert visitor.page == "Lobby"  # no consent and no quiz
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
    assert blocks.people[0].page == "Results"
    for visitor in blocks.people:
        check_drawn_block(visitor)


def check_drawn_block(visitor: BlockVisitor) -> None:
    """Check that one of a person's three blocks is drawn, paid and shown."""
    players = players_of(visitor.player().participant)
    planned = planned_of(players[0].subsession)
    assert planned is not None
    drawn = drawn_block(planned.seed, players[0].slot, 3)
    earned = [float(ledger_of(player)["points"]) for player in players]
    assert [index for index, money in enumerate(earned) if money] == [drawn]
    assert f"Part {drawn + 1} was drawn for you" in visitor.text
    money = 2.0 + earned[drawn]
    assert float(payment(players[-1])) == pytest.approx(money)
    assert sum(float(total(ledger_of(player))) for player in players) == pytest.approx(money)


RESTART = ABA.replace('instruction = "Now there are sanctions."', "changes = { lambda_R = 0.0 }")
TALK = """
[treatments.quiet]
meaning = "no talk"

[treatments.all.blocks.with]
instruction = "From now on you can talk."
changes = { talk = "free", talk_when = "before" }
"""


def test_before_a_part_people_read_what_is_new_or_that_nothing_is(inside, monkeypatch):
    blocks = Blocks(RESTART + TALK, 4, monkeypatch)
    blocks.meet()
    blocks.play()
    for visitor in blocks.people:
        visitor.send()
        assert visitor.page == "NextBlock"
        above, _, new = visitor.text.partition("New in the instructions")
        talks = visitor.player().treatment == "all"
        assert ("From now on you can talk." in above) is talks
        assert ("<h3>Talk</h3>" in new.partition("<details")[0]) is talks
        assert ("The rules are the same as before." in above) is not talks
        assert "You are one of 4 players." not in new.partition("<details")[0]
        assert "You are paid for what you earn in every part." not in new.partition("<details")[0]


def test_the_last_page_lists_winnings_from_answers_with_their_part(inside, monkeypatch):
    first, with_, again = ABA.split("[[blocks]]")[1:]
    text = ABA.partition("[[blocks]]")[0] + "[[blocks]]".join(["", first, with_ + BELIEF, again])
    blocks = Blocks(text, 2, monkeypatch)
    blocks.meet()
    blocks.play()
    on_to_the_next(*blocks.people)
    blocks.meet()
    person, last = blocks.people
    answer = {"kind": "answer", "id": "a", "period": 0, "question": "others", "value": 10}
    for visitor in blocks.people:
        live.play(visitor.player(), {"kind": "sync"})
    live.play(person.player(), answer)
    blocks.play()
    on_to_the_next(*blocks.people)
    blocks.meet()
    blocks.play()
    assert "<li><span>Part 2, answers to questions</span><span>5</span></li>" in person.text
    assert "answers to questions" not in last.text
    assert "answers to the questions" not in last.text
    assert last.text.count("<li><span>Part ") == 3
    assert last.text.count("Part 3 of 3") == 2  # above its points and above their breakdown
    assert 'id="next"' not in last.text


def on_to_the_next(*people: BlockVisitor) -> None:
    """Go from the results of a block to the lobby of the next."""
    for visitor in people:
        visitor.send()
        assert visitor.page == "NextBlock"
        visitor.send()
        assert visitor.page == "Lobby"


def test_when_the_promise_is_over_a_bot_keeps_the_seat_of_a_missing_person(inside, monkeypatch):
    blocks = Blocks(ABA, 2, monkeypatch, lobby_seconds=60.0)
    first, second = blocks.people
    blocks.meet()
    blocks.play()
    on_to_the_next(first)
    first.wait()
    assert first.player().status == "waiting"
    clock.put_on(61_000)
    first.wait()
    assert (first.player().status, second.player().status) == ("seated", "seated")
    assert first.player().group_id == second.player().group_id
    second.send()  # from the results
    assert second.page == "Play"
    assert second.player().treatment == first.player().treatment == "all"


def test_a_person_who_left_is_in_no_later_block_and_the_others_go_on(inside, monkeypatch):
    blocks = Blocks(ABA, 2, monkeypatch)
    first, second = blocks.people
    blocks.meet()
    seats = {code: seat for code, (_, seat) in blocks.groups().items()}
    blocks.play(first)
    on_to_the_next(first)
    first.wait().come()
    assert first.page == "Play"  # it does not wait for anyone
    player = first.player()
    assert player.seat == seats[first.code]
    table = tables.settled(player)
    assert table.people == [player.seat]
    assert table.seats[seats[second.code]].occupant == "policy"
    if second.come().page == "Play":
        second.send(attention="")
    assert (second.page, second.player().status) == ("Results", "left")
    assert "You left the game before it was over." in second.text
    assert 'id="next"' not in second.text


@pytest.mark.long  # tests/server/test_pages_given.py covers the page
def test_a_person_who_leaves_the_lobby_of_a_later_block_keeps_the_earnings(inside, monkeypatch):
    """Check that the manager sees everyone once, in their current block."""
    blocks = Blocks(ABA, 2, monkeypatch)
    first, second = blocks.people
    blocks.meet()
    assert blocks.session.board()["before"] == []
    blocks.play()
    on_to_the_next(first, second)
    assert "What you have earned so far still counts." in first.text
    first.wait()
    seen = blocks.session.board()
    assert [person["name"] for person in seen["lobby"]] == ["P1", "P2"]
    assert seen["before"] == seen["finished"] == []
    first.send(leaving="yes")
    assert (first.page, first.player().status) == ("Results", "left")
    points = players_of(first.player().participant)[0].points
    assert points > 0
    assert float(payment(first.player())) == pytest.approx(2.0 + 0.016 * points, abs=0.006)
    second.wait().come()
    assert second.page == "Play"
    rows = {person["name"]: person for person in blocks.session.board()["finished"]}
    assert rows["P1"]["status"] == "left"


STRANGERS = ABA.replace("seed = 5", 'seed = 5\nmatching = "perfect_strangers"\nmatching_groups = 3')
STRANGERS = STRANGERS.replace("matching_groups = 3", 'matching_groups = 3\nroles = "redrawn"')


@pytest.mark.long
def test_perfect_strangers_never_meet_twice(inside, monkeypatch):
    blocks = Blocks(STRANGERS, 6, monkeypatch)
    met: list[frozenset[str]] = []
    for number in (1, 2, 3):
        if number > 1:
            on_to_the_next(*blocks.people)
        blocks.meet()
        met += together(blocks)
        blocks.play()
    assert {len(members) for members in met} == {2}
    assert len(set(met)) == len(met) == 9


MIXED = ABA.replace(
    "seed = 5", 'seed = 5\nmatching = "strangers"\nmatching_groups = 2\nroles = "redrawn"'
)


@pytest.mark.long  # test_company.py covers strangers
def test_strangers_do_not_wait_for_people_who_left_meanwhile(inside, monkeypatch):
    # a plan gives each session its seed, and with this one both groups are split
    blocks = Blocks(MIXED, 4, monkeypatch, lobby_seconds=600.0, seed="5")
    blocks.meet()
    groups = blocks.groups()
    first = [
        visitor for visitor in blocks.people if groups[visitor.code][0] == min(groups.values())[0]
    ]
    others = [visitor for visitor in blocks.people if visitor not in first]
    blocks.play(*first)
    on_to_the_next(*first)
    for visitor in first:
        visitor.wait()
    assert {visitor.player().status for visitor in first} == {"waiting"}
    room = lobbies.of(first[0].player())
    assert not any(room.is_stale(visitor.player().id) for visitor in first)  # others still play
    gone = others[0].player()
    for _ in range(200):  # bots finish for silent people
        clock.put_on(3000)
        if tables.settled(gone).episode.done:
            break
    assert {visitor.player().status for visitor in others} == {"left"}
    assert all(room.is_stale(visitor.player().id) for visitor in first)
    for visitor in first:  # the page does this when its group is stale
        lobbies.enter(visitor.player())
    assert len({visitor.player().group_id for visitor in first}) == 2
    for visitor in first:
        player = visitor.player()
        assert player.status == "seated"
        assert tables.settled(player).people == [player.seat]

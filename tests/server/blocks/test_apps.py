"""Later blocks are apps of their own, made of the same files."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from server.blocks import company, way
from server.blocks.apps import app_of, block_of, game_of, look_for_blocks
from server.mends import blocks as mended
from table.meeting import Companies


@pytest.mark.parametrize(
    ("app", "game", "block"),
    [
        ("commons_game", "commons_game", 1),
        ("commons_game_2", "commons_game", 2),
        ("commons_game_12", "commons_game", 12),
        ("commons_game_1", "", 1),
        ("commons_game_02", "", 1),
        ("risk_task_2", "", 1),
    ],
)
def test_the_name_of_an_app_says_game_and_block(app, game, block):
    assert (game_of(app), block_of(app)) == (game, block)
    if game:
        assert app_of(game, block) == app


def player(app: str, plan: str = "") -> Any:
    """A player of an app, in a session with or without a plan."""
    return SimpleNamespace(get_folder_name=lambda: app, subsession=SimpleNamespace(plan=plan))


@pytest.mark.parametrize(
    ("app", "plan", "later", "planned"),
    [
        ("sanctions", "", False, False),
        ("sanctions", "{}", False, False),  # the first block of a plan
        ("sanctions_2", "", True, False),  # the same app twice, without a plan
        ("sanctions_2", "{}", True, True),
    ],
)
def test_a_later_block_is_one_of_a_plan_where_there_is_one(
    app: str, plan: str, later: bool, planned: bool
) -> None:
    assert way.is_later(player(app, plan)) is later
    assert way.is_planned(player(app, plan)) is planned
    if not plan:
        assert way.block_shown(player(app)) == ("2" if later else "")
        assert not way.again(player(app))


@pytest.mark.parametrize(
    ("before", "come"),
    [
        ([], True),
        (["finished"], True),
        (["finished", "finished"], True),
        (["finished", "left"], False),
        (["seated"], False),
    ],
)
def test_who_has_finished_all_blocks_before_has_come_to_the_next(
    before: list[str], come: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocks = [SimpleNamespace(status=status) for status in before]
    monkeypatch.setattr(way, "earlier", lambda _: blocks)
    assert way.has_come(player("sanctions_3", "{}")) is come


def in_block(block: int, status: str, person: int, **more: Any) -> Any:
    app = "sanctions" if block == 1 else f"sanctions_{block}"
    known = {"id": 10 * block + person, "participant_id": person, "status": status}
    return SimpleNamespace(get_folder_name=lambda: app, **known, **more)


def test_present_are_people_in_the_block_that_they_are_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """One goes on, one ends in the first block, one in the second, and one has played all."""
    statuses = {
        1: ["finished", "left", "finished", "finished"],
        2: ["seated", "arriving", "released", "finished"],
        3: ["arriving", "arriving", "arriving", "finished"],
    }

    class Query(list[Any]):
        def order_by(self, name: str) -> Any:
            return sorted(self, key=lambda player: getattr(player, name))

    def app(block: int) -> Any:
        players = [in_block(block, one, person) for person, one in enumerate(statuses[block])]

        def of_session(session: str) -> Query:
            assert session == "session"
            return Query(reversed(players))

        name = players[0].get_folder_name()
        return SimpleNamespace(__name__=name, Player=SimpleNamespace(objects_filter=of_session))

    monkeypatch.setattr(way.storage, "apps", lambda: [app(3), app(1), app(2)])
    assert [one.id for one in way.present("session")] == [11, 20, 22, 33]


@pytest.mark.parametrize(
    ("before", "own", "status"),
    [
        (["finished"], "arriving", "arriving"),
        (["finished", "left"], "arriving", "left"),
        (["released", "excluded"], "arriving", "released"),
        (["left"], "waiting", "waiting"),
        (["seated"], "arriving", "arriving"),
    ],
)
def test_what_somebody_has_from_the_first_block_is_brought_along(
    before: list[str], own: str, status: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocks = [
        SimpleNamespace(status=one, treatment=treatment, slot=number, assigned_ms=5.0)
        for number, (one, treatment) in enumerate(zip(before, "abc", strict=False), 3)
    ]
    monkeypatch.setattr(way, "earlier", lambda _: blocks)
    known = {"treatment": "", "slot": -1, "assigned_ms": 0.0}
    one = SimpleNamespace(status=own, **known)
    way.carry(one)
    assert vars(one) == {"status": status, "treatment": "a", "slot": 3, "assigned_ms": 5.0}
    blocks[0].treatment = ""
    other = SimpleNamespace(status="seated", **known)
    way.carry(other)
    assert vars(other) == {"status": "seated", **known}
    blocks.clear()
    way.carry(other)
    assert vars(other) == {"status": "seated", **known}


@pytest.mark.parametrize(
    ("app", "known", "is_again"),
    [("sanctions_2", True, True), ("sanctions_2", False, False), ("sanctions", True, False)],
)
def test_a_game_is_played_again_in_a_later_block_of_a_plan(
    app: str, known: bool, is_again: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned = SimpleNamespace(known=known, block="own")
    monkeypatch.setattr(way, "planned_of", lambda subsession: planned)
    assert way.again(player(app, "{}")) is is_again
    assert way.block_shown(player(app, "{}")) == "own"


@pytest.mark.parametrize(
    ("status", "is_last", "goes_on"),
    [("finished", False, True), ("finished", True, False), ("left", False, False)],
)
def test_who_has_finished_a_block_goes_on_to_the_next(
    status: str, is_last: bool, goes_on: bool
) -> None:
    planned: Any = SimpleNamespace(is_last=is_last)
    assert way.goes_on(SimpleNamespace(status=status), planned) is goes_on
    assert way.goes_on(SimpleNamespace(status=status), None) is False


def test_blocks_that_are_reached_are_those_up_to_the_first_unfinished(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The fourth is another game of the session, and no later block."""
    players = [in_block(1, "finished", 0), in_block(2, "left", 0), in_block(3, "arriving", 0)]
    players.append(in_block(1, "arriving", 9))
    monkeypatch.setattr(way, "players_of", lambda person: players)
    assert [one.id for one in way.reached_by(None)] == [10, 20, 19]


# -- who plays with whom --------------------------------------------------------------------------


class Groups:
    """The groups of the first block, as they were formed: ids 5, 6, ... of the treatment a."""

    def __init__(self, many: int) -> None:
        self.groups = [SimpleNamespace(id=5 + number, treatment="a") for number in range(many)]
        self.groups.insert(1, SimpleNamespace(id=99, treatment="b"))

    def objects_filter(self, **given: Any) -> Any:
        assert given.pop("subsession_id") == 3
        found = [one for one in self.groups if vars(one).items() >= given.items()]
        return SimpleNamespace(order_by=lambda name: found)


@pytest.mark.parametrize(
    ("group", "mixed"), [(5, ([5, 6], 0)), (6, ([5, 6], 0)), (7, ([7, 8], 1)), (9, ([9], 2))]
)
def test_groups_of_a_treatment_mix_with_those_formed_beside_them(
    group: int, mixed: tuple[list[int], int]
) -> None:
    first = SimpleNamespace(subsession_id=3, treatment="a", group_id=group)
    planned: Any = SimpleNamespace(course=SimpleNamespace(matching_groups=2))
    assert company._mixed(SimpleNamespace(Group=Groups(5)), first, planned) == mixed


@pytest.mark.parametrize(
    ("before", "here", "expected"),
    [
        (["finished", "finished"], "waiting", 7),
        (["seated", "arriving"], "arriving", 7),
        (["finished", "left"], "arriving", None),
        (["released", "arriving"], "arriving", None),
        (["finished", "finished"], "seated", None),
        (["finished", "finished"], "left", None),
    ],
)
def test_who_is_on_the_way_is_expected(before: list[str], here: str, expected: int | None) -> None:
    def app(status: str) -> Any:
        def first(participant_id: int) -> Any:
            assert participant_id == 4
            return SimpleNamespace(id=7, status=status)

        return SimpleNamespace(Player=SimpleNamespace(objects_first=first))

    assert company._expected([app(one) for one in (*before, here)], 4) == expected


def test_companies_of_several_are_those_of_each_once() -> None:
    first = Companies(((1, 2), (3,)), {1: 0})
    both = company.together([first, None, Companies(((3,), (4,)), {4: 2})])
    assert both == Companies(((1, 2), (3,), (4,)), {1: 0, 4: 2})
    assert company.together([None]) == Companies((), {})


def test_later_blocks_are_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "meta_path", ["other"])
    for _ in range(2):
        look_for_blocks()
    assert [type(finder).__name__ for finder in sys.meta_path] == ["str", "_Finder"]


def test_a_bot_plays_on_a_page_once_for_each_group_of_an_app(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    everywhere: set[Any] = {("sanctions", (1, "Play"))}
    own = SimpleNamespace(executed_live_methods=everywhere)
    seen: list[bool] = []

    def play(bot: Any, player_bot: Any, submission: Any) -> None:
        seen.append((1, "Play") in bot.executed_live_methods)
        bot.executed_live_methods.add((1, "Play"))
        if submission == "fails":
            raise ValueError("fails")

    monkeypatch.setattr(mended, "_live", play)
    for app in ("sanctions", "sanctions_2", "sanctions_2"):
        player_bot = SimpleNamespace(player=player(app))
        mended._live_by_app(own, player_bot, "plays")
        assert own.executed_live_methods is everywhere
    assert seen == [True, False, True]
    assert everywhere == {("sanctions", (1, "Play")), ("sanctions_2", (1, "Play"))}
    with pytest.raises(ValueError, match="fails"):
        mended._live_by_app(own, SimpleNamespace(player=player("x")), "fails")
    assert own.executed_live_methods is everywhere


def test_files_of_an_app_are_those_of_its_game(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[Any] = []
    monkeypatch.setattr(mended, "_is_noself", lambda app: looked.append(app) or app != "survey")
    monkeypatch.setattr(mended, "_uncalled", lambda *given: looked.append(given))
    apps = ("sanctions_2", "sanctions", "survey")
    assert [mended._of_its_files(app) for app in apps] == [True, True, False]
    assert looked == ["sanctions", "sanctions", "survey"]
    looked.clear()
    for app in apps:
        mended._look_once("helper", app)
    assert looked == [("helper", "sanctions"), ("helper", "survey")]

"""Groups in later blocks, and the block that people have reached, tested with people in memory."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from mixed_company.experiment.assignment import Place
from mixed_company.server.blocks import company, way
from mixed_company.table.meeting import Companies


def test_the_companies_of_several_people_are_listed_once():
    first = Companies(((1, 2), (3,)), {1: 0, 2: 1})
    second = Companies(((3,), (4,)), {2: 5, 4: 0})
    assert company.together([first, None, second]) == Companies(
        ((1, 2), (3,), (4,)), {1: 0, 2: 5, 4: 0}
    )
    assert company.together([None]) == Companies((), {})


def test_the_group_of_a_place_is_drawn_for_its_matching_group(monkeypatch):
    calls: list[Any] = []
    monkeypatch.setattr(company, "group_in", lambda *where, **how: calls.append((where, how)) or 6)
    course = SimpleNamespace(matching="strangers", matching_groups=3, roles="kept")
    planned: Any = SimpleNamespace(number=4, course=course, sizes={"T": 2}, seed=8)
    place = Place(1, 0)
    assert company._group_of(place, planned, "T", 5) == 6
    how = {"roles": "kept", "seed": 8, "which": "T 5"}
    assert calls == [((3, place, "strangers", 3, 2), how)]


@pytest.mark.parametrize(
    ("blocks", "before", "number"),
    [(None, [], ""), ([], [], ""), (["a", "b"], [], 40), (["a", "b"], ["first", "second"], 50)],
)
def test_a_matching_group_has_the_number_of_its_first_group(monkeypatch, blocks, before, number):
    def somebody(name: str) -> Any:
        return SimpleNamespace(subsession="s", name=name, get_folder_name=lambda: f"app of {name}")

    ann, ben = somebody("ann"), somebody("ben")
    groups = {
        f"app of {name}": {4: group_number, 9: 0}
        for group_number, name in ((40, "ann"), (50, "first"))
    }
    planned = None if blocks is None else SimpleNamespace(blocks=blocks)
    monkeypatch.setattr(company, "planned_of", lambda subsession: planned)
    monkeypatch.setattr(company, "earlier", lambda person: [somebody(name) for name in before])
    monkeypatch.setattr(
        company,
        "get_models_module",
        lambda name: SimpleNamespace(
            name=name, Group=SimpleNamespace(objects_first=lambda id: groups[name][id])
        ),
    )
    mixed = {("app of ann", "ann"): ([4, 9], 1), ("app of first", "first"): ([4, 9], 1)}
    monkeypatch.setattr(
        company, "_mixed", lambda app, person, _planned: mixed[app.name, person.name]
    )
    monkeypatch.setattr(company, "number_of", lambda group: group)
    assert company.matching_group([ann, ben]) == number


def app(name: str, *players: Any, groups: Any = ()) -> Any:
    """Return an app's models with the queries for players and groups that blocks use."""

    def matching(rows: Any, named: dict[str, Any]) -> list[Any]:
        return [row for row in rows if all(getattr(row, key) == named[key] for key in named)]

    class Player:
        get_folder_name = staticmethod(lambda: name)

        @staticmethod
        def objects_first(**named: Any) -> Any:
            return next(iter(matching(players, named)), None)

        @staticmethod
        def objects_filter(**named: Any) -> Any:
            return Rows(matching(players, named))

    class Group:
        @staticmethod
        def objects_filter(**named: Any) -> Any:
            return Rows(matching(groups, named))

    return SimpleNamespace(__name__=name, Player=Player, Group=Group)


class Rows(list[Any]):
    def order_by(self, key: str) -> list[Any]:
        return sorted(self, key=lambda row: getattr(row, key))


def player(number: int, **more: Any) -> Any:
    return SimpleNamespace(**{"id": number, "participant_id": number, "status": "finished", **more})


@pytest.mark.parametrize(
    ("before", "here", "expected"),
    [
        ("finished", "arriving", 17),
        ("seated", "arriving", 17),
        ("arriving", "waiting", 17),
        ("left", "arriving", None),
        ("waiting", "arriving", None),
        ("left, finished", "arriving", None),
        ("finished, finished", "arriving", 17),
        ("finished", "seated", None),
        ("finished", "left", None),
    ],
)
def test_a_person_on_the_way_is_expected(before, here, expected):
    def models(status: str, number: int = 7) -> Any:
        return app("a", player(8, status="left"), player(number, participant_id=7, status=status))

    apps = [*(models(status) for status in before.split(", ")), models(here, 17)]
    assert company._expected(apps, 7) == expected


def test_groups_mix_with_groups_of_their_treatment_that_began_with_them():
    def group(number: int, position: int, treatment: str = "T", subsession: int = 1) -> Any:
        named = {"subsession_id": subsession, "treatment": treatment}
        return SimpleNamespace(id=number, id_in_subsession=position, **named)

    groups = [group(10 + index, 9 - index) for index in range(5)]  # the last one was formed first
    groups += [group(20, 1, "U"), group(21, 1, subsession=2)]
    planned: Any = SimpleNamespace(course=SimpleNamespace(matching_groups=2))
    mixed = {
        group: company._mixed(
            app("a", groups=groups),
            player(1, subsession_id=1, treatment="T", group_id=group),
            planned,
        )
        for group in (14, 13, 12, 10)
    }
    assert mixed == {14: ([14, 13], 0), 13: ([14, 13], 0), 12: ([12, 11], 1), 10: ([10], 2)}


def test_everybody_who_began_has_a_place_by_seat():
    people = [
        player(1, group_id=5, seat=3),
        player(2, group_id=5, seat=1),
        player(3, group_id=5, seat=-1),
        player(4, group_id=6, seat=0),
    ]
    setup = SimpleNamespace(
        options=SimpleNamespace(people_per_group=2), game=SimpleNamespace(seats=4)
    )
    placed = list(company._placed(app("a", *people), [6, 5], setup))
    assert [(seat, person) for _, seat, person in placed] == [(0, 4), (1, 2), (3, 1)]
    assert [place.group for place, _, _ in placed] == [0, 1, 1]
    assert {place.position for place, _, _ in placed[1:]} == {0, 1}


@pytest.mark.parametrize(("roles", "seats"), [("kept", {103: 0, 104: 1}), ("redrawn", {})])
def test_companies_consist_of_people_who_go_on_to_a_block(monkeypatch, roles, seats):
    course = SimpleNamespace(roles=roles, matching="partners", matching_groups=1)
    planned = SimpleNamespace(
        number=2, course=course, setups={"T": "setup"}, sizes={"T": 2}, seed=1
    )
    first = [
        player(1, seat=-1, treatment="T", status="left", subsession=None),
        player(3, seat=0, treatment="T"),
        player(4, seat=1, treatment="T"),
        player(5, seat=2, treatment="T", status="left"),
    ]
    later = [
        player(100 + person.id, participant_id=person.id, status="arriving") for person in first
    ]
    apps = {"commons_game": app("commons_game", *first), "gem_mining_2": app("b", *later)}
    monkeypatch.setattr(company, "planned_of", lambda subsession: planned if subsession else None)
    monkeypatch.setattr(company, "is_later", lambda person: person.id > 100)
    monkeypatch.setattr(company, "get_models_module", apps.__getitem__)
    monkeypatch.setattr(
        company, "sequence_of", lambda session: ["survey", *apps, "sanctions_3", "other"]
    )
    mixed = {("commons_game", 3): ([9], 0)}
    monkeypatch.setattr(
        company, "_mixed", lambda app, first, _planned: mixed[app.__name__, first.id]
    )
    placed = [(Place(0, seat), seat, number) for seat, number in enumerate((3, 4, 5))]
    placed_by_group = {("commons_game", 9, "setup"): placed}
    monkeypatch.setattr(
        company,
        "_placed",
        lambda app, groups, setup: placed_by_group[app.__name__, groups[0], setup],
    )
    for person in later:
        person.session, person.subsession = "s", True
    assert company.companies(later[0]) == Companies()
    assert company.companies(later[1]) == Companies(((103, 104),), seats)
    first[0].subsession = True
    assert company.companies(first[0]) is None
    later[1].subsession = False
    assert company.companies(later[1]) is None


# -- the way ---------------------------------------------------------------------------------


@pytest.fixture
def apps(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Patch in three apps that people play in turn, and an app that is not in the session."""
    listed = [app(name) for name in ("gem_mining_3", "commons_game", "commons_game_2", "sanctions")]
    monkeypatch.setattr(way.storage, "apps", lambda: listed)
    return listed


SEQUENCE = ["survey", "commons_game", "commons_game_2", "gem_mining_3"]


def person(apps: list[Any], *statuses: str) -> Any:
    """Return a participant with a player in each of the session's first apps."""
    session = SimpleNamespace(config={"app_sequence": SEQUENCE})
    human = SimpleNamespace(id=1, session=session)
    for name, status in zip(SEQUENCE[1:], statuses, strict=False):
        row = player(1, status=status, participant=human, session=session, treatment="", slot=-1)
        row.get_folder_name = lambda name=name: name
        row.assigned_ms = 0.0
        index = next(index for index, module in enumerate(apps) if module.__name__ == name)
        apps[index] = app(name, player(2), row)
    return human


@pytest.mark.parametrize(
    ("statuses", "reached", "came"),
    [
        (("finished", "finished", "finished"), 3, [True, True, True]),
        (("finished", "seated", "arriving"), 2, [True, True, False]),
        (("left", "arriving", "arriving"), 1, [True, False, False]),
        (("finished", "finished"), 2, [True, True]),
    ],
)
def test_a_person_who_has_not_finished_a_block_reaches_no_later_one(apps, statuses, reached, came):
    human = person(apps, *statuses)
    players = way.players_of(human)
    assert [player.get_folder_name() for player in players] == SEQUENCE[1 : len(statuses) + 1]
    assert way.reached_by(human) == players[:reached]
    assert [way.has_come(player) for player in players] == came
    assert [way.earlier(player) for player in players] == [
        players[:index] for index in range(len(players))
    ]
    assert [way.is_later(player) for player in players] == [False, True, True][: len(players)]


@pytest.mark.parametrize(
    ("statuses", "carried"),
    [
        (("finished", "finished", "arriving"), "arriving"),
        (("finished", "left", "arriving"), "left"),
        (("excluded", "left", "arriving"), "excluded"),
        (("finished", "left", "seated"), "seated"),
        (("finished", "seated", "arriving"), "arriving"),
    ],
)
def test_a_block_has_the_treatment_of_the_first_and_excluded_people_stay_out(
    apps, statuses, carried
):
    first, _, last = way.players_of(person(apps, *statuses))
    way.carry(last)
    assert (last.treatment, last.slot, last.assigned_ms) == ("", -1, 0.0)
    first.treatment, first.slot, first.assigned_ms = "T", 4, 9.0
    way.carry(last)
    assert (last.treatment, last.slot, last.assigned_ms) == ("T", 4, 9.0)
    assert last.status == carried
    way.carry(first)
    assert first.status == statuses[0]


@pytest.mark.parametrize(
    ("folder", "plan", "is_known", "last", "expected"),
    [
        ("commons_game_2", True, True, False, (True, True, True, "b")),
        ("commons_game_2", True, False, True, (False, True, False, "b")),
        ("commons_game", True, True, False, (False, False, True, "b")),
        ("commons_game_2", False, True, False, (False, False, False, "2")),
        ("commons_game", False, True, False, (False, False, False, "")),
    ],
)
def test_the_properties_of_a_block_of_a_plan(monkeypatch, folder, plan, is_known, last, expected):
    planned = SimpleNamespace(known=is_known, is_last=last, block="b") if plan else None
    monkeypatch.setattr(way, "planned_of", lambda subsession: planned)
    row = player(1, subsession=SimpleNamespace(plan="plan" if plan else ""))
    row.get_folder_name = lambda: folder
    goes_on = way.goes_on(row, planned)
    assert (way.again(row), way.is_planned(row), goes_on, way.block_shown(row)) == expected
    row.status = "seated"
    assert not way.goes_on(row, planned)


def test_everybody_is_shown_in_their_current_block(apps):
    session = SimpleNamespace(config={"app_sequence": [module.__name__ for module in apps]})

    def of(name: str, *statuses: str) -> Any:
        """Return an app whose people are numbered from 1 and listed in reverse order."""
        people = [
            player(10 * number, participant_id=number, status=status, session=session)
            for number, status in enumerate(statuses, 1)
        ]
        return app(name, *people[::-1], player(1, session="other"))

    apps[:] = [
        of("gem_mining_3", "arriving", "arriving", "seated", "arriving"),
        of("commons_game", "seated", "finished", "finished", "left"),
        of("commons_game_2", "arriving", "left", "finished", "arriving"),
        of("sanctions", "seated"),
    ]
    present = way.present(session)
    shown = [(player.participant_id, player.status, type(player)) for player in present]
    assert [(number, status) for number, status, _ in shown] == [
        (1, "seated"),
        (4, "left"),
        (1, "seated"),
        (2, "left"),
        (3, "seated"),
    ]

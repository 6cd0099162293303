"""Faults planted in an export of plays with peer points: in the columns for these points, in the
journal's entries for the second stage, and in several tables at once."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from mixed_company import analysis
from tests.analysis.audit.faults import Rows, contents_of
from tests.analysis.audit.people import with_people
from tests.analysis.audit.planting import (
    KEY,
    Fault,
    Manifest,
    Plant,
    Tables,
    about_of,
    change_value,
    packed,
    tables_of,
)
from tests.analysis.audit.tables import exported, play, setup

__all__ = ["export", "faults"]

GAME = "commons_game"
_DECISIONS = (
    *("peer_occupant", "peer_policy_id", "peer_by", "peer_shown_ms", "peer_at_ms"),
    *("peer_wall_ms", "peer_delay_ms", "sent_assign_1", "used_assign_1", "reward_peer_cost"),
    *("reward_peer_received", "income", "received"),
)
_PAIRS = ("assigned", "received", "partner_income", "shown_as")


def export(folder: Path) -> Path:
    """Save an export of two groups in which people and bots punish and reward, and people leave."""
    settings = setup(
        peer="both",
        peer_names="shuffled",
        peer_tells="who",
        periods=4,
        grace_seconds=10.0,
        decision_seconds=5.0,
        peer_seconds=4.0,
        bots="random+antisocial,greedy+punishes_below_average",
        people_per_group=2,
    )
    path = folder / "points.zip"
    played = [play(settings, 2, number, 0.1) for number in (1, 2)]
    data = exported(settings, played)
    data.manifest["made"] = "2026-11-24T12:00:00+00:00"
    analysis.save(data, path)
    files = contents_of(path)
    manifest = json.loads(files["manifest.json"])
    manifest |= {"session_configs": ["lab"], "created": ["s"]}
    manifest["sessions"]["s"]["groups"] = {GAME: 2}
    return with_people(packed(path, files, tables_of(files, manifest), manifest), KEY)


def faults(good: Tables) -> Iterator[Fault]:
    """Yield all faults for the export with these tables."""
    kind = "peer points: values"
    for table, columns in (("decisions", _DECISIONS), ("pairs", _PAIRS)):
        for column in columns:
            plant = change_value(table, column, 1 + len(good[table]) // 2)
            yield Fault(kind, f"{table}.{column}", about_of(table, column), plant)
    kind = "peer points: tables that agree"
    yield Fault(kind, "points moved to another player", "", _points_moved)
    yield Fault(kind, "a cost changed, and the points earned", "", _cost_changed)
    yield Fault(kind, "points got exchanged between two players", "", _exchanged("received", 2))
    yield Fault(kind, "points assigned and got exchanged", "", _transposed)
    yield Fault(kind, "the decisions of two seats exchanged", "", _exchanged_seats)
    yield Fault(kind, "the table pairs left out", "", lambda tables, _: tables.__delitem__("pairs"))
    kind = "peer points: the rehearsal flag"
    yield Fault(kind, "added, with a policy of another game", "", _declared("trust_follower"))
    yield Fault(kind, "added everywhere", "rehearsed", _declared("greedy"))
    kind = "peer points: the journal"
    for name, change in _ENTRIES.items():
        yield Fault(kind, name, "", _in_period(change))
    yield Fault(kind, "the beginning of a stage later", "", _stage_moved)
    yield Fault(kind, "the beginning of a stage left out", "", _stage_left_out)
    yield Fault(kind, "points in an `act` changed", "", _act_changed)


# -- several tables -------------------------------------------------------------------------------


def _cells(rows: Rows, *columns: str) -> list[int]:
    return [rows[0].index(column) for column in columns]


def _giving(tables: Tables) -> tuple[list[str], int, int]:
    """Return a row of `decisions` with points for one place and none for another, and the two
    `sent_assign` columns."""
    rows = tables["decisions"]
    places = _cells(rows, *(f"sent_assign_{place}" for place in range(4)))
    [seat] = _cells(rows, "seat")
    for row in rows[1:]:
        others = [place for number, place in enumerate(places) if str(number) != row[seat]]
        chosen = [place for place in others if row[place] not in ("", "0")]
        spared = [place for place in others if row[place] == "0"]
        if chosen and spared:
            return row, chosen[0], spared[0]
    raise AssertionError("nobody assigned points to some players only")


def _points_moved(tables: Tables, _manifest: Manifest) -> None:
    """Move points to another place, both as sent and as used, and to another partner in `pairs`."""
    row, chosen, spared = _giving(tables)
    head = tables["decisions"][0]
    for first, second in ((chosen, spared), _used(head, chosen, spared)):
        row[first], row[second] = row[second], row[first]
    keys = ("session", "group", "period", "seat")
    key = [row[place] for place in _cells(tables["decisions"], *keys)]
    pairs = tables["pairs"]
    mine = [pair for pair in pairs[1:] if [pair[p] for p in _cells(pairs, *keys)] == key]
    [assigned] = _cells(pairs, "assigned")
    mine[0][assigned], mine[1][assigned] = mine[1][assigned], mine[0][assigned]
    if mine[0][assigned] == mine[1][assigned]:
        mine[0][assigned], mine[2][assigned] = mine[2][assigned], mine[0][assigned]


def _used(head: list[str], *sent: int) -> tuple[int, int]:
    first, second = (head.index(head[place].replace("sent_", "used_")) for place in sent)
    return first, second


def _cost_changed(tables: Tables, _manifest: Manifest) -> None:
    rows = tables["decisions"]
    cost, reward = _cells(rows, "reward_peer_cost", "reward")
    row = next(row for row in rows[1:] if float(row[cost]) < 0)
    row[cost], row[reward] = str(float(row[cost]) + 1), str(float(row[reward]) + 1)


def _exchanged(column: str, least: int) -> Plant:
    """Return a fault that swaps numbers between two rows of `decisions` where they differ."""

    def plant(tables: Tables, _manifest: Manifest) -> None:
        rows = tables["decisions"]
        [place] = _cells(rows, column)
        first = next(row for row in rows[1:] if abs(int(row[place])) >= least)
        second = next(row for row in rows[1:] if row[place] != first[place])
        first[place], second[place] = second[place], first[place]

    return plant


def _transposed(tables: Tables, _manifest: Manifest) -> None:
    rows = tables["pairs"]
    assigned, received = _cells(rows, "assigned", "received")
    for row in rows[1:]:
        row[assigned], row[received] = row[received], row[assigned]


def _exchanged_seats(tables: Tables, _manifest: Manifest) -> None:
    """Swap the second decisions of two neighbouring rows, with their authors and times."""
    rows = tables["decisions"]
    columns = [
        place
        for place, name in enumerate(rows[0])
        if name.startswith(("peer_", "sent_assign_", "used_assign_"))
    ]
    first, second = next(
        two
        for two in pairwise(rows[1:])
        if len({tuple(row[place] for place in columns) for row in two}) > 1
    )
    for place in columns:
        first[place], second[place] = second[place], first[place]


def _declared(policy: str) -> Plant:
    """Return a fault that declares the session a rehearsal in which this policy played."""

    def plant(tables: Tables, manifest: Manifest) -> None:
        config, rehearsed = _cells(tables["config"], "config", "rehearsed")
        for row in tables["config"][1:]:
            row[rehearsed] = "1"
        seed = json.loads(tables["config"][1][config])["identity"]["seed"]
        manifest["rehearsed"] = {"people": [policy], "described": [], "seed": seed}

    return plant


# -- the journal ----------------------------------------------------------------------------------


def _entry(tables: Tables, wanted: Callable[[str, dict[str, Any]], bool]) -> tuple[list[str], Any]:
    """Return the first matching row of the journal, and its entry."""
    rows = tables["journal"]
    kind, content = _cells(rows, "kind", "entry")
    return next(
        (row, entry)
        for row in rows[1:]
        for entry in [json.loads(row[content])]
        if wanted(row[kind], entry)
    )


def _kept(tables: Tables, row: list[str], entry: dict[str, Any]) -> None:
    [content] = _cells(tables["journal"], "entry")
    row[content] = json.dumps(entry)


def _in_period(change: Callable[[dict[str, Any]], None]) -> Plant:
    """Return a fault in the journal's first period with assigned points."""

    def plant(tables: Tables, _manifest: Manifest) -> None:
        def with_points(kind: str, entry: dict[str, Any]) -> bool:
            return kind == "period" and any(map(any, entry["state"]["assigned"]))

        row, entry = _entry(tables, with_points)
        change(entry)
        _kept(tables, row, entry)

    return plant


def _seats_exchanged(entry: dict[str, Any]) -> None:
    entry["later"][0], entry["later"][1] = entry["later"][1], entry["later"][0]


def _moved_inside(entry: dict[str, Any]) -> None:
    matrix = entry["state"]["assigned"]
    row = next(row for row in matrix if any(row))
    first = next(place for place, points in enumerate(row) if points)
    second = next(place for place, points in enumerate(row) if points != row[first])
    row[first], row[second] = row[second], row[first]


def _increased(*path: Any) -> Callable[[dict[str, Any]], None]:
    def change(entry: dict[str, Any]) -> None:
        inner: Any = entry
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] += 1

    return change


def _by_another(entry: dict[str, Any]) -> None:
    decision = entry["later"][0]
    decision["by"] = "person" if decision["by"] == "default" else "default"


_ENTRIES: dict[str, Callable[[dict[str, Any]], None]] = {
    "the later decisions of two seats exchanged": _seats_exchanged,
    "points moved in the state": _moved_inside,
    "the time of a later decision changed": _increased("later", 1, "at_ms"),
    "the beginning of the stage changed": _increased("later_ms"),
    "a later decision by somebody else": _by_another,
    "a later decision with other points": _increased("later", 1, "action", "assign", 0),
    "a cost changed": _increased("components", "peer_cost", 1),
    "points got changed": _increased("components", "peer_received", 1),
    "an income changed": _increased("state", "income", 1),
    "the name of the stage changed": lambda entry: entry.update(stage="decide"),
    "the later decisions left out": lambda entry: entry.pop("later"),
}


def _of_stage(kind: str, _entry: dict[str, Any]) -> bool:
    return kind == "stage"


def _stage_moved(tables: Tables, _manifest: Manifest) -> None:
    row, _ = _entry(tables, _of_stage)
    [at_ms] = _cells(tables["journal"], "at_ms")
    row[at_ms] = str(int(row[at_ms]) + 1)


def _stage_left_out(tables: Tables, _manifest: Manifest) -> None:
    row, _ = _entry(tables, _of_stage)
    tables["journal"].remove(row)


def _act_changed(tables: Tables, _manifest: Manifest) -> None:
    def with_points(kind: str, entry: dict[str, Any]) -> bool:
        return kind == "act" and any(entry["action"].get("assign", ()))

    row, entry = _entry(tables, with_points)
    points = entry["action"]["assign"]
    place = next(place for place, number in enumerate(points) if number)
    points[place] -= 1 if points[place] > 0 else -1
    _kept(tables, row, entry)

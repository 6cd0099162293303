"""Careful forgeries of payments, people, sessions, seeds, the quiz and question pages. Each value
is changed in all tables that contain it, and digests and manifest are made to match."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from mixed_company.experiment.digests import label, of_plan, of_treatment, played_rules
from mixed_company.table.export.column import iso
from mixed_company.table.export.participants import PARTICIPANTS
from tests.analysis.audit.invented import people
from tests.analysis.audit.planting import Fault, Manifest, Plant, Tables, records, remake_iso
from tests.analysis.audit.reseeded import seeds

__all__ = ["FORGERIES", "forged"]

Row = dict[str, str]
Attempt = dict[str, Any]
Named = Iterator[tuple[str, str, Plant]]


def forged(good: Tables) -> Iterator[Fault]:
    """Yield all forgeries of an export with these tables."""
    for kind, faults in FORGERIES:
        for name, about, plant in faults(good):
            yield Fault(f"two blocks: {kind}", name, about, plant)


def _changed(tables: Tables, table: str, chosen: Callable[[Row], bool], **values: Any) -> None:
    """Change these columns, where the table has them, in all chosen rows."""
    head = tables[table][0]
    for number, row in enumerate(records(tables[table]), 1):
        if chosen(row):
            for name, value in values.items():
                if name in head:
                    tables[table][number][head.index(name)] = str(value)


def _of(row: Row, block: str = "") -> Callable[[Row], bool]:
    """Return a function that selects the rows of the same person, in one block or in all."""

    def chosen(other: Row) -> bool:
        same = all(other[name] == row[name] for name in ("session", "participant"))
        return same and block in ("", other.get("block", ""))

    return chosen


def _options(tables: Tables, manifest: Manifest, **options: Any) -> None:
    """Change options in all groups, and recompute all digests."""
    head = tables["config"][0]
    for number, row in enumerate(records(tables["config"]), 1):
        row["options"] = json.dumps({**json.loads(row["options"]), **options})
        digest = of_treatment(row["treatment"], row["block"], played_rules(row))
        for name, value in (("options", row["options"]), ("digest", digest)):
            tables["config"][number][head.index(name)] = value
        digests = manifest["sessions"][row["session"]]["plan"]["digests"]
        digests[label(row["treatment"], row["block"])] = digest
    for entry in manifest["sessions"].values():
        entry["plan"]["digest"] = of_plan(entry["plan"])


# -- money ----------------------------------------------------------------------------------------


def _money(good: Tables) -> Named:
    rows = list(records(good["outcomes"]))
    person = rows[0]
    last = next(row for row in reversed(rows) if row["participant"] == person["participant"])

    def paid(fee: float, elsewhere: float, **options: Any) -> Plant:
        """Return a forgery that adds to the fee of the last block, and to what other apps paid."""

        def plant(tables: Tables, manifest: Manifest) -> None:
            if options:
                _options(tables, manifest, **options)
            more = fee + elsewhere
            for row in (person, last):
                values = {"payment": float(row["payment"]) + more}
                values["pay_elsewhere"] = float(row["pay_elsewhere"]) + elsewhere
                if row is last:
                    values["pay_fee"] = float(row["pay_fee"]) + fee
                else:
                    values["pay_elsewhere"] += fee
                values = {name: round(value, 2) for name, value in values.items()}
                _changed(tables, "outcomes", _of(row, row["block"]), **values)
            whole = next(filter(_of(person), records(tables["participants"])))
            sums = {"payment": more, "pay_fee": fee, "pay_2": fee, "pay_elsewhere": elsewhere}
            values = {name: round(float(whole[name]) + add, 2) for name, add in sums.items()}
            _changed(tables, "participants", _of(person), **values)

        return plant

    yield "paid by another app", "", paid(0.0, 100.0)
    yield "a cent by another app, and a higher fee", "", paid(101.99, 0.01)
    yield "a higher fee for the periods played", "", paid(100.0, 0.0, fee_pro_rata=True)


# -- sessions -------------------------------------------------------------------------------------


def _copied() -> Plant:
    """Return a forgery that adds a second copy of the last session, under other codes."""

    def plant(tables: Tables, manifest: Manifest) -> None:
        session, new = [*manifest["sessions"]][-1], "zz11yy22"
        for table, rows in tables.items():
            added = []
            for row in records(rows):
                if row["session"] != session:
                    continue
                cells = {name: value.replace(session, new) for name, value in row.items()}
                if row.get("participant", ""):
                    cells["participant"] = "q" + row["participant"][1:]
                added.append([cells[name] for name in rows[0]])
            tables[table] += added
        manifest["sessions"][new] = copy.deepcopy(manifest["sessions"][session])
        manifest["created"].append(new)

    return plant


def _entry(**values: Any) -> Plant:
    return lambda _tables, manifest: next(iter(manifest["sessions"].values())).update(values)


def _sessions(_good: Tables) -> Named:
    def invented(_tables: Tables, manifest: Manifest) -> None:
        plan = next(iter(manifest["sessions"].values()))["plan"]
        entry = {"session_config": plan["name"], "participants": 400, "plan": plan}
        manifest["sessions"]["zzzz9999"] = entry
        manifest["created"].append("zzzz9999")

    yield "a session copied under another code", "", _copied()
    yield "an invented session in the manifest", "", invented
    yield "the number of people as a text", "", _entry(participants="4")
    yield "the number of people as a list", "", _entry(participants=[])
    yield "the number of groups as a real number", "", _entry(groups={"sanctions": 4.0})
    yield "the numbers of groups as a list", "", _entry(groups=[])


# -- the quiz and pages of questions --------------------------------------------------------------


def _asked(good: Tables) -> Named:
    person = next(records(good["outcomes"]))
    log = json.loads(person["quiz_log"])
    here = _of(person, person["block"])

    def first(**values: Any) -> Plant:
        return lambda tables, _manifest: _changed(tables, "outcomes", here, **values)

    judged = json.dumps([{**log[0], "wrong": log[0]["wrong"][1:]}, *log[1:]])
    yield "an answer of the quiz judged right", "", first(quiz_log=judged)
    yield (
        "the quiz never passed",
        "",
        first(quiz_log=json.dumps(log[:-1]), quiz_attempts=len(log) - 1),
    )
    yield "the quiz left out", "", first(quiz_log="[]", quiz_attempts=0)
    passed = first(quiz_log=json.dumps(log[-1:]), quiz_attempts=1)
    yield "failed attempts at the quiz left out", "outcomes.quiz_attempts", passed
    for name, change in _QUIZZES.items():
        yield f"{name} for everybody", "outcomes.quiz_log", partial(_quiz_changed, change=change)
    about = "outcomes.practised_periods"
    yield "the practice left out", about, first(practice_log="", practised_periods=0)
    for block, named in ((person["block"], ""), ("second", "answers: the last page")):
        yield f"the page after the {block} block left out", named, _page_left_out(person, block)
    yield "a required answer emptied", "", _emptied(person, "age")
    yield "a required answer after the first block emptied", "", _emptied(person, "content")


def _right_answer(attempt: Attempt, question: str) -> None:
    if question not in attempt["wrong"]:
        attempt["answers"][question] = "999"


def _question_left_out(attempt: Attempt, question: str) -> None:
    attempt["answers"].pop(question, None)
    attempt["wrong"] = [name for name in attempt["wrong"] if name != question]


def _question_renamed(attempt: Attempt, question: str) -> None:
    names = {question: "income"}
    answers = attempt["answers"].items()
    attempt["answers"] = {names.get(name, name): answer for name, answer in answers}
    attempt["wrong"] = [names.get(name, name) for name in attempt["wrong"]]


_QUIZZES = {
    "a different right answer to a question of the quiz": _right_answer,
    "a question of the quiz left out": _question_left_out,
    "a question of the quiz renamed": _question_renamed,
}


def _quiz_changed(
    tables: Tables, _manifest: Manifest, change: Callable[[Attempt, str], None]
) -> None:
    """Change the first question in every attempt of everybody."""
    for row in records(tables["outcomes"]):
        log = json.loads(row["quiz_log"])
        for attempt in log:
            change(attempt, min({*attempt["answers"], *attempt["wrong"]}))
        _changed(tables, "outcomes", _of(row, row["block"]), quiz_log=json.dumps(log))


def _page_left_out(person: Row, block: str) -> Plant:
    def plant(tables: Tables, _manifest: Manifest) -> None:
        chosen = _of(person, block)
        page = [row for row in records(tables["answers"]) if chosen(row) and row["when"] == "after"]
        head = tables["answers"][0]
        gone = [[row[name] for name in head] for row in page]
        tables["answers"][:] = [row for row in tables["answers"] if row not in gone]
        row = next(filter(chosen, records(tables["outcomes"])))
        answered = sum(row["value"] != "" for row in page)
        counts = {"questions_asked": len(page), "questions_answered": answered}
        fewer = {name: int(row[name]) - count for name, count in counts.items()}
        _changed(tables, "outcomes", chosen, **fewer)

    return plant


def _emptied(person: Row, question: str) -> Plant:
    def plant(tables: Tables, _manifest: Manifest) -> None:
        here = _of(person, person["block"])
        empty = dict.fromkeys(("value", "number", "wall_ms", "wall_time"), "")
        _changed(tables, "answers", lambda row: here(row) and row["question"] == question, **empty)
        row = next(filter(here, records(tables["outcomes"])))
        answered = int(row["questions_answered"]) - 1
        _changed(tables, "outcomes", here, questions_answered=answered)

    return plant


# -- absurd values --------------------------------------------------------------------------------


def _absurd(good: Tables) -> Named:
    person = next(records(good["outcomes"]))
    here = _of(person, "second")
    for amount in ("1e30", "inf", "nan"):
        plant = partial(_with, table="outcomes", chosen=here, pay_fee=amount)
        yield f"pay_fee = {amount}", "", plant
    for name, value in (
        ("practice_periods", "x"),
        ("pay_rounding", 0),
        ("pay_floor", 1e300),
        ("fee_shares", [1]),
        ("pay_waiting", None),
    ):
        yield f"{name} = {value!r}", "", partial(_with_options, options={name: value})


def _with_options(tables: Tables, manifest: Manifest, options: dict[str, Any]) -> None:
    _options(tables, manifest, **options)


def _with(tables: Tables, _manifest: Manifest, **values: Any) -> None:
    _changed(tables, **values)


# -- times ----------------------------------------------------------------------------------------


def _times(_good: Tables) -> Named:
    """Yield contradictory times of all people. Only notes name them, because the machine's clock
    can be set."""
    minute, waited, arrived = 60_000, "outcomes.waited_ms", "participants.arrived_ms_"
    yield "20 minutes in the lobby before the link was opened", waited, _waited(1, 20 * minute)
    yield "10 minutes in the lobby during the block before", waited, _waited(2, 10 * minute)
    later = partial(_moved, table="participants", column="arrived_ms_1", ms=10 * minute)
    yield "arrived after the play", arrived, later
    disclosed = partial(_moved, table="outcomes", column="disclosed_ms", ms=1440 * minute)
    yield "told about bots a day after the play", "outcomes.disclosed_ms", disclosed
    early = partial(_quiz_moved, ms=-1440 * minute)
    yield "the quiz a day before the link was opened", "outcomes.quiz_log", early


def _waited(number: int, ms: int) -> Plant:
    """Return a forgery in which everybody waited in the lobby of this block for `ms`."""

    def plant(tables: Tables, _manifest: Manifest) -> None:
        block = ("first", "second")[number - 1]
        _changed(tables, "outcomes", lambda row: row["block"] == block, waited_ms=ms)
        for row in list(records(tables[PARTICIPANTS])):
            arrived_ms = int(row[f"began_ms_{number}"]) - ms
            times = {f"arrived_ms_{number}": arrived_ms, f"arrived_time_{number}": iso(arrived_ms)}
            _changed(tables, PARTICIPANTS, _of(row), **times)

    return plant


def _moved(tables: Tables, _manifest: Manifest, table: str, column: str, ms: int) -> None:
    """Move all times in a column."""
    place = tables[table][0].index(column)
    for row in tables[table][1:]:
        row[place] = str(int(row[place]) + ms) if row[place] else ""
        remake_iso(tables[table][0], row, column)


def _quiz_moved(tables: Tables, _manifest: Manifest, ms: int) -> None:
    place = tables["outcomes"][0].index("quiz_log")
    for row in tables["outcomes"][1:]:
        log = json.loads(row[place] or "[]")
        row[place] = json.dumps([{**attempt, "at_ms": attempt["at_ms"] + ms} for attempt in log])


FORGERIES = (
    ("money", _money),
    ("times", _times),
    ("people", people),
    ("sessions", _sessions),
    ("seeds and seats", seeds),
    ("quiz and questions", _asked),
    ("absurd values", _absurd),
)

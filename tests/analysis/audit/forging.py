"""Faults after which every digest in the manifest and in `config` is recomputed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from mixed_company.experiment.digests import of_plan, of_treatment, played_rules
from tests.analysis.audit.planting import Fault, Manifest, Plant, Tables, records

__all__ = ["forged", "remake"]

_KIND = "two blocks: recomputed digests"


def remake(plan: Manifest, tables: Tables) -> None:
    """Recompute the plan's digests, and the groups' digests if there are tables, as anyone
    could."""
    for row in records(tables["config"]) if tables else ():
        digest = of_treatment(row["treatment"], row["block"], played_rules(row))
        if f"{row['treatment']}, {row['block']}" in plan["digests"]:
            plan["digests"][f"{row['treatment']}, {row['block']}"] = digest
        head, *rows = tables["config"]
        for line in rows:
            if line[head.index("group_id")] == row["group_id"]:
                line[head.index("digest")] = digest
    plan["digest"] = of_plan(plan)


def forged(manifest: Manifest) -> Iterator[Fault]:
    """Yield faults in the plans, the options, the policies and the manifest entries."""
    yield from _of_plans()
    yield from _of_options()
    yield from _of_pages()
    yield from _of_rehearsal(next(iter(manifest["sessions"])))
    yield Fault(_KIND, "two bots exchanged, under other code", "", _policies_exchanged)
    yield from _of_texts(next(iter(manifest["sessions"])))
    yield Fault(_KIND, "a game without tables", "", lambda _t, m: m["games"].update(sudoku="1"))


def _of_plans() -> Iterator[Fault]:
    money = {"participation_fee": 20.0, "real_world_currency_per_point": 1.0}
    entries: dict[str, tuple[Any, str]] = {
        "money": (money, ""),
        "matching": ("strangers", ""),
        "matching_groups": (9, ""),
        "assignment": ("arrival", ""),
        "roles": ("kept", ""),
        "plan": ("0" * 64, "plan"),
    }
    for key, (value, about) in entries.items():
        plant = _plans(lambda plan, key=key, value=value: plan.update({key: value}))
        yield Fault(_KIND, f"{key} of the plan", about, plant)
    yield Fault(_KIND, "an added treatment", "", _plans(_added_treatment))
    yield Fault(_KIND, "an added block", "", _plans(_added_block))


def _plans(change: Callable[[Manifest], None]) -> Plant:
    def plant(tables: Tables, manifest: Manifest) -> None:
        for session in manifest["sessions"].values():
            change(session["plan"])
            remake(session["plan"], tables)

    return plant


def _added_treatment(plan: Manifest) -> None:
    plan["treatments"]["control"] = 2
    plan["digests"] |= {f"control, {block}": "a" * 64 for block in plan["blocks"]}


def _added_block(plan: Manifest) -> None:
    plan["blocks"].append("third")
    plan["digests"] |= {f"{name}, third": "a" * 64 for name in plan["treatments"]}


def _of_options() -> Iterator[Fault]:
    values: dict[str, tuple[Any, str]] = {
        "disclosure": ("count", ""),
        "disclosure ": ("labels", ""),
        "language": ("de", ""),
        "disclosure_text": ("{bots} of {seats} are bots.", ""),
        "quiz": (False, ""),
        "consent": ("I agree.", ""),
        "comments": (True, "pages"),
        "attention": (False, "pages"),
    }
    for name, (value, about) in values.items():
        plant = _options(**{name.strip(): value})
        yield Fault(_KIND, f"option {name.strip()} = {value}", about, plant)


def _options(**changes: Any) -> Plant:
    """Return a fault that changes options in all groups."""

    def plant(tables: Tables, manifest: Manifest) -> None:
        head, *rows = tables["config"]
        for row in rows:
            options = json.loads(row[head.index("options")]) | changes
            row[head.index("options")] = json.dumps(options)
        for session in manifest["sessions"].values():
            remake(session["plan"], tables)

    return plant


def _of_pages() -> Iterator[Fault]:
    def told_nothing(tables: Tables, manifest: Manifest) -> None:
        _options(disclosure="none")(tables, manifest)
        _outcomes(tables, disclosure="", disclosed_ms="", disclosed_time="")

    def consented(tables: Tables, manifest: Manifest) -> None:
        _options(consent="I agree.")(tables, manifest)
        _outcomes(tables, consented="yes", consented_ms="1", consented_time="")

    def parameters(tables: Tables, _manifest: Manifest) -> None:
        _outcomes(tables, parameters='{"OTHER": "x"}')

    yield Fault(_KIND, "nobody told about bots, option changed too", "pages", told_nothing)
    yield Fault(_KIND, "consent of all, before the first page", "", consented)
    yield Fault(_KIND, "parameters that no option keeps", "", parameters)


def _outcomes(tables: Tables, **values: str) -> None:
    head, *rows = tables["outcomes"]
    for row in rows:
        for name, value in values.items():
            row[head.index(name)] = value


def _of_rehearsal(session: str) -> Iterator[Fault]:
    def one_real(tables: Tables, _manifest: Manifest) -> None:
        head, *rows = tables["config"]
        for row in rows:
            if row[head.index("session")] == session:
                row[head.index("rehearsed")] = "0"

    def without_seed(tables: Tables, manifest: Manifest) -> None:
        one_real(tables, manifest)
        manifest["rehearsed"]["seed"] = manifest["rehearsed"]["seed"][1:]

    yield Fault(_KIND, "one rehearsed session declared real", "", one_real)
    yield Fault(_KIND, "the same, and its seed taken out", "", without_seed)


def _of_texts(session: str) -> Iterator[Fault]:
    """Yield faults in manifest entries that do not appear in any table."""
    texts = {"license": "CC0-1.0", "citation": "Nobody (1999).", "codes": "drawn"}
    for key, text in texts.items():
        about = "manifest: texts" if key == "codes" else ""
        plant = _entry(lambda manifest, key=key, text=text: manifest.update({key: text}))
        yield Fault(_KIND, f"{key} of the manifest", about, plant)
    moves = [{"at": "2026-11-27T16:18:00+00:00", "open": False}]
    entries: dict[str, tuple[Callable[[Manifest], Any], str]] = {
        "a door": (lambda m: m["sessions"][session].update(door=moves), "manifest: door"),
        "anonymous": (lambda m: m.update(anonymous=False), "manifest: anonymous"),
        "the people of the rehearsal described": (
            lambda m: m["rehearsed"].update(described=["15 people of a university."]),
            "manifest: rehearsed.people",
        ),
        "other people of the rehearsal": (
            lambda m: m["rehearsed"].update(people=["random"]),
            "manifest: rehearsed.people",
        ),
        "people of the rehearsal with a policy of another game": (
            lambda m: m["rehearsed"].update(people=["steward"]),
            "",
        ),
        "the bots of the rehearsal": (
            lambda m: m["rehearsed"].update(bots=["random"]),
            "manifest: rehearsed.people",
        ),
        "a key that no release writes": (lambda m: m.update(preregistered="2020-01-01"), ""),
        "a session of one app with a total for two": (
            lambda m: m["sessions"][session].update(total=1.0, apps=["sanctions", "survey"]),
            "",
        ),
        "a turned order of treatments": (_turned, ""),
    }
    for name, (change, about) in entries.items():
        yield Fault(_KIND, name, about, _entry(change))


def _entry(change: Callable[[Manifest], Any]) -> Plant:
    def plant(_tables: Tables, manifest: Manifest) -> None:
        change(manifest)

    return plant


def _turned(manifest: Manifest) -> None:
    for session in manifest["sessions"].values():
        session["plan"]["order"].reverse()


def _policies_exchanged(tables: Tables, manifest: Manifest) -> None:
    specs = [row["policy_id"] for row in records(tables["seats"]) if row["policy_id"]]
    first, second = list(dict.fromkeys(specs))[:2]
    for rows in tables.values():
        rows[1:] = [
            [
                value.replace(first, "\0").replace(second, first).replace("\0", second)
                for value in row
            ]
            for row in rows[1:]
        ]
    for session in manifest["sessions"].values():
        remake(session["plan"], tables)
    manifest["code"] = "f" * 64

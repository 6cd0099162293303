"""Schema of a manifest: the type and the rule of every entry that an analysis reads.

`formed` removes and reports entries that violate the schema, so code that reads a manifest never
finds a list where it expects a name. It does not report missing entries, because earlier releases
wrote fewer entries.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    FiniteFloat,
    ValidationError,
)

from mixed_company.engine.contract.config import refusal
from mixed_company.engine.contract.errors import short
from mixed_company.experiment.assignment import Assignment, Matching, Roles

_DICTIONARY = re.compile(r"a valid dictionary( or instance of \w+)?$")
_LONGEST = 200
"""Maximum length of a name in a manifest."""


def _seed(value: Any) -> Any:
    """Reject a value unless it is a seed, a list of distinct seeds, or None."""
    listed = value if isinstance(value, list) else [value]
    if not all(seed is None or type(seed) is int for seed in listed):
        raise ValueError(f"{short(value)} should be a whole number, or a list of them")
    if len({*listed}) < len(listed):
        raise ValueError(f"{short(value)} contains a seed twice")
    return value


def _numbers(value: Any) -> Any:
    """Reject a value unless it is a number of groups, or an object with a number for each game."""
    listed = value.values() if isinstance(value, Mapping) else [value]
    if not all(type(number) is int and number >= 0 for number in listed):
        raise ValueError(f"{short(value)} should be a whole number, or an object of them by game")
    return value


def _time(value: str) -> str:
    """Reject a text unless it is a time in ISO 8601 with a time zone, or empty."""
    try:
        zone = datetime.fromisoformat(value).tzinfo if value else UTC
    except ValueError:
        zone = None
    if zone is None:
        rule = "should be a time in ISO 8601 with a time zone, such as 2026-11-28T09:00:00+00:00"
        raise ValueError(f"{short(value)} {rule}")
    return value


class _Form(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore")


_Name = Annotated[str, Field(max_length=_LONGEST)]
_Digest = Annotated[str, Field(pattern=r"^([0-9a-f]{64})?$")]


class _Plan(_Form):
    name: _Name = ""
    digest: _Name = ""
    plan: _Name = ""
    assignment: Assignment = "balanced"
    by_hand: list[_Name] = []
    seed_by_hand: bool = False
    order: list[_Name] = []
    treatments: dict[_Name, Annotated[int, Field(ge=1)]] = {}
    blocks: list[_Name] = []
    parts: list[_Name] = []
    matching: Matching = "partners"
    matching_groups: Annotated[int, Field(ge=1, le=100)] = 1
    roles: Roles = "kept"
    pay_blocks: Literal["all", "one"] = "all"
    money: dict[_Name, FiniteFloat] = {}
    digests: dict[_Name, _Name] = {}


class _Course(_Form):
    treatments: list[_Name] = []
    blocks: list[_Name] = []
    parts: list[_Name] = []


class _Session(_Form):
    session_config: _Name = ""
    participants: Annotated[int, Field(ge=0)] = 0
    apps: list[_Name] = []
    door: Any = None
    total: Any = None
    groups: Annotated[Any, BeforeValidator(_numbers)] = {}
    plan: _Plan = _Plan()
    imported: _Course = _Course()


class _Rehearsed(_Form):
    people: list[_Name] = []
    described: list[str] = []
    bots: list[_Name] = []
    seed: Annotated[Any, BeforeValidator(_seed)] = None


class _Imported(_Form):
    table: _Name = ""
    table_sha256: _Digest = ""
    map: _Name = ""
    map_sha256: _Digest = ""
    columns: list[str] = []
    payoffs: dict[_Name, int] = {}


class _Sealed(_Form):
    groups: int = 0
    head: _Digest = ""
    key: Annotated[str, Field(pattern=r"^([0-9a-f]{16})?$")] = ""
    seal: _Digest = ""


class _Manifest(_Form):
    format: Any = None
    tables: Any = None
    project: str = ""
    timestamp: Annotated[str, Field(alias="made"), AfterValidator(_time)] = ""
    software: dict[_Name, str] = {}
    code: str = ""
    games: Annotated[dict[_Name, str], Field(min_length=1)] = {}
    sessions: dict[_Name, _Session] = {}
    created: list[_Name] = []
    session_configs: list[_Name] = []
    rehearsed: _Rehearsed = _Rehearsed()
    imported: _Imported = _Imported()
    anonymous: bool = False
    replaced: list[str] = []
    left_out: list[str] = []
    codes: str = ""
    license: str = ""
    citation: str = ""
    sealed: _Sealed = _Sealed()


def formed(manifest: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return the manifest without the entries that violate the schema, and a sentence about each of
    them with its key, value and rule.
    """
    try:
        _Manifest.model_validate(manifest)
    except ValidationError as error:
        lines = str(refusal(error, _Manifest)).split("\n")
        faults = [_DICTIONARY.sub("an object", line) for line in lines]
        kept = dict(manifest)
        for item in error.errors():
            kept = _without(kept, [str(part) for part in item["loc"]])
    else:
        kept, faults = dict(manifest), []
    return _with_its_games(kept, faults), faults


def unknown_keys(manifest: Mapping[str, Any]) -> Iterator[str]:
    """Yield the path of every key that is not written by any release."""
    yield from _unknown(manifest, _Manifest, "")
    parts: dict[str, type[_Form]] = {
        "rehearsed": _Rehearsed,
        "imported": _Imported,
        "sealed": _Sealed,
    }
    for key, form in parts.items():
        yield from _unknown(manifest.get(key), form, f"{key}.")
    for code, session in (manifest.get("sessions") or {}).items():
        yield from _unknown(session, _Session, f"sessions.{code}.")
        yield from _unknown(session.get("plan"), _Plan, f"sessions.{code}.plan.")
        yield from _unknown(session.get("imported"), _Course, f"sessions.{code}.imported.")


def course(session: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a session's treatments and blocks from its entry in a manifest: from its plan or from
    an imported table; empty if it has neither.
    """
    return session.get("plan") or session.get("imported") or {}


def _unknown(content: Any, form: type[_Form], path: str) -> Iterator[str]:
    declared = {field.alias or name for name, field in form.model_fields.items()}
    keys = content if isinstance(content, Mapping) else {}
    yield from (f"{path}{key}" for key in keys if key not in declared)


def _without(content: dict[str, Any], path: list[str]) -> dict[str, Any]:
    """Return the content without the entry at a path or, if the entry is in a list, without the
    entire list.
    """
    key, rest = path[0], path[1:]
    if key not in content:  # already removed
        return content
    inner = content[key]
    if rest and isinstance(inner, dict):
        return {**content, key: _without(inner, rest)}
    return {name: value for name, value in content.items() if name != key}


def _with_its_games(manifest: dict[str, Any], faults: list[str]) -> dict[str, Any]:
    """Return the manifest with exactly the games that have tables; add a sentence to `faults` for
    each game added or removed.
    """
    named = manifest.get("games")
    if named is None:
        return manifest
    folders = {str(PurePosixPath(path).parent) for path in manifest["tables"]} - {"."}
    faults += [
        f"games.{game} = {short(version)}: no tables for this game"
        for game, version in named.items()
        if game not in folders
    ]
    faults += [
        f"games.{game}: is missing, but it has tables" for game in sorted(folders - {*named})
    ]
    games = {game: named.get(game, "") for game in (*named, *sorted(folders - {*named}))}
    return {**manifest, "games": {game: games[game] for game in games if game in folders}}

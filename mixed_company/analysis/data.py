"""The tables of one game, and the games they were played by."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, lru_cache
from typing import Any

import pandas as pd
from pandas.api.types import is_string_dtype

from mixed_company import engine
from mixed_company.analysis.treatments import Names, check_names, groups_of, shortened
from mixed_company.engine.contract.errors import ConfigError, UnknownName, nearest
from mixed_company.engine.game import Game

__all__ = ["GROUP", "PERIOD", "SEAT", "Data", "Problem", "game_of", "joined"]

GROUP = ["session", "group"]
SEAT = [*GROUP, "seat"]
PERIOD = [*GROUP, "period"]


@dataclass(frozen=True)
class Problem:
    """Something that is wrong with an export, or that is to be known about it.

    where    the file, the row (its line in a spreadsheet, the header is 1) and the column, as far
             as it is about one
    what     the sentence
    session, group, participant   whom it concerns; empty: all
    kind     `damaged`     the file is not as it was written; what is damaged is left out
             `unplayable`  this code cannot make the game of a group: other rules, or a damaged
                           config; what needs the game is left out for it
             `differs`     not what the rules give, or two tables that say different things
             `unfinished`  a session that runs, a group that never started
             `left`        a participant who left before the play
             `interrupted` the play stood still: the server was late or away; or the machine's clock
                           was set
    """

    kind: str
    what: str
    where: str = ""
    session: str = ""
    group: int | None = None
    participant: str = ""

    def __str__(self) -> str:
        return ": ".join(part for part in (self.where, self.what) if part)


@dataclass(frozen=True)
class Data:
    """The tables of one game; every frame has the columns of the codebook.

    decisions   one row per seat and period
    periods     one row per group and period
    pairs       one row per period and ordered pair of seats; None: the game has nothing between two
    answers     one row per person and question; None: nothing was asked
    seats       one row per occupancy of a seat
    events      one row per event
    outcomes    one row per participant
    config      one row per group
    messages    one row per message; None: nobody wrote any
    journal     one row per entry of the journals; None: an export of an earlier release, or of no
                server
    problems    what was found wrong
    manifest    what the export says of itself: versions, sessions; `rehearsed` if policies sat in
                people's places
    unread      the tables that could not be read; their frames are empty
    names       names of one's own for treatments, see `named`
    """

    game_id: str
    decisions: pd.DataFrame
    periods: pd.DataFrame
    seats: pd.DataFrame
    events: pd.DataFrame
    outcomes: pd.DataFrame
    config: pd.DataFrame
    pairs: pd.DataFrame | None = None
    answers: pd.DataFrame | None = None
    messages: pd.DataFrame | None = None
    journal: pd.DataFrame | None = None
    problems: Sequence[Problem] = field(default=())
    manifest: Mapping[str, Any] = field(default_factory=dict)
    unread: Sequence[str] = field(default=())
    names: Names = field(default_factory=dict)

    def named(self, names: Names) -> Data:
        """The same with other names of treatments, which are then also in this order.

            data.named({"open": ["governance=none"], "pool": ["governance=per_step"]})

        A group has a name if it has all that stands behind it: its session config, its treatment
        in the plan (`treatment=pool`), a parameter, or the whole name of the treatment. Others
        keep theirs, and come after.
        Raises UnknownName for what no group has, ConfigError for a group under two names.
        """
        check_names(self.config, names)
        return replace(self, names=names)

    def shortened(self) -> Data:
        """The same with short names for treatments, made from what sets them apart alone; names
        that somebody has given stay."""
        return self._shortened

    @cached_property
    def _shortened(self) -> Data:
        if self.names:
            return self
        short = shortened(self.config)
        return replace(self, names={short[name]: [name] for name in self.treatments})

    def of_session_config(self, name: str) -> Data:
        """The sessions of one session config alone. Raises ConfigError where there is none."""
        listed = self.manifest.get("sessions")
        about = dict(listed) if isinstance(listed, Mapping) else {}
        own = {code for code, entry in about.items() if _config_of(entry) == name}
        own |= set(self.config.loc[self.config["session_config"] == name, "session"])
        if not own:
            others = {*map(_config_of, about.values()), *map(str, self.config["session_config"])}
            there = ", ".join(repr(other) for other in sorted(others) if other)
            raise ConfigError(
                f"there is no session of {name!r}; there are sessions of {there or 'none'}"
            )
        frames: dict[str, Any] = {
            attribute.name: frame[frame["session"].isin(own)].reset_index(drop=True)
            for attribute in fields(self)
            if isinstance(frame := getattr(self, attribute.name), pd.DataFrame)
        }
        problems = [one for one in self.problems if one.session in own or not one.session]
        kept = {**self.manifest, "sessions": {code: about[code] for code in about if code in own}}
        return replace(self, **frames, problems=tuple(problems), manifest=kept)

    def of_block(self, name: str) -> Data:
        """The groups of one block alone, and the people who came to it. Raises UnknownName."""
        known = sorted(set(map(str, self.config["block"]))) if "block" in self.config else []
        if name not in known:
            raise UnknownName(f"block {name!r}: no group is of it{nearest(name, known)}")
        frames: dict[str, Any] = {
            attribute.name: frame[frame["block"] == name].reset_index(drop=True)
            for attribute in fields(self)
            if isinstance(frame := getattr(self, attribute.name), pd.DataFrame)
        }
        return replace(self, **frames)

    def of_group(self, session: str, group: int) -> Data:
        """The rows of one group alone. Who goes through all groups looks at each row once."""
        frames: dict[str, Any] = {
            name: getattr(self, name).iloc[places.get((session, group), [])]
            for name, places in self._places.items()
        }
        return replace(self, **frames)

    @cached_property
    def _places(self) -> dict[str, Mapping[Any, Any]]:
        """Where the rows of every group are, by table."""
        return {
            attribute.name: frame.groupby(GROUP).indices
            for attribute in fields(self)
            if isinstance(frame := getattr(self, attribute.name), pd.DataFrame)
        }

    @property
    def treatments(self) -> list[str]:
        """The treatments that groups were of, in the one order that all tables and figures have."""
        return [str(name) for name in self.groups["treatment"].cat.categories]

    @cached_property
    def groups(self) -> pd.DataFrame:
        """One row per group that was formed.

        treatment   as the plan of the session names it, with the block where it has several, else
                    the session config; where groups of one name were played by different rules or
                    options, with what differs: `commons_lab, growth_rate=0.2`; or a name of one's
                    own. Categories are in the order of `treatments`
        group_id    unique over sessions
        archetype   of the game's configuration
        n           seats
        people      seats on which a person sat at any time
        policies    policies that sat at any time, by commas
        periods     periods played
        ended       why the play ended; empty: it has not
        """
        listed = self.manifest.get("session_configs")
        settings = list(map(str, listed)) if isinstance(listed, list) else []
        settings = [own for name in settings for own in planned(self.manifest).get(name, [name])]
        return groups_of(
            self.config, self.seats, self.periods, self.decisions, settings, self.names
        )

    def game(self, session: str, group: int) -> Game[Any]:
        """The game a group played, made from its configuration. Raises ConfigError."""
        own = self.config[(self.config["session"] == session) & (self.config["group"] == group)]
        if own.empty:
            raise ConfigError(f"group {group} of session {session!r}: there is none")
        return game_of(str(own["config"].iloc[0]))

    @property
    def games(self) -> dict[tuple[str, int], Game[Any]]:
        """The game of every group, but of those that `problems` calls unplayable."""
        keys = zip(self.config["session"], self.config["group"], strict=True)
        without = {
            (problem.session, problem.group)
            for problem in self.problems
            if problem.kind == UNPLAYABLE
        }
        return {
            (str(session), int(group)): game_of(text)
            for (session, group), text in zip(keys, self.config["config"], strict=True)
            if (str(session), int(group)) not in without
        }


UNPLAYABLE = "unplayable"


def _config_of(entry: Any) -> str:
    """The session config that the manifest has for a session."""
    return str(entry.get("session_config", "")) if isinstance(entry, Mapping) else ""


def planned(manifest: Mapping[str, Any]) -> dict[str, list[str]]:
    """The treatments of the plans that an export has sessions of, by session config, in order."""
    sessions = manifest.get("sessions")
    orders: dict[str, list[str]] = {}
    for entry in sessions.values() if isinstance(sessions, Mapping) else ():
        plan = entry.get("plan") if isinstance(entry, Mapping) else None
        named = plan.get("treatments") if isinstance(plan, Mapping) else None
        if isinstance(named, Mapping):
            blocks = plan.get("blocks") if isinstance(plan, Mapping) else None
            orders[str(entry.get("session_config"))] = [
                f"{name}, {block}" if block else str(name)
                for name in named
                for block in (blocks if isinstance(blocks, list) and blocks else [""])
            ]
    return orders


@lru_cache(maxsize=512)
def game_of(config: str) -> Game[Any]:
    """The game that a resolved configuration describes, JSON, of this release or an earlier one.

    Raises ConfigError.
    """
    try:
        described = json.loads(config)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"config: is not JSON: {error}") from None
    if not isinstance(described, dict):
        raise ConfigError(f"config = {config:.60}: describes no game")
    return engine.restored(described)


def joined(*parts: Data) -> Data:
    """Exports of the same game as one. Raises ConfigError where a group is in two of them."""
    ids = {part.game_id for part in parts}
    if len(ids) != 1:
        raise ConfigError(f"joined: of one game only, not of {', '.join(sorted(ids)) or 'none'}")
    config = pd.concat([part.config for part in parts], ignore_index=True)
    twice = config[config.duplicated(GROUP)]
    if not twice.empty:
        session, group = twice.iloc[0][GROUP]
        raise ConfigError(f"group {group} of session {session!r} is in two of the exports")
    tables = {}
    for attribute in fields(Data):
        values = [getattr(part, attribute.name) for part in parts]
        if any(isinstance(frame, pd.DataFrame) for frame in values):
            some = [frame for frame in values if frame is not None and not frame.empty]
            tables[attribute.name] = _stacked(some) if some else values[0]
    problems = tuple(problem for part in parts for problem in part.problems)
    unread = tuple(dict.fromkeys(name for part in parts for name in part.unread))
    manifest = _together([part.manifest for part in parts])
    names = {name: own for part in parts for name, own in part.names.items()}
    return Data(
        ids.pop(), **tables, problems=problems, manifest=manifest, unread=unread, names=names
    )


def _stacked(frames: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """These rows as one table. A text that exports of before do not have is empty, as in a file."""
    table = pd.concat(frames, ignore_index=True)
    for name in table:
        own = [frame[name] for frame in frames if name in frame]
        if len(own) < len(frames) and all(is_string_dtype(values) for values in own):
            table[name] = table[name].fillna("")
    return table


def _together(manifests: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """One manifest of several: what they agree in, when the last of them was made, their sessions,
    their session configs in order, and who rehearsed in any."""
    first = manifests[0]
    same = {key: first[key] for key in first if all(m.get(key) == first[key] for m in manifests)}
    same.pop("tables", None)
    sessions = [dict(manifest.get("sessions", {})) for manifest in manifests]
    merged: dict[str, Any] = {**same, "sessions": dict[str, Any]()}
    for own in sessions:
        merged["sessions"] |= own
    configs = [name for manifest in manifests for name in manifest.get("session_configs") or ()]
    if configs:
        merged["session_configs"] = list(dict.fromkeys(configs))
    dates = [str(manifest["made"]) for manifest in manifests if manifest.get("made")]
    if dates:
        merged["made"] = max(dates)
    rehearsed = [manifest["rehearsed"] for manifest in manifests if manifest.get("rehearsed")]
    if rehearsed:
        given = [rehearsal.get("seed") for rehearsal in rehearsed]
        several = [seed if isinstance(seed, list) else [seed] for seed in given]
        seeds = list(dict.fromkeys(seed for own in several for seed in own))
        seed = seeds[0] if len(seeds) == 1 else seeds
        merged["rehearsed"] = {
            who: list(
                dict.fromkeys(name for rehearsal in rehearsed for name in rehearsal.get(who, []))
            )
            for who in ("people", "bots")
            if any(who in rehearsal for rehearsal in rehearsed)
        } | {"seed": seed}
    return merged

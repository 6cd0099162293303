"""The tables of one game, and each group's game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from mixed_company.analysis.declared import game_of, without_columns_of
from mixed_company.analysis.treatments import Names, check_names, described, groups_of, shortened
from mixed_company.engine.contract.errors import ConfigError, UnknownName, nearest
from mixed_company.engine.game import Game
from mixed_company.experiment.blocks import blocks_of_plays
from mixed_company.experiment.manifest import course
from mixed_company.files import one_line

if TYPE_CHECKING:
    from mixed_company.analysis.permuted import Permuted

GROUP = ["session", "group"]
SEAT = [*GROUP, "seat"]
PERIOD = [*GROUP, "period"]


@dataclass(frozen=True)
class Problem:
    """A fault in an export, or a note about it.

    where    the file, the row (its line in a spreadsheet; the header is line 1) and the column, if
             the problem has one
    what     description, in a sentence
    session, group, participant   the session, group and participant concerned; empty: all
    kind     `damaged`      the file was changed after it was written; the damaged part is left out
             `unplayable`   this code cannot make the group's game, because the rules differ or the
                            config is damaged; anything needing the game is left out for this group
             `differs`      a value does not follow from the rules, or two tables disagree
             `unfinished`   a session is still running, or a group never started
             `left`         a participant left before the play
             `unopened`     nobody opened some of a session's places
             `interrupted`  the play stopped because the server was late or down, or the machine's
                            clock was changed
             `unknown`      only the server's key could verify this value
    """

    kind: str
    what: str
    where: str = ""
    session: str = ""
    group: int | None = None
    participant: str = ""

    def __str__(self) -> str:
        return one_line(": ".join(part for part in (self.where, self.what) if part))


@dataclass(frozen=True)
class Data:
    """The tables of one game; every frame has the columns of the codebook.

    decisions   one row per seat and period
    periods     one row per group and period
    pairs       one row per period and ordered pair of seats; None if the game has no pair values
    answers     one row per person and question; None if no questions were asked
    seats       one row for each time that an occupant takes a seat
    events      one row per event
    outcomes    one row per participant
    config      one row per group
    messages    one row per message; None if nobody wrote any
    journal     one row per journal entry; None if an earlier release made the export, or if
                it was made without a server
    problems    faults and notes
    manifest    the export's description: versions, sessions; `rehearsed` if policies took people's
                places
    unread      tables that could not be read; their frames are empty
    names       custom treatment names (`named`)
    other_sessions   the manifest's entries for sessions that were left out (`of_session_config`)
    permuted    true and permuted labels of blind data (`blinding`); None: labels are true
    unopened    session and participant code of each place that nobody opened
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
    other_sessions: Mapping[str, Any] = field(default_factory=dict)
    permuted: Permuted | None = None
    unopened: frozenset[tuple[str, str]] = frozenset()

    @cached_property
    def rehearsed(self) -> bool:
        """True if policies played in place of people, as shown by the manifest or by any group's
        mark or options."""
        marks = list(self.config["rehearsed"].dropna()) if "rehearsed" in self.config else []
        options = dict.fromkeys(self.config["options"]) if "options" in self.config else {}
        return (
            self.manifest.get("rehearsed") is not None
            or any(marks)
            or any("simulated" in (described(text) or {}) for text in options)
        )

    @property
    def arrived(self) -> pd.DataFrame:
        """The rows of `outcomes` without places that nobody opened. oTree creates all places of a
        session in advance, so `outcomes` has a row for each of them."""
        places = pd.MultiIndex.from_frame(self.outcomes[["session", "participant"]])
        return self.outcomes[~places.isin(list(self.unopened))] if self.unopened else self.outcomes

    @property
    def imported(self) -> bool:
        """True if at least one session was imported from another experiment's table."""
        return any("imported" in entry for entry in self.manifest.get("sessions", {}).values())

    def named(self, names: Names) -> Data:
        """Return the same data with custom names of treatments, in this order.

            data.named({"open": ["governance=none"], "pool": ["governance=per_step"]})

        A group gets a name if everything listed under that name applies to it. Each entry is a
        session config, a treatment of the plan (`treatment=pool`), a parameter, or a treatment's
        full name. Other groups keep their names and come last. Raises UnknownName if an entry
        applies to no group, ConfigError if two names apply to a group.
        """
        check_names(self.config, names)
        return replace(self, names=names)

    def shortened(self) -> Data:
        """Return the same data with short treatment names, which state only the differences. Custom
        names are kept."""
        return self._shortened

    @cached_property
    def _shortened(self) -> Data:
        if self.names:
            return self
        short = shortened(self.config)
        return replace(self, names={short[name]: [name] for name in self.treatments})

    def of_session_config(self, name: str) -> Data:
        """Return the data of one session config, without columns and tables that only games in
        other sessions have. Raises ConfigError if it has no sessions."""
        about = self.manifest.get("sessions", {})
        configs = {code: entry.get("session_config", "") for code, entry in about.items()}
        codes = {code for code, config in configs.items() if config == name}
        codes |= set(self.config.loc[self.config["session_config"] == name, "session"])
        if not codes:
            others = {*configs.values(), *map(str, self.config["session_config"])}
            listing = ", ".join(repr(other) for other in sorted(others) if other)
            raise ConfigError(
                f"there is no session of {name!r}; there are sessions of {listing or 'none'}"
            )
        frames: dict[str, Any] = {
            attribute.name: frame[frame["session"].isin(codes)].reset_index(drop=True)
            for attribute in fields(self)
            if isinstance(frame := getattr(self, attribute.name), pd.DataFrame)
        }
        problems = [
            problem for problem in self.problems if problem.session in codes or not problem.session
        ]
        sessions = {code: about[code] for code in about if code in codes}
        kept = {**self.manifest, "sessions": sessions}
        dropped = {code: entry for code, entry in about.items() if code not in codes}
        unopened = frozenset(place for place in self.unopened if place[0] in codes)
        elsewhere = self.config[~self.config["session"].isin(codes)]
        frames = without_columns_of(elsewhere, frames, self.game_id)
        part = replace(self, **frames, problems=tuple(problems), manifest=kept)
        return replace(part, other_sessions=dropped, unopened=unopened)

    def of_block(self, name: str) -> Data:
        """Return the data of one block: its groups, and the people who reached it. Raises
        UnknownName."""
        names = sorted(set(map(str, self.config["block"]))) if "block" in self.config else []
        if name not in names:
            raise UnknownName(f"block {name!r}: no group played it{nearest(name, names)}")
        frames: dict[str, Any] = {
            attribute.name: frame[frame["block"] == name].reset_index(drop=True)
            for attribute in fields(self)
            if isinstance(frame := getattr(self, attribute.name), pd.DataFrame)
        }
        return replace(self, **frames)

    def by_block(self) -> Data:
        """Return the same data, with the plays of each repeated block under the block's name.

        The `play` column of `config` then has the play's number within the block, counted from 0.
        """
        names = _repeated(self.manifest)
        if not names:
            return self
        frames: dict[str, Any] = {}
        for attribute in fields(self):
            frame = getattr(self, attribute.name)
            if isinstance(frame, pd.DataFrame) and "block" in frame:
                places = [
                    names.get((session, play), (play, 0))
                    for session, play in zip(frame["session"], frame["block"], strict=True)
                ]
                blocks = pd.Series([block for block, _ in places], frame.index, dtype=object)
                frames[attribute.name] = frame.assign(block=blocks.astype(frame["block"].dtype))
                if attribute.name == "config":
                    frames["config"]["play"] = [number for _, number in places]
        return replace(self, **frames)

    def by_unit(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return a frame of measures in which a treatment's groups that exchange people are
        combined into one `group`, with the lowest of their numbers."""
        if "matching_group" not in self.config or not len(frame):
            return frame
        rows = self.groups[[*GROUP, "treatment"]].assign(
            unit=self.config["matching_group"].to_numpy(dtype=float, na_value=np.nan)
        )
        mixed = rows.groupby(["session", "treatment", "unit"], observed=True)["group"]
        units = mixed.transform("min").set_axis(pd.MultiIndex.from_frame(rows[GROUP]))
        keys = pd.MultiIndex.from_frame(frame[GROUP])
        combined = pd.Series(units.reindex(keys).to_numpy(), frame.index)
        return frame.assign(group=combined.fillna(frame["group"]).astype(np.int64))

    @cached_property
    def blocks(self) -> dict[str, list[str]]:
        """Treatments by the blocks in which they were played.

        The same people play all blocks of a session, so only the treatments of one entry are
        independent samples. Without blocks, there is one entry.
        """
        names = self.groups["treatment"].astype(str)
        played = self.config["block"] if "block" in self.config else names.map(lambda _: "")
        blocks = (
            played.astype(str)
            .groupby(names.to_numpy())
            .agg(lambda listed: ", ".join(sorted(set(listed))))
        )
        parts: dict[str, list[str]] = {}
        for name in self.treatments:
            parts.setdefault(blocks[name], []).append(name)
        return parts

    def of_group(self, session: str, group: int) -> Data:
        """Return only the rows of one group. The positions of all groups' rows are found only once,
        so this is fast enough for a loop over all groups."""
        frames: dict[str, Any] = {
            name: getattr(self, name).iloc[places.get((session, group), [])]
            for name, places in self._places.items()
        }
        return replace(self, **frames)

    @cached_property
    def _places(self) -> dict[str, Mapping[Any, Any]]:
        """Positions of every group's rows, by table."""
        return {
            attribute.name: frame.groupby(GROUP).indices
            for attribute in fields(self)
            if isinstance(frame := getattr(self, attribute.name), pd.DataFrame)
        }

    @property
    def treatments(self) -> list[str]:
        """The groups' treatments, in the order that all tables and figures use."""
        return [str(name) for name in self.groups["treatment"].cat.categories]

    @property
    def plays(self) -> dict[str, int]:
        """The number of plays of each treatment: 1, or more in a repeated block."""
        if "play" not in self.config:
            return dict.fromkeys(self.treatments, 1)
        last = self.config["play"].groupby(self.groups["treatment"], observed=True).max()
        return {str(name): int(play) + 1 for name, play in last.items()}

    @cached_property
    def groups(self) -> pd.DataFrame:
        """One row per group that was formed.

        treatment   name of the treatment in the session's plan, with the block if there are
                    several; without a plan, the session config. If groups with the same name had
                    different rules or options, the differences are added: `commons_lab,
                    growth_rate=0.2`. A custom name replaces all of this. The categories are in the
                    order of `treatments`
        group_id    id of the group, unique across sessions
        archetype   archetype of the game's configuration
        n           seats
        people      number of seats that a person had at any time
        policies    policies that held a seat at any time, separated by commas
        periods     number of periods played
        ended       why the play ended; empty if it has not ended
        """
        named, plans = self.manifest.get("session_configs", ()), planned(self.manifest)
        settings = [label for name in named for label in plans.get(name, [name])]
        return groups_of(
            self.config, self.seats, self.periods, self.decisions, settings, self.names
        )

    def game(self, session: str, group: int) -> Game[Any]:
        """Make a group's game from its configuration. Raises ConfigError."""
        rows = self.config[(self.config["session"] == session) & (self.config["group"] == group)]
        if rows.empty:
            raise ConfigError(f"group {group} of session {session!r} does not exist")
        return game_of(str(rows["config"].iloc[0]))

    @property
    def games(self) -> dict[tuple[str, int], Game[Any]]:
        """The game of each group, except groups listed as unplayable in `problems`."""
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


def _repeated(manifest: Mapping[str, Any]) -> dict[tuple[str, str], tuple[str, int]]:
    """Return, by session and play, the play's block and its number within the block, counted from
    0. Only sessions with repeated blocks are included."""
    names = {}
    for session, entry in manifest.get("sessions", {}).items():
        blocks = blocks_of_plays(course(entry))
        order = list(blocks.values())
        if len(set(order)) < len(order):
            for place, (play, block) in enumerate(blocks.items()):
                names[session, play] = (block, place - order.index(block))
    return names


def planned(manifest: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the treatments of an export's plans in order, by session config. If sessions of one
    config had plans with different orders, the session created last counts; no seal covers the
    order of `sessions`."""
    orders: dict[str, list[str]] = {}
    sessions, created = manifest.get("sessions", {}), list(manifest.get("created") or ())
    places = {code: place for place, code in enumerate(created)}
    for code in sorted(sessions, key=lambda code: (places.get(code, -1), str(code))):
        entry = sessions[code]
        plan = course(entry)
        if "treatments" in plan:
            orders[str(entry.get("session_config"))] = [
                f"{name}, {block}" if block else name
                for name in plan["treatments"]
                for block in dict.fromkeys(blocks_of_plays(plan).values()) or [""]
            ]
    return orders


def rehearsed_seeds(manifest: Mapping[str, Any]) -> list[int | None]:
    """Return the seeds of the rehearsed sessions of an export; None stands for an unknown seed."""
    rehearsal = manifest.get("rehearsed")
    if not rehearsal:
        return []
    seed = rehearsal.get("seed")
    return seed if isinstance(seed, list) else [seed]

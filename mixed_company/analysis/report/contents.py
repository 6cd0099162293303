"""The contents of a report before it becomes a page: tables, figures and groups."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from mixed_company.analysis.audit import Audit, audited
from mixed_company.analysis.data import GROUP, Data, Problem
from mixed_company.analysis.kept import kept
from mixed_company.analysis.report import blind, collected, figures, groups, over_space, replays
from mixed_company.analysis.report.drawing import WIDTH
from mixed_company.analysis.report.excluded import Excluded
from mixed_company.analysis.report.flags import Thresholds
from mixed_company.analysis.report.measured import MIXED, OF_GAME, Main, are_mixed
from mixed_company.analysis.report.parts import Figure, Table, from_one_in
from mixed_company.analysis.report.planned import Planned
from mixed_company.analysis.report.replays import Replay
from mixed_company.engine.contract.errors import EngineError
from mixed_company.engine.contract.space import Array
from mixed_company.policies.sharing import watched


@dataclass(frozen=True)
class Group:
    """The page of one group. `figure` and `replay` are empty if no period was played; `figure` is
    also empty if the caller did not request figures of groups.

    row   position of the group in the table of groups
    """

    session: str
    group: int
    row: int
    figure: Figure | None
    replay: Replay | None
    problems: Sequence[str]

    @property
    def name(self) -> str:
        """The title of the group's page."""
        return f"Session {self.session}, group {self.group}"


@dataclass(frozen=True)
class Contents:
    """The contents of a report.

    file        name of the export; empty: unknown
    sources     sentences that identify the export and say whether its seals were checked
    rehearsed   whether policies played in place of people
    audits      results of replaying every group and comparing every number, one for each of the
                plan's games; the first is that of `data`
    player      the packed page that replays a group
    blocks      treatments by block, as they were played (`Data.blocks`)
    plan        part of the report about the plan; None: there is no plan
    blind       whether the labels in `data` are permuted and everything that would reveal the true
                labels is left out
    """

    data: Data
    file: str
    rehearsed: bool
    audits: Sequence[Audit]
    tables: Mapping[str, Table]
    figures: Mapping[str, Figure]
    groups: Sequence[Group]
    player: str
    blocks: Mapping[str, Sequence[str]]
    plan: Planned | None = None
    blind: bool = False
    sources: Sequence[str] = ()

    @property
    def drawn(self) -> list[Figure]:
        """All figures; the groups' figures come last."""
        return [*self.figures.values(), *(group.figure for group in self.groups if group.figure)]

    @cached_property
    def games(self) -> list[str]:
        """The packed data of the replays' games, each listed once."""
        return list(dict.fromkeys(group.replay.game for group in self.groups if group.replay))

    @property
    def treatments(self) -> list[str]:
        """The treatments, in the order that all tables and figures use."""
        if self.blind:
            return self.data.treatments
        return list(self.tables["groups"].frame["treatment"].cat.categories)

    def rows(self, table: str, group: Group) -> list[int]:
        """Return the positions of a group's rows in a table."""
        return [int(row) for row in self._rows[table].get((group.session, group.group), ())]

    @cached_property
    def _rows(self) -> dict[str, Mapping[Any, Any]]:
        """Positions of every group's rows, by table."""
        return {
            name: table.frame.groupby(GROUP).indices
            for name, table in self.tables.items()
            if {*GROUP} <= {*table.frame.columns}
        }

    def filled(self, table: str, group: Group) -> list[str]:
        """Return the measures in a table that have a value for the group or one of its seats."""
        names, filled = self._filled[table]
        present = np.asarray(filled[self.rows(table, group)].any(axis=0))
        return [name for name, has_value in zip(names, present, strict=True) if has_value]

    @cached_property
    def _filled(self) -> dict[str, tuple[list[str], Array]]:
        """A table's measures, and whether each row has a value for them."""
        parts = {}
        for name in ("measures_groups", "measures_people"):
            frame = self.tables[name].frame.drop(columns=[*GROUP, "treatment"])
            columns = [(frame[key].notna() & (frame[key] != "")).to_numpy(bool) for key in frame]
            parts[name] = list(map(str, frame)), np.column_stack(columns)
        return parts

    def of(self, *kinds: str) -> list[Figure]:
        """Return the figures whose names begin with one of `kinds`."""
        return [figure for name, figure in self.figures.items() if name.startswith(kinds)]


def contents(
    data: Data,
    limits: Thresholds | None = None,
    main: Main = OF_GAME,
    file: str = "",
    plan: Planned | None = None,
    width: float = WIDTH,
    excluded: Sequence[Excluded] = (),
    permuted: Data | None = None,
    contest: bool = False,
    group_figures: bool = False,
    progress: bool = False,
    sources: Sequence[str] = (),
    audits: Sequence[Audit] = (),
) -> Contents:
    """Audit, compute and draw everything. The arguments are the same as for `report.files`.

    permuted   the data with permuted labels, for a blind report without a plan
    """
    audits = audits or [audited(data, progress=progress)]
    data = over_space.pooled(data) if plan is not None and plan.over_space else data
    labelled, rules = (permuted, None) if plan is None else (plan.blind, plan.exclusions)
    if labelled is not None and plan is not None and plan.over_space:
        labelled = over_space.pooled(labelled)
    if labelled is not None:
        played = kept(data)
        tables = blind.tables(labelled, main, played, excluded, contest, rules)
        return _blind(labelled, played, audits, tables, plan, file, width, sources)
    tables = collected.collected(data, limits, main, audits[0], excluded, contest, rules)
    if plan is not None:
        tables |= {table.name: table for table in plan.tables}
        tables["treatments"] = plan.described(tables["treatments"])
    able = kept(data).shortened()
    return Contents(
        data=data,
        file=file,
        rehearsed=data.rehearsed,
        audits=audits,
        tables=tables,
        figures={figure.name: figure for figure in _figures(tables, able, width)},
        groups=list(_groups(able, audits[0].problems, group_figures, progress)),
        player=replays.player(),
        blocks=able.blocks,
        plan=plan,
        sources=sources,
    )


def _blind(
    data: Data,
    played: Data,
    audits: Sequence[Audit],
    tables: Mapping[str, Table],
    plan: Planned | None,
    file: str,
    width: float,
    sources: Sequence[str],
) -> Contents:
    """Return the contents of a blind report. `data` has permuted labels; `audits` come from the
    true data, `played`."""
    shown = blind.without_single(tables) if blind.in_blocks(data) else tables
    of_plan = {table.name: table for table in plan.tables} if plan else {}
    drawn = _figures({**shown, **of_plan}, data, width)
    figures_by_name = {figure.name: figure for figure in drawn}
    planned = blind.kept_tables(of_plan)
    return Contents(
        data=data,
        file=file,
        rehearsed=data.rehearsed,
        audits=audits,
        tables=blind.kept_tables(tables) | planned,
        figures=blind.kept_figures(figures_by_name),
        groups=(),
        player="",
        blocks=played.shortened().blocks,
        plan=replace(plan, tables=tuple(planned.values())) if plan else None,
        blind=True,
        sources=sources,
    )


def _figures(tables: Mapping[str, Table], data: Data, width: float) -> Iterator[Figure]:
    """Yield the figures of main measures, courses, people, survival and participants."""
    frames = {name: table.frame for name, table in tables.items()}
    names, means = data.treatments, frames["measures_by_treatment"]
    people = frames["measures_people"]
    people = people[people["person"].astype(bool)]
    main = means[means["family"] == "main"]
    mixed = f" {MIXED}" if are_mixed(data) else ""
    for (level, name), of_measure in main.groupby(["level", "measure"], sort=False):
        rows = data.by_unit(people if level == "person" else frames["measures_groups"])
        figure = figures.dots(str(name), of_measure, rows, names, width)
        yield replace(figure, words=f"{figure.words}{mixed}")
    for name, of_measure in frames["series"].groupby("measure", sort=False):
        periods = data.by_unit(frames[figures.groups_by_period(of_measure)])
        figure = figures.course(str(name), of_measure, periods, names, width)
        yield replace(figure, words=f"{figure.words}{mixed}")
    if people["points"].notna().any():
        yield figures.spread("points", "points", people, names, width)
    if len(frames["survival"]):
        yield figures.lasting(frames["survival"], frames["lasted"], names, width)
    if len(frames.get("who", ())):
        yield figures.who(frames["who"], width)
    if over_space.EFFECTS in frames:
        yield from over_space.figures(frames, width)


def _groups(
    data: Data, problems: Sequence[Problem], drawn: bool, progress: bool
) -> Iterator[Group]:
    """Yield every group's section, with its figure if `drawn`. If there are too many groups, yield
    nothing."""
    by_group: dict[tuple[str, int | None], list[str]] = {}
    for problem in problems:
        sentence = from_one_in(str(problem))
        by_group.setdefault((problem.session, problem.group), []).append(sentence)
    rows = data.groups.to_dict("records") if len(data.groups) <= groups.MOST_GROUPS else []
    needed = replace(data, pairs=None, journal=None)  # taking a group from large tables is slow
    for number, row in enumerate(watched(rows, "Groups", progress)):
        session, group = str(row["session"]), int(row["group"])
        sentences = by_group.get((session, group), [])
        figure, replay = None, None
        if row["periods"]:
            played = needed.of_group(session, group)
            if drawn:
                name = re.sub(r"[^A-Za-z0-9-]", "_", session)
                figure = groups.figure(played, f"group_{number}_{name}_{group}")
            try:
                replay = replays.replay(played)
            except EngineError as error:
                sentences.append(f"cannot be replayed: {error}")
        else:
            sentences.append("No period was played.")
        yield Group(session, group, number, figure, replay, sentences)

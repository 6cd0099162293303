"""The hypotheses of a plan, each with one test."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from mixed_company.analysis import measures, statistics
from mixed_company.analysis.data import GROUP, Data
from mixed_company.analysis.files import opened
from mixed_company.analysis.kept import Group
from mixed_company.analysis.notes import not_ended
from mixed_company.analysis.planned.status import verdict
from mixed_company.analysis.reading import load
from mixed_company.analysis.space.fitting import decided, fitted
from mixed_company.analysis.statistics.result import NoTest, Result, corrected, p_text, percentage
from mixed_company.analysis.statistics.units import Units
from mixed_company.engine.contract.errors import ConfigError, UnknownName
from mixed_company.experiment.comparisons import counted, seats_of
from mixed_company.experiment.hypothesis import Hypothesis
from mixed_company.experiment.plan import Plan
from mixed_company.table.export import group_id

STRATIFIED = "stratified"
"""The name that plans use for the test of means within sessions."""

_TESTED = (
    *("test", "symbol", "df", "statistic", "effect_name", "effect", "low", "high", "confidence"),
    "standardised",
    *("p", "p_corrected", "correction"),
)


def of_plan(data: Data, name: str, plan: Plan) -> Data:
    """Return only the data of a plan's sessions, with its treatments and blocks.

    Treatments are not split if a session changed some of their keys. Raises ConfigError if there is
    no such session, if it was imported from a table, or if `config` lacks a column with names.
    """
    sessions = data.of_session_config(name)
    if sessions.imported:
        raise ConfigError(
            f"plan {name!r}: its sessions in the export were imported from a table of another "
            "experiment, so they did not play this plan"
        )
    for column in ("treatment", *(("block",) if plan.blocks else ())):
        if column not in sessions.config:
            rule = f"the table config lacks the column {column}"
            raise ConfigError(f"plan {name!r}: its sessions cannot be analysed, because {rule}")
    if not plan.blocks:
        return _of_treatments(sessions, plan)
    played = set(zip(sessions.config["treatment"], sessions.config["block"], strict=True))
    return sessions.named(
        {
            f"{name}, {block}": [f"treatment={name}", f"block={block}"]
            for name in plan.treatments
            for block in plan.block_names
            if (name, block) in played
        }
    )


def loaded(path: str | Path, name: str, plan: Plan, games: Sequence[str]) -> list[Data]:
    """Load the data of a plan's sessions from an export.

    games   games of the plan's blocks, in order. The result has one entry for each game that is in
            the export. The first game must be in the export, and its entry comes first

    Raises ExportError, and ConfigError if the export has no session of this plan.
    """
    export = opened(path)
    for other in export.games if games[0] not in export.games else ():
        load(path, other).of_session_config(name)  # the error names the export's plans
    later = [game for game in games[1:] if game in export.games]
    return [of_plan(load(path, game), name, plan) for game in (games[0], *later)]


def _of_treatments(data: Data, plan: Plan) -> Data:
    """Return the same groups, labelled only by treatment names."""
    present = set(data.config["treatment"])
    return data.named({name: [f"treatment={name}"] for name in plan.treatments if name in present})


def tested(
    games: Sequence[Data],
    plan: Plan,
    levels: Mapping[str, float] | None,
    without: Collection[Group] = (),  # noqa: PT028  not a pytest test
    cautions: Mapping[str, Sequence[str]] | None = None,  # noqa: PT028
) -> pd.DataFrame:
    """Return one row per hypothesis, in order, with its meaning and test.

    games      data of each block's game, as `of_plan` returns them, starting with the first block's
               game. A hypothesis is tested in the game of its block
    levels     level of each test, by hypothesis; hypotheses without a level are not tested
               (`looks`). None: the plan's alpha
    without    groups to leave out of the tests, by session and number; groups that have not ended
               are always left out
    cautions   sentences at the start of the notes of a hypothesis's test, by hypothesis
               (`experiment.comparisons.cautions`)

    With a space, `variable` names the hypothesis's variable, and `block` its block.

    `confidence` of the interval is 1 minus the level, so the interval excludes 0 (for a probability
    of superiority, 0.5) if and only if p is at most the level. At looks these are repeated
    confidence intervals: Jennison and Turnbull (1989), Journal of the Royal Statistical Society B
    51(3).

    P values are corrected by Holm's method over the hypotheses in a family that could be tested.
    For the others, `notes` has the reason. `result` has the result in words (`status`).
    """
    results = {
        name: _result(
            of_block(games, hypothesis),
            plan,
            hypothesis,
            plan.alpha if levels is None else levels.get(name),
            without,
        )
        for name, hypothesis in plan.hypotheses.items()
    }
    for family in dict.fromkeys(hypothesis.family for hypothesis in plan.hypotheses.values()):
        hypotheses = plan.hypotheses.items()
        members = [name for name, hypothesis in hypotheses if hypothesis.family == family]
        tests = {name: result for name in members if isinstance(result := results[name], Result)}
        named = f"the hypotheses in family {family}"
        for name, result in zip(tests, corrected(list(tests.values()), family=named), strict=True):
            # at a look, no corrected p decides, so a note on the smallest one would mislead
            results[name] = result if levels is None else replace(result, notes=tests[name].notes)
    rows = [
        _row(
            plan,
            name,
            results[name],
            (cautions or {}).get(name, ()),
            unfinished(of_block(games, hypothesis), plan, hypothesis, without),
            bool(without and hypothesis.blocks),
        )
        for name, hypothesis in plan.hypotheses.items()
    ]
    for row in rows:
        row["result"] = verdict(row, plan, levels is not None)
    columns = ["hypothesis", "meaning", "family", "measure", "of"]
    columns += ["groups", *_TESTED, "result", "notes"]
    if plan.space is not None:
        place = columns.index("groups")
        columns[place:place] = ["block", "variable"] if plan.blocks else ["variable"]
    return pd.DataFrame(rows, columns=columns)


def of_block(games: Sequence[Data], hypothesis: Hypothesis) -> Data:
    """Return the data of the game played in a hypothesis's block or blocks."""
    block = (hypothesis.blocks or (hypothesis.block,))[0]
    return next((data for data in games if block in set(data.config["block"])), games[0])


def _result(
    data: Data, plan: Plan, hypothesis: Hypothesis, alpha: float | None, without: Collection[Group]
) -> Result | NoTest:
    """Test a hypothesis at level `alpha`; None means that its look has no level yet."""
    if alpha is None:
        return NoTest("no look yet, because a treatment has no group that played to the end")
    level = 1 - alpha
    try:
        units = units_of(data, plan, hypothesis, without)
        return _test(units, plan, hypothesis, level)
    except (NoTest, UnknownName) as refusal:
        return refusal if isinstance(refusal, NoTest) else NoTest(str(refusal))


def _test(units: Units, plan: Plan, hypothesis: Hypothesis, level: float) -> Result:
    """Test whether treatments differ or, within the same people, whether two blocks differ. In a
    space, test whether a variable has an effect."""
    if plan.space is not None:
        return decided(fitted(units, plan.space), hypothesis.variable, level)
    names = hypothesis.blocks or plan.compared(hypothesis)
    missing = ", ".join(name for name in names if name not in units.treatments)
    if missing and hypothesis.blocks:
        compared = ", ".join(plan.compared(hypothesis))
        raise NoTest(f"no group in {compared} has a value in block {missing}")
    if missing:
        raise NoTest(f"no group in {missing} has a value")
    if hypothesis.blocks or hypothesis.unit == "session":
        return statistics.paired(units, hypothesis.test, treatments=names, level=level)
    if hypothesis.test == STRATIFIED:
        return statistics.stratified(units, treatments=names, level=level)
    return statistics.compare(units, hypothesis.test, treatments=names, level=level)


def units_of(data: Data, plan: Plan, hypothesis: Hypothesis, without: Collection[Group]) -> Units:
    """Return a hypothesis's values by treatment or, within the same people, by block.

    Raises NoTest if nobody played a block, or if blind data must not show the values
    (`analysis.permuted`); UnknownName for an unknown measure.
    """
    if not hypothesis.blocks:
        frame = _measured(data, plan, hypothesis, hypothesis.block, without)
        frame = frame[frame["treatment"].astype(str).isin(plan.compared(hypothesis))]
        _check_blind(data, plan, hypothesis, frame, "treatment")
        return statistics.units(frame, hypothesis.measure, unit=hypothesis.unit)
    frame = pd.concat(
        [
            _measured(data, plan, hypothesis, block, without).assign(block=block)
            for block in hypothesis.blocks
        ],
        ignore_index=True,
    )
    frame = frame[frame["treatment"].astype(str).isin(plan.compared(hypothesis))]
    _check_blind(data, plan, hypothesis, frame, "block")
    return statistics.units(frame, hypothesis.measure, by="block")


def _check_blind(
    data: Data, plan: Plan, hypothesis: Hypothesis, frame: pd.DataFrame, by: str
) -> None:
    """Raise NoTest if blind data must not show the values that a test compares, by treatment or by
    block."""
    if data.permuted is not None:
        rows = frame[frame[hypothesis.measure].notna()].assign(treatment=frame[by].astype(str))
        rows = used(rows, plan, hypothesis, _unit(hypothesis))
        other = {"treatment": "block", "block": "treatment"}[by]
        compared = rows[["session", _PLAYED, hypothesis.measure]]
        data.permuted.check(compared.rename(columns={_PLAYED: "group"}), but=other)


def used(
    rows: pd.DataFrame, plan: Plan, hypothesis: Hypothesis, unit: Sequence[str]
) -> pd.DataFrame:
    """Return only the rows that the test uses. `treatment` has the treatments or blocks, and `unit`
    names the columns that identify a unit. A test within units or sessions needs a value for both
    treatments or blocks, and leaves out all other units."""
    names = hypothesis.blocks or plan.compared(hypothesis)
    rows = rows[rows["treatment"].isin(names)]
    if hypothesis.blocks or hypothesis.unit == "session" or hypothesis.test == STRATIFIED:
        keys = ["session"] if hypothesis.test == STRATIFIED else list(unit)
        return rows[rows.groupby(keys)["treatment"].transform("nunique") == len(names)]
    return rows


def _unit(hypothesis: Hypothesis) -> list[str]:
    """Return the columns that identify a unit of a test."""
    return ["session"] if hypothesis.unit == "session" else GROUP


def _measured(
    data: Data, plan: Plan, hypothesis: Hypothesis, block: str, without: Collection[Group]
) -> pd.DataFrame:
    """Return the measure of every group in a block, except groups in `without` and groups that have
    not ended.

    Groups that exchange people form one unit; its `group` is the number of the first one. This is
    also so in a first block that is played once. Its groups are still independent, so its tests
    could be more powerful, but a plan has the same units in all of its blocks: in power, in tests
    between blocks, and in reports. The column _PLAYED has the number of the group that was played.
    """
    if block and block not in set(data.config["block"]):
        raise NoTest(f"no group played block {block}")
    part = _of_treatments(data.of_block(block), plan) if block else data
    frame = measured(replace(part, permuted=None), hypothesis)  # _check_blind is more exact
    left_out = [*without, *not_ended(part)[0]]
    frame = frame[~pd.MultiIndex.from_frame(frame[GROUP]).isin(left_out)]
    frame = frame.assign(**{_PLAYED: frame["group"]})
    if not plan.blocks:
        return frame
    keys = part.config.set_index(["session", "group"])["matching_group"]
    names = zip(frame["session"], frame["group"], strict=True)
    return frame.assign(group=keys.reindex(list(names)).to_numpy())


_PLAYED = "played"


def measured(data: Data, hypothesis: Hypothesis) -> pd.DataFrame:
    """Return the measure for every group, or for every person if it will be averaged by group."""
    if hypothesis.of == "group":
        return measures.groups(data, [hypothesis.measure])
    people = measures.people(data, [hypothesis.measure])
    return people[people["person"].astype(bool)]


def unfinished(
    data: Data, plan: Plan, hypothesis: Hypothesis, without: Collection[Group] = ()
) -> list[str]:
    """Return phrases about a hypothesis's groups that have not ended, which its test leaves out,
    and about groups that were stopped early. Groups in `without` are excluded, so they are not
    mentioned."""
    rows = data.config[data.config["treatment"].isin(plan.compared(hypothesis))]
    if blocks := hypothesis.blocks or (hypothesis.block and (hypothesis.block,)):
        rows = rows[rows["block"].isin(blocks)]
    compared = set(rows[GROUP].itertuples(index=False, name=None)).difference(without)
    playing, stopped = ([key for key in keys if key in compared] for keys in not_ended(data))
    lines = []
    if playing:
        verb = "has" if len(playing) == 1 else "have"
        number = counted(len(playing), "group")
        lines.append(f"{number} that {verb} not ended left out: {_ids(playing)}")
    if stopped:
        lines.append(f"{counted(len(stopped), 'group')} stopped early: {_ids(stopped)}")
    return lines


def _ids(groups: Sequence[Group]) -> str:
    return ", ".join(group_id(*group) for group in groups)


def _row(
    plan: Plan,
    name: str,
    result: Result | NoTest,
    cautions: Sequence[str],
    unfinished: Sequence[str],
    excluding: bool,
) -> dict[str, Any]:
    """Return the row of a hypothesis. `excluding`: groups of its two blocks can be excluded."""
    hypothesis = plan.hypotheses[name]
    row: dict[str, Any] = {
        "hypothesis": name,
        "meaning": hypothesis.meaning,
        "family": hypothesis.family,
        "measure": hypothesis.measure,
        "of": seats_of(hypothesis.measure, hypothesis.of),
        "block": hypothesis.block,
        "variable": hypothesis.variable,
        "test": hypothesis.test,
    }
    if isinstance(result, NoTest):
        return {**row, "p": None, "notes": f"not tested: {result}"}
    place = "left out of the test after exclusions" if excluding else "left out of the test"
    left_out = [f"{place}: {part}" for part in result.left_out]
    return {
        **row,
        "groups": ", ".join(f"{name} {count}" for name, count in result.n.items()),
        **{key: getattr(result, key) for key in _TESTED if key != "confidence"},
        "confidence": result.level,
        "notes": "; ".join((*cautions, *unfinished, *left_out, *result.notes)),
    }


def in_words(table: pd.DataFrame) -> list[str]:
    """Return a sentence with the test's numbers for each row of the hypothesis table."""
    return [_sentence(row) for row in table.to_dict("records")]


def _sentence(row: Mapping[Hashable, Any]) -> str:
    if pd.isna(row["p"]):
        return f"{row['hypothesis']}: {row['notes']}"
    words = (
        f"{row['hypothesis']} ({row['status']}): {row['test']}, {row['measure']} of {row['of']} "
    )
    words += f"({row['groups']}): {row['symbol']} = {row['statistic']:.4g}, {p_text(row['p'])} "
    compared = f"{row['correction']}: {p_text(row['p_corrected'])}"
    if "level" in row:  # a look's level replaces the correction
        compared = f"level {row['level']:.4g}"
    words += f"({compared}); "
    words += f"{row['effect_name']} = {row['effect']:.4g}"
    if not pd.isna(unbiased := row.get("unbiased_effect")):
        words += f", unbiased effect = {unbiased:.4g}"
    if not pd.isna(row["low"]):
        confidence = percentage(row["confidence"])
        words += f", {confidence}% interval {row['low']:.4g} to {row['high']:.4g}"
    result = f" The result is {row['result']}." if row["result"] else ""
    return f"{words}.{result}" + (f" {row['notes']}." if row["notes"] else "")

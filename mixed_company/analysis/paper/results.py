"""Write the Results of a paper from a report's tables, as Markdown."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from mixed_company.analysis.audit import Audit, wording
from mixed_company.analysis.data import Data
from mixed_company.analysis.paper import over_space
from mixed_company.analysis.paper.notation import interval, number, plain, test
from mixed_company.analysis.report.contents import Contents
from mixed_company.analysis.report.participants import LEFT, unopened
from mixed_company.analysis.report.participants import participants as arrived
from mixed_company.analysis.report.parts import stated, worded
from mixed_company.experiment.comparisons import counted, listed, quantity
from mixed_company.experiment.hypothesis import Hypothesis
from mixed_company.experiment.plan import Plan

_CONFIDENCE = 0.95
"""Confidence level of the intervals around means in a report."""


def paragraphs(contents: Contents, plan: Plan) -> Iterator[str]:
    """Yield the paragraphs of the Results. `plan` is the plan that was tested."""
    part = contents.plan
    assert part is not None  # noqa: S101  a paper always has a plan
    frames = {name: table.frame for name, table in contents.tables.items()}
    yield "# Results"
    blocks = [block.name for block in plan.blocks]
    people = participants(frames["who"], contents.rehearsed, blocks)
    won = prizes(contents.data, contents.rehearsed, blocks)
    sentences = filter(None, (people, unopened(contents.data), won))
    yield f"## Participants\n\n{' '.join(sentences)}"
    yield lengths(frames["lengths"])
    yield f"## Deviations from the plan and exclusions\n\n{' '.join(map(plain, part.words))}"
    if len(frames["deviations"]):
        yield "\n".join(
            f"- {plain(row.about)}: {plain(row.what)}" for row in frames["deviations"].itertuples()
        )
    if "excluded" in frames:
        yield excluded(frames["excluded"])
    yield f"## Data quality\n\n{audited(contents.audits, bool(part.problems))}"
    yield "## Hypotheses"
    means, tested = frames.get("hypotheses_means", pd.DataFrame()), frames["hypotheses"]
    for row in tested.to_dict("records"):
        planned = plan.hypotheses[str(row["hypothesis"])]
        yield hypothesis(row, planned, means, plan.unit_of(planned))
    if "hypotheses_of_all" in frames:
        yield "The same tests on all groups, without exclusions:"
        yield "\n".join(
            f"- {hypothesis_of_all(row, str(result))}"
            for row, result in zip(
                frames["hypotheses_of_all"].to_dict("records"), tested["result"], strict=True
            )
        )
    if plan.space is not None:
        yield from over_space.paragraphs(frames, plan, part.reading)


def participants(who: pd.DataFrame, simulated: bool = False, blocks: Sequence[str] = ()) -> str:
    """Return sentences that say how many people took part and how much they were paid. `who` is the
    report's table with that name.

    If the plan has blocks, the table counts participants once in every block that they reached, and
    `payment` covers all blocks. Blocks of games other than the first block's are not in the table.
    """
    names = who["treatment"].str.rpartition(", ")
    played = [block for block in blocks if block in set(names[2])]
    begun = who[~names[2].isin(played[1:])]
    ended = who.assign(treatment=names[0])[names[2] == played[-1]] if played else who
    person = "simulated participant" if simulated else "participant"
    whose = f"{person}s who finished{f' block {played[-1]}' if played else ''}"
    stayed = ended["finished"] + ended["ended_early"]
    counts = "; ".join(f"{name}: {n}" for name, n in zip(ended["treatment"], stayed, strict=True))
    came = counted(int(begun["arrived"].sum()), person)
    sentences = [
        f"Of {came} who arrived, {begun['grouped'].sum()} joined a group and {stayed.sum()} stayed "
        f"until its game"
        f"{f' in block {played[-1]}' if played else ''} ended ({counts}).",
        _stopped(int(ended["ended_early"].sum())),
        _playing(int(who["still_playing"].sum())),
        *(_dropouts(who[names[2] == block], f" in block {block}") for block in played),
        *([] if played else [_dropouts(who)]),
        _others(who, ended),
    ]
    if others := [block for block in blocks if block not in played]:
        sentences.append(f"These numbers do not include {_of_blocks(others)}.")
    paid = ended.dropna(subset=["payment_mean"])
    sentences += [
        f"The mean payment in {row.treatment} was {row.payment_mean:.2f}, from "
        f"{row.payment_min:.2f} to {row.payment_max:.2f}; it covers only {whose}."
        for row in paid.itertuples()
    ]
    return " ".join(filter(None, sentences))


def _of_blocks(names: Sequence[str]) -> str:
    return f"block{'' if len(names) == 1 else 's'} {listed(names)}"


def _stopped(count: int) -> str:
    return f"The play of {count} of them was stopped early." if count else ""


def _playing(count: int) -> str:
    return f"{count} {_were(count)} still playing." if count else ""


def _were(count: int) -> str:
    return "was" if count == 1 else "were"


def prizes(data: Data, simulated: bool = False, blocks: Sequence[str] = ()) -> str:
    """Return a sentence about prizes for answers, which are part of the payments of people who
    finished; empty if nobody won a prize. `blocks` are the plan's; it names those of this game if
    there are others."""
    people = arrived(data)
    if "pay_questions" not in data.outcomes:
        return ""
    for name, column in {"won": "pay_questions", "cut": "pay_cap"}.items():
        people[name] = data.arrived[column].to_numpy(dtype=float, na_value=0.0)
    people["treatment"] = people["treatment"].str.partition(", ")[0]  # without the block
    keys = ["session", "participant", "treatment"]
    paid = people.groupby(keys, sort=False).agg({"won": "sum", "cut": "sum", "stage": "last"})
    finished = paid[paid["stage"] == "finished"].groupby("treatment", sort=False)
    means, cuts = finished["won"].mean(), -finished["cut"].mean()
    if not means.any():
        return ""
    order = dict.fromkeys(name.partition(", ")[0] for name in data.treatments)
    amounts, reduced = (
        listed(f"{mean[name]:.2f} in {name}" for name in order if name in mean)
        for mean in (means, cuts)
    )
    played = [block for block in blocks if block in set(data.config["block"])]
    place = f" in {_of_blocks(played)}" if len(played) < len(blocks) else ""
    text = f"These payments include prizes for answers to questions{place}, on average {amounts}."
    if cuts.any():  # nobody can tell how much of a cut is due to prizes
        text = (
            f"Prizes for answers to questions{place} were, on average, {amounts}. A cap "
            f"then limited points and prizes together; on average, it took {reduced}."
        )
    drawn = " Simulated people draw their answers at random, so these prizes were won by chance."
    return f"{text}{drawn if simulated else ''}"


def _others(who: pd.DataFrame, ended: pd.DataFrame) -> str:
    """Return a sentence that counts participants who did not stay until the game ended, by their
    last stage. `who` has the rows of all blocks, and `ended` those of the last block."""
    early = who["ended_early"].sum() - ended["ended_early"].sum()
    counts = {"ended_early": early, **who[list(LEFT)].sum()}
    stages = "; ".join(f"{count} {worded(name)}" for name, count in counts.items() if count)
    return f"The last stages of the others: {stages}." if stages else ""


def _dropouts(who: pd.DataFrame, place: str = "") -> str:
    count = who["dropped_out"].sum()
    if not count:
        return f"Nobody dropped out of the game{place}."
    return f"{count} dropped out of the game{place} at least once."


def lengths(table: pd.DataFrame) -> str:
    """Return sentences that say how many periods groups played, and how many groups ended early or
    are still playing."""
    sentences = []
    for row in table.to_dict("records"):
        same = row["least"] == row["most"]
        played = f"{row['least']}" if same else f"{row['least']} to {row['most']}"
        middle = "" if same else f" (median {row['median']:g})"
        early = f"{row['early']} ended early ({row['reasons']})" if row["early"] else ""
        groups = f"{counted(row['groups'], 'group')} played"
        if row.get("plays", 1) > 1:
            groups = f"there were {row['groups']} groups in {row['plays']} plays, which played"
        running = row["playing"]
        playing = f"; {running} {_were(running)} still playing" if running else ""
        sentences.append(
            f"In {row['treatment']}, {groups} {played} of {row['planned']} periods{middle}; "
            f"{early or 'none ended early'}{playing}."
        )
    return " ".join(sentences)


def _subject(row: Any) -> str:
    if pd.isna(row.group):
        return f"Participant {plain(row.participant)} of session {plain(row.session)}"
    return f"Group {row.group} of session {plain(row.session)} ({row.treatment})"


def excluded(table: pd.DataFrame) -> str:
    """List the groups that the researchers excluded, with their reasons."""
    return "\n".join(
        f"- {_subject(row)}: {row.tests}{_as_named(row)}; reason: {plain(row.why)} (decided: "
        f"{plain(row.when)})"
        for row in table.itertuples()
    )


def _as_named(row: Any) -> str:
    """Return a clause for a group that is listed because the file names one of its
    participants."""
    if pd.isna(row.group) or not row.participant:
        return ""
    return f", like all groups of participant {plain(row.participant)}"


def audited(audits: Sequence[Audit], faulty: bool = False) -> str:
    """Return sentences about the audits, which replay every group, and about values that they could
    not check. `faulty` says whether the export that these data come from has problems."""
    original = (
        "The export that these data come from has problems, which are listed under deviations."
    )
    groups, journals = sum(audit.groups for audit in audits), sum(a.journals for a in audits)
    source = "journal" if journals else "decisions"
    replayed = f"Every group was replayed from configuration, seed and {source}, and every number "
    if 0 < journals < groups:
        others = "other" if groups - journals == 1 else "others"
        replayed = (
            f"Of {counted(groups, 'group')}, {journals} {_were(journals)} replayed from "
            f"configuration, seed and journal, the {others} from configuration, seed and "
            "decisions. Every number "
        )
    replayed += "that follows from these was compared with the data."
    return " ".join([*([original] if faulty else []), replayed, *wording.sentences(audits)])


def hypothesis(
    row: Mapping[Hashable, Any], planned: Hypothesis, means: pd.DataFrame, unit: str
) -> str:
    """Return a paragraph with a hypothesis's means and test.

    row      of the `hypotheses` table
    planned  the hypothesis in the plan
    means    the report's `hypotheses_means` table
    unit     independent unit of its test (`Plan.unit_of`)
    """
    name, meaning = row["hypothesis"], stated(plain(planned.meaning).rstrip("."))
    return " ".join(
        filter(
            None,
            [
                f"**{name}** ({row['status']}). {meaning}.",
                _means(str(name), planned, means, unit),
                _test(row),
            ],
        )
    )


def hypothesis_of_all(row: Mapping[Hashable, Any], without: str) -> str:
    """Return a line with a hypothesis's test on all groups. `without` is the result without the
    excluded groups."""
    compared = "is the same" if row["result"] == without else "differs"
    result = f"The result is {row['result']}; without the excluded groups it {compared}."
    test = "" if pd.isna(row["p"]) else f" {result}"
    return f"**{row['hypothesis']}** ({row['status']}): {_tested(row)}{test}"


def _means(name: str, planned: Hypothesis, means: pd.DataFrame, unit: str) -> str:
    """Return a sentence with the means of the treatments or blocks that the hypothesis compares.
    For a variable of a space, the sentence has only the measure."""
    if planned.variable:
        return f"Measure: {worded(quantity(planned.measure, planned.of))}."
    rows = means[means["hypothesis"] == name]
    values = [
        f"{number(row['mean'])} in {row['treatment']} "
        f"({counted(int(row['groups']), unit)}{_ends(row)})"
        for row in rows.to_dict("records")
    ]
    measure = worded(quantity(planned.measure, planned.of)).capitalize()
    of_measure = f" ({rows['unit'].iloc[0]})" if len(rows) and rows["unit"].iloc[0] else ""
    tested = f"over the tested {unit}s"
    return f"{measure}{of_measure} was on average {listed(values)}, {tested}." if values else ""


def _ends(row: Mapping[Hashable, Any]) -> str:
    return "" if pd.isna(row["low"]) else f", {interval(row['low'], row['high'], _CONFIDENCE)}"


def _test(row: Mapping[Hashable, Any]) -> str:
    if pd.isna(row["p"]):
        return _tested(row)
    notes = f" {plain(row['notes'])}." if row["notes"] else ""
    return f"{_tested(row)} The result is {row['result']}.{notes}"


def _tested(row: Mapping[Hashable, Any]) -> str:
    """Return a sentence with the test and how many groups it compares, or the reason why there is
    no test."""
    if pd.isna(row["p"]):
        return f"{plain(row['notes']).capitalize()}."
    name = str(row["test"])
    return f"{name[0].upper()}{name[1:]} ({row['groups']}): {test(row)}."

"""The part of a report about an experiment's plan: the hypotheses, and deviations from the plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from mixed_company.analysis.audit.wording import UNCHECKED, Original
from mixed_company.analysis.data import Data
from mixed_company.analysis.kept import Group
from mixed_company.analysis.planned.averaged import averaged
from mixed_company.analysis.planned.deviations import deviations, rehearsed_with
from mixed_company.analysis.planned.looks import Look, levels_of, of_hypotheses, with_levels
from mixed_company.analysis.planned.looks import words as words_on_looks
from mixed_company.analysis.planned.status import arrival, before_data, reason
from mixed_company.analysis.planned.tested import tested
from mixed_company.analysis.report import over_space
from mixed_company.analysis.report.excluded import Excluded, of_games
from mixed_company.analysis.report.left_out import exempt, of_exclusions, sentences
from mixed_company.analysis.report.parts import Table, function_name
from mixed_company.experiment.comparisons import cautions, counted, of_content, unread
from mixed_company.experiment.plan import Plan
from mixed_company.experiment.sealing import Seal

OF_ALL = "hypotheses_of_all"
"""Name of the table that tests the hypotheses with all groups, without exclusions."""


@dataclass(frozen=True)
class Planned:
    """The part of a report that is about the plan.

    title         title of the plan
    question      the meaning of its first hypothesis
    measures      measures of its hypotheses: the level (`group` or `person`) and the name
    meanings      meanings of the treatments
    confirmatory  whether its tests are confirmatory (`planned.status`)
    problems      faults in the export
    words         sentences about this status, and about the plan's rules that are not tests
    reading       sentences that explain how to read the regressions over a space
    tables        tables of hypotheses and deviations
    exclusions    the plan's reasons for leaving groups out of tests
    left_out      sentences about the groups that the tests leave out
    blind         data with permuted treatment labels, for a blind report; else None
    over_space    whether the plan has a space; outside this part, its points count as one treatment
    """

    title: str
    question: str
    measures: tuple[tuple[str, str], ...]
    meanings: Mapping[str, str]
    confirmatory: bool
    words: tuple[str, ...]
    tables: tuple[Table, ...]
    exclusions: tuple[str, ...]
    left_out: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    blind: Data | None = None
    over_space: bool = False
    reading: tuple[str, ...] = ()

    def deviations(self) -> list[str]:
        """Return the deviations from the plan, a line each, without the export's faults, which
        `mixed check` lists."""
        tables = [table.frame for table in self.tables if table.name == "deviations"]
        rows = [row for frame in tables for row in frame.itertuples()]
        return [f"deviation: {row.about}: {row.what}" for row in rows if row.about != "export"]

    def described(self, treatments: Table) -> Table:
        """Return the table of treatments, with their meanings from the plan."""
        frame = treatments.frame
        meanings = frame["treatment"].astype(str).map(self.meanings).fillna(frame["stands_for"])
        return replace(treatments, frame=frame.assign(stands_for=meanings))


def of_plan(
    data: Data,
    plan: Plan,
    content: Mapping[str, Any],
    seal: Seal | None,
    others: Sequence[Data] = (),
    blind: Sequence[Data] = (),
    excluded: Sequence[Excluded] = (),
    original: Original = UNCHECKED,
) -> Planned:
    """Test a plan's hypotheses, and list the experiment's deviations from the plan.

    data      the plan's data (`analysis.planned.tested.of_plan`) in the game of its first block
    content   current content of the plan's file; if there is a seal, the sealed plan is tested
              instead
    others    the plan's data in the games of its other blocks
    blind     the same data with permuted labels (`analysis.blinding`), which are tested instead.
              Nothing is then confirmatory, and deviations are left out because they name treatments
    excluded  groups to exclude. If `why` repeats one of the plan's exclusions word for word, the
              tests of hypotheses leave the group out, and a second table tests all groups. Any
              other reason is a deviation, and the group stays in the tests
    original  faults in the export

    Raises the same errors as `excluded.table`.
    """
    plan = plan if seal is None else Plan.model_validate(seal.content["plan"])
    why_not = reason(data, seal, original)
    doubted = _doubted(plan, seal)
    confirmatory = not why_not and len(doubted) < max(len(plan.hypotheses), 1)
    exclusions = _exclusions(plan)
    looks = of_hypotheses([data, *others], plan)
    listed = of_games([data, *others], excluded, exclusions)
    out = exempt(listed)
    games = blind or [data, *others]
    exploratory = "blind" if blind else "rehearsal" if data.rehearsed else "exploratory"
    status = "confirmatory" if not why_not and not blind else exploratory
    statuses = {name: exploratory if name in doubted else status for name in plan.hypotheses}
    planned = content if seal is None else seal.content
    notes = _notes(plan, planned, data.rehearsed)
    hypotheses = _hypotheses(games, plan, out, statuses, looks, notes)
    note = f"{_tests(plan)}{'' if looks else _UNCORRECTED}"
    note = note if plan.space is None else f"{over_space.TESTS}{_UNCORRECTED}"
    tables = [Table("hypotheses", "The hypotheses", hypotheses, function_name(tested), note)]
    reading: list[str] = []
    if plan.space is None:
        means, title = averaged(games, plan, out), "Means of the tested groups"
        tables.append(Table("hypotheses_means", title, means, function_name(averaged), _MEANS))
    else:
        of_space, reading = over_space.tables(games, plan, plan.space, out)
        tables += of_space
    left_out = sentences(listed, [data, *others], exclusions)
    if out:
        same = dict.fromkeys(plan.hypotheses, exploratory)
        of_all = _hypotheses(games, plan, [], same, looks, notes)
        left_out += [] if blind else _otherwise(hypotheses, of_all)
        title = "The hypotheses, with all groups"
        tables.append(Table(OF_ALL, title, of_all, function_name(tested), note))
    if blind:
        for table in (table for table in tables if "result" in table.frame):  # notes name sessions
            table.frame["notes"] = table.frame["notes"].where(table.frame["p"].isna(), "")
            table.frame["result"] = ""  # permuted labels have no direction
        words = [*_blind_words(plan, seal), *original.sources, *_rules(plan, left_out)]
    else:
        shown = deviations(data, plan, content, seal, others, original, out)
        rows = of_exclusions([data, *others], listed, exclusions)
        shown = pd.concat([shown, pd.DataFrame(rows, columns=shown.columns)], ignore_index=True)
        title = "Deviations that the data show"
        tables.append(Table("deviations", title, shown, function_name(deviations)))
        words = [
            *_status(data, seal, why_not, original, () if why_not else doubted),
            *original.sources,
            *_rules(plan, left_out),
        ]
        words.append(f"The data show {counted(len(shown), 'deviation')} from the plan.")
    first = next((hypothesis.meaning for hypothesis in plan.hypotheses.values()), "")
    return Planned(
        title=plan.title,
        question=first,
        measures=_measures(plan),
        meanings=_meanings(plan),
        confirmatory=confirmatory and not blind,
        words=(*words, *words_on_looks(looks, plan, hypotheses)),
        tables=tuple(tables),
        exclusions=exclusions,
        left_out=tuple(left_out),
        problems=original.listed,
        blind=blind[0] if blind else None,
        over_space=plan.space is not None,
        reading=tuple(reading),
    )


def _tests(plan: Plan) -> str:
    """Return the note on the table of hypotheses, which names the units of the tests."""
    units = list(dict.fromkeys(map(plan.unit_of, plan.hypotheses.values()))) or ["group"]
    mixed = " (groups that exchange people)" if "matching group" in units else ""
    return _TESTS.format(units=f"{', '.join(units)}{mixed}")


def exempt_groups(games: Sequence[Data], plan: Plan, excluded: Sequence[Excluded]) -> list[Group]:
    """Return the groups that the tests leave out because of one of the plan's exclusions. Raises
    the same errors as `excluded.table`."""
    return exempt(of_games(games, excluded, _exclusions(plan)))


def _exclusions(plan: Plan) -> tuple[str, ...]:
    """Return the plan's exclusions with single spaces, as in `excluded.read`."""
    return tuple(" ".join(rule.split()) for rule in plan.exclusions)


_TESTS = (
    "One test per hypothesis, as specified in the plan. Independent unit: {units}. P corrected: "
    "by Holm's method, over the hypotheses in the family named in the correction. Result: "
    "whether the test is significant, and in the expected direction or opposite to the hypothesis. "
    "An exact two-sided p is twice the smaller tail, even with ties."
)
_UNCORRECTED = (
    " Intervals are not corrected for multiple tests, but results are. So an interval can exclude "
    "zero although the result is not significant."
)


_MEANS = (
    "Groups: number of units in the hypothesis's test, without those that the test leaves out; "
    "units that do not change, which a Wilcoxon test leaves out, are included. "
    "Low, high: 95% interval of the mean."
)


def _hypotheses(
    games: Sequence[Data],
    plan: Plan,
    without: Sequence[tuple[str, int]],
    statuses: Mapping[str, str],
    looks: Mapping[str, Look],
    notes: Mapping[str, Sequence[str]],
) -> pd.DataFrame:
    """Return the tests with their `statuses` and, at an interim look, their levels. `notes` has
    sentences about the design, by hypothesis."""
    table = tested(games, plan, levels_of(looks, plan), without, notes)
    table.insert(1, "status", table["hypothesis"].map(statuses))
    return with_levels(table, looks, plan)


def _doubted(plan: Plan, seal: Seal | None) -> list[str]:
    """Return the hypotheses with a direction that the seal does not fix, because it does not fix
    the order of treatments.
    """
    hypotheses = plan.hypotheses.items() if seal is not None and not seal.order else ()
    return [name for name, hypothesis in hypotheses if plan.depends_on_order(hypothesis)]


def _notes(plan: Plan, content: Mapping[str, Any], rehearsed: bool) -> dict[str, list[str]]:
    """Return sentences about the design of each hypothesis and, in a rehearsal, about texts that
    simulated people cannot read."""
    rules = of_content(content)
    of_simulated = unread(plan, rules) if rehearsed else {}
    return {
        name: [*([of_simulated[name]] if name in of_simulated else []), *sentences]
        for name, sentences in cautions(plan, rules).items()
    }


def _measures(plan: Plan) -> tuple[tuple[str, str], ...]:
    """Return the level and name of each measure in the hypotheses, without duplicates."""
    levels = {"group": "group", "people": "person"}
    hypotheses = plan.hypotheses.values()
    return tuple({(levels[hypothesis.of], hypothesis.measure): None for hypothesis in hypotheses})


def _meanings(plan: Plan) -> dict[str, str]:
    """Return the meaning of every treatment or, with blocks, of every treatment in every block."""
    meanings = {name: treatment.meaning for name, treatment in plan.treatments.items()}
    if plan.space is not None:
        meanings = {over_space.POOLED: over_space.meaning(plan.space)}
    if not plan.blocks:
        return meanings
    return {
        f"{name}, {block.name}": f"{meaning}; {block.meaning}"
        for name, meaning in meanings.items()
        for block in plan.blocks
    }


# -- in words --------------------------------------------------------------------------------------


def _status(
    data: Data, seal: Seal | None, why_not: str, original: Original, doubted: Sequence[str]
) -> list[str]:
    """Return sentences about the status of the tests. `doubted` lists hypotheses that are
    exploratory even though the others are confirmatory."""
    if data.rehearsed:
        return [_rehearsal(data), f"The plan {_sealed(seal)}."]
    if seal is None or why_not:
        sentence = f"{why_not[0].upper()}{why_not[1:]}"
        return [f"{sentence}: everything in this report is exploratory."]
    when = arrival(before_data(data, seal), original.absent)
    excepted = f", except {', '.join(doubted)}" if doubted else ""
    sentences = [
        f"Sealed {seal.sealed}, {when} ({seal.digest:.12}). The hypotheses below are confirmatory"
        f"{excepted}; everything else in this report is exploratory."
    ]
    return [*sentences, _DOUBTED] if doubted else sentences


_DOUBTED = (
    "The directions of these tests depend on the order of the treatments, which the seal of an "
    "earlier release does not fix (see the deviations)."
)


def _rehearsal(data: Data) -> str:
    """Describe a rehearsal and the options that every rehearsal changes, which are not
    deviations."""
    options = rehearsed_with(data)
    changed = f" It was played with {', '.join(options)}." if options else ""
    sentence = "A rehearsal: policies played in place of people, so no result is about people."
    return f"{sentence}{changed}"


def _sealed(seal: Seal | None) -> str:
    return "was not sealed" if seal is None else f"was sealed {seal.sealed} ({seal.digest:.12})"


def _blind_words(plan: Plan, seal: Seal | None) -> list[str]:
    permuted = (
        "Treatment labels are permuted among groups, so the tests below say nothing about "
        "treatments."
    )
    if plan.blocks:
        permuted = (
            "Treatment labels are permuted among matching groups, and the labels of blocks with "
            "the same game within them, so the tests below say nothing about treatments or such "
            "blocks. Only matching groups that played all blocks to the end are included."
        )
    return [f"{permuted} The plan {_sealed(seal)}. Deviations are listed in the unblinded report."]


def _rules(plan: Plan, left_out: Sequence[str]) -> list[str]:
    """Return the rules that the plan states only in words, with sentences about the groups that the
    tests leave out."""
    lines = [f"The plan's exclusion rule: {rule.rstrip('.')}." for rule in plan.exclusions]
    stopping = (plan.stopping or "none").rstrip(".")
    return [*lines, *left_out, f"The plan's stopping rule: {stopping}."]


def _otherwise(hypotheses: pd.DataFrame, of_all: pd.DataFrame) -> list[str]:
    """Return a sentence about the hypotheses with a different result if all groups are included."""
    both = zip(hypotheses["hypothesis"], hypotheses["result"], of_all["result"], strict=True)
    names = [str(name) for name, without, result in both if without != result]
    if not names:
        return ["With all groups, the result of every hypothesis is the same."]
    return [f"With all groups, the result of these hypotheses is different: {', '.join(names)}."]

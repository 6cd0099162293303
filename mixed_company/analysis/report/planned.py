"""What a report says of the plan of an experiment: its hypotheses, and what was done otherwise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

import pandas as pd

from mixed_company.analysis.data import GROUP, Data
from mixed_company.analysis.planned.deviations import before_data, deviations, rehearsed_with
from mixed_company.analysis.planned.looks import Look, taken
from mixed_company.analysis.planned.tested import tested
from mixed_company.analysis.report.excluded import Excluded, of_games
from mixed_company.analysis.report.parts import Table, function_name
from mixed_company.experiment.plan import Plan
from mixed_company.experiment.sealing import Seal

__all__ = ["Planned", "of_plan"]


@dataclass(frozen=True)
class Planned:
    """The part of a report that is about the plan.

    title         of the plan
    question      what its first hypothesis expects
    measures      what its hypotheses are about: level, `group` or `person`, and name
    meanings      of each treatment, as the plan says
    confirmatory  it was sealed before anybody came
    words         what that means, and what the plan says that no test can look at
    tables        hypotheses and deviations
    blind         the data with labels of treatments permuted, of a blind report; else None
    """

    title: str
    question: str
    measures: tuple[tuple[str, str], ...]
    meanings: Mapping[str, str]
    confirmatory: bool
    words: tuple[str, ...]
    tables: tuple[Table, ...]
    blind: Data | None = None

    def described(self, treatments: Table) -> Table:
        """Return the table of treatments with the meanings that the plan gives them."""
        frame = treatments.frame
        meant = frame["treatment"].astype(str).map(self.meanings)
        return replace(treatments, frame=frame.assign(stands_for=meant.fillna(frame["stands_for"])))


def of_plan(
    data: Data,
    plan: Plan,
    content: Mapping[str, Any],
    seal: Seal | None,
    others: Sequence[Data] = (),
    blind: Sequence[Data] = (),
    excluded: Sequence[Excluded] = (),
) -> Planned:
    """Test the hypotheses of a plan, and list how the experiment deviated from it.

    data      of the plan (`analysis.planned.tested.of_plan`), of the game of its first block
    content   of the plan's file as it is now; with a seal, what was sealed is tested
    others    the data of the other games that blocks play
    blind     the same data with labels permuted (`analysis.blinding`), tested in their place:
              nothing is confirmatory then, and deviations, which name treatments, are left out
    excluded  groups left out of the tests of hypotheses where `why` is one of the plan's
              exclusions, word for word; with all groups they are tested beside it. Another reason
              is a deviation, and such a group stays in these tests

    Raises what `excluded.table` does.
    """
    plan = plan if seal is None else Plan.model_validate(seal.content["plan"])
    confirmatory = seal is not None and before_data(data, seal)
    look, left_out = taken(data, plan), of_games([data, *others], excluded)
    as_planned = left_out["why"].isin(plan.exclusions)
    gone = list(
        left_out.loc[as_planned, GROUP].drop_duplicates().itertuples(index=False, name=None)
    )
    games = blind or [data, *others]
    exploratory = "blind" if blind else "exploratory"
    status = "confirmatory" if confirmatory and not blind else exploratory
    hypotheses = _hypotheses(games, plan, gone, status, look)
    tables = [Table("hypotheses", "The hypotheses", hypotheses, function_name(tested), _TESTS)]
    if gone:
        every = _hypotheses(games, plan, [], exploratory, look)
        title = "The hypotheses, with all groups"
        tables.append(Table("hypotheses_of_all", title, every, function_name(tested), _TESTS))
    if blind:
        for table in tables:  # notes can name sessions
            table.frame["notes"] = table.frame["notes"].where(table.frame["p"].isna(), "")
        words = _blind_words(plan, seal, len(gone))
    else:
        listed = deviations(data, plan, content, seal, others)
        listed = pd.concat([listed, _unplanned(left_out, plan.exclusions)], ignore_index=True)
        title = "Deviations that the data show"
        tables.append(Table("deviations", title, listed, function_name(deviations)))
        words = [*_words(plan, seal, confirmatory, len(gone)), *_of_deviations(data, listed)]
    first = next((hypothesis.meaning for hypothesis in plan.hypotheses.values()), "")
    return Planned(
        title=plan.title,
        question=first,
        measures=_measures(plan),
        meanings=_meanings(plan),
        confirmatory=confirmatory and not blind,
        words=(*words, *(look.words(hypotheses) if look else ())),
        tables=tuple(tables),
        blind=blind[0] if blind else None,
    )


_TESTS = (
    "One test each, as the plan names it; the group is the unit. P corrected: by Holm, over the "
    "hypotheses of a family."
)


def _hypotheses(
    games: Sequence[Data],
    plan: Plan,
    without: Sequence[tuple[str, int]],
    status: str,
    look: Look | None,
) -> pd.DataFrame:
    """Return the tests with their status, and at a look with the level of each."""
    table = tested(games, plan, look.by_family if look is not None else None, without)
    table.insert(1, "status", status)
    if look is not None:
        levels, columns = table["family"].map(look.by_family), list(table.columns)
        table.insert(columns.index("p_corrected") + 1, "level", levels)
        table.insert(columns.index("effect") + 1, "unbiased_effect", look.unbiased(table))
    return table


def _unplanned(left_out: pd.DataFrame, exclusions: Sequence[str]) -> pd.DataFrame:
    """Return the groups that somebody leaves out for reasons the plan lacks, as deviations."""
    planned = set(left_out.loc[left_out["why"].isin(exclusions), GROUP].itertuples(index=False))
    rows = []
    for row in left_out.drop_duplicates([*GROUP, "why", "when"]).itertuples():
        if (row.session, row.group) in planned:
            continue
        near = get_close_matches(str(row.why), exclusions, n=1)
        what = (
            f"group {row.group} is left out for a reason that the plan does not have: {row.why} "
            f"({row.when}); it is in the tests of the hypotheses"
        )
        what += f"; the plan has {near[0]!r}" if near else ""
        rows.append((f"session {row.session}", what))
    return pd.DataFrame(rows, columns=["about", "what"])


def _measures(plan: Plan) -> tuple[tuple[str, str], ...]:
    """Return level and name of the measures that hypotheses are about."""
    levels = {"group": "group", "people": "person"}
    hypotheses = plan.hypotheses.values()
    return tuple({(levels[own.of], own.measure): None for own in hypotheses})


def _meanings(plan: Plan) -> dict[str, str]:
    """Return the meaning of every treatment, or of every treatment in every block."""
    meanings = {name: treatment.meaning for name, treatment in plan.treatments.items()}
    if not plan.blocks:
        return meanings
    return {
        f"{name}, {block.name}": f"{meaning}; {block.meaning}"
        for name, meaning in meanings.items()
        for block in plan.blocks
    }


# -- in words --------------------------------------------------------------------------------------


def _words(plan: Plan, seal: Seal | None, confirmatory: bool, gone: int) -> list[str]:
    if confirmatory and seal is not None:
        line = (
            f"Sealed {seal.sealed}, before anybody came ({seal.digest:.12}). The hypotheses below "
            "are confirmatory; everything else in this report is exploratory."
        )
    else:
        why = "was not sealed" if seal is None else "was sealed only after people had come"
        line = f"The plan {why}: everything in this report is exploratory."
    return [line, *_rules(plan, gone)]


def _of_deviations(data: Data, listed: pd.DataFrame) -> list[str]:
    """Return how many deviations there are, and what a rehearsal changes, which is none."""
    options = rehearsed_with(data)
    rehearsed = [f"Rehearsed with {', '.join(options)}: that is no deviation."] if options else []
    return [f"Deviations that the data show: {len(listed)}.", *rehearsed]


def _blind_words(plan: Plan, seal: Seal | None, gone: int) -> list[str]:
    sealed = "was not sealed" if seal is None else f"was sealed {seal.sealed} ({seal.digest:.12})"
    how = (
        "Labels of treatments are permuted among groups: what the tests below say is of no "
        "treatment."
    )
    if plan.blocks:
        how = (
            "Labels of treatments are permuted among matching groups, and those of blocks within "
            "each of them: what the tests below say is of no treatment, and of no block. Here are "
            "only matching groups that have played all blocks to their end."
        )
    line = (
        f"{how} The plan {sealed}. What was done otherwise than planned is in the report that "
        "is not blind."
    )
    return [line, *_rules(plan, gone)]


def _rules(plan: Plan, gone: int) -> list[str]:
    """Return what a plan says in words alone; `gone` groups are left out of its tests."""
    lines = [f"Excluded, as planned: {rule}" for rule in plan.exclusions]
    if gone:
        many = "1 group is" if gone == 1 else f"{gone} groups are"
        lines.append(f"By that {many} left out of the tests of hypotheses, and of nothing else.")
    elif plan.exclusions:
        lines.append("No exclusion is made by this report: all groups that played are in it.")
    return [*lines, f"Stopping, as planned: {plan.stopping or 'no rule'}"]

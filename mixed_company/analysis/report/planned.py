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
    measures      what its hypotheses are about, each after whose it is, `group` or `person`
    meanings      of each treatment, what the plan says it is
    confirmatory  it was sealed before anybody came
    words         what that means, and what the plan says that no test can look at
    tables        hypotheses and deviations
    blind         the data with labels of treatments permuted, of which the report then is, with
                  what can be read of them alone; None: the report is of the data as they are
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
        """The table of treatments with what the plan says of them, where it says something."""
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
    """`data` are those of the plan (`analysis.planned.tested.of_plan`), of the game of its first
    block, `others` those of other games that blocks play; `content` is that of the file now. With
    a seal, what was sealed is tested, whatever the file says now. `blind` are the same data, and
    those of `others`, with labels permuted (`analysis.blinding`): they are tested in their place,
    nothing is confirmatory, and deviations, which name what treatments play, are left out.

    Groups of `excluded` are left out of the tests of hypotheses where `why` is one of the plan's
    exclusions, word for word; with all groups they are tested beside it. Another reason is a
    deviation, and such a group stays in these tests. Raises what `excluded.table` does."""
    own = plan if seal is None else Plan.model_validate(seal.content["plan"])
    confirmatory = seal is not None and before_data(data, seal)
    word = "confirmatory" if confirmatory else "exploratory"
    look = taken(data, own)
    by_family = look.by_family if look is not None else None
    games = blind or [data, *others]
    left_out = of_games([data, *others], excluded)
    planned = left_out["why"].isin(own.exclusions)
    gone = list(left_out.loc[planned, GROUP].itertuples(index=False, name=None))
    table = _hypotheses(tested(games, own, by_family, gone), "blind" if blind else word, look)
    tables = [Table("hypotheses", "The hypotheses", table, function_name(tested), _TESTS)]
    if gone:
        every = tested(games, own, by_family)
        every = _hypotheses(every, "blind" if blind else "exploratory", look)
        title = "The hypotheses, with all groups"
        tables.append(Table("hypotheses_of_all", title, every, function_name(tested), _TESTS))
    if not blind:
        listed = deviations(data, own, content, seal, others)
        listed = pd.concat([listed, _unplanned(left_out, own.exclusions)], ignore_index=True)
        title = "Deviations that the data show"
        tables.append(Table("deviations", title, listed, function_name(deviations)))
        words = [*_words(own, seal, confirmatory, listed, len(set(gone))), *_rehearsed(data)]
    else:
        for one in tables:  # notes can name sessions
            one.frame["notes"] = one.frame["notes"].where(one.frame["p"].isna(), "")
        words = _blind_words(own, seal, len(set(gone)))
    hypotheses = list(own.hypotheses.values())
    return Planned(
        own.title,
        hypotheses[0].meaning if hypotheses else "",
        tuple(dict.fromkeys((_LEVELS[one.of], one.measure) for one in hypotheses)),
        _meanings(own),
        confirmatory and not blind,
        (*words, *(look.words(table) if look else ())),
        tuple(tables),
        blind[0] if blind else None,
    )


def _hypotheses(table: pd.DataFrame, status: str, look: Look | None) -> pd.DataFrame:
    """The tests with what they are for, and at a look with the level of each."""
    table.insert(1, "status", status)
    if look is not None:
        at = list(table.columns).index("p_corrected")
        table.insert(at + 1, "level", table["family"].map(look.by_family))
        at = list(table.columns).index("effect")
        table.insert(at + 1, "unbiased_effect", look.unbiased(table))
    return table


def _unplanned(left_out: pd.DataFrame, exclusions: Sequence[str]) -> pd.DataFrame:
    """Groups that somebody leaves out only for reasons of his or her own, as deviations."""
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


def _meanings(plan: Plan) -> dict[str, str]:
    if not plan.blocks:
        return {name: own.meaning for name, own in plan.treatments.items()}
    return {
        f"{name}, {block.name}": f"{own.meaning}; {block.meaning}"
        for name, own in plan.treatments.items()
        for block in plan.blocks
    }


_LEVELS = {"group": "group", "people": "person"}

_TESTS = (
    "One test each, as the plan names it; the group is the unit. P corrected: by Holm, over the "
    "hypotheses of a family."
)


def _words(
    plan: Plan, seal: Seal | None, confirmatory: bool, listed: pd.DataFrame, gone: int
) -> list[str]:
    lines = []
    if confirmatory and seal is not None:
        lines.append(
            f"Sealed {seal.sealed}, before anybody came ({seal.digest:.12}). The hypotheses below "
            "are confirmatory; everything else in this report is exploratory."
        )
    else:
        why = "was not sealed" if seal is None else "was sealed only after people had come"
        lines.append(f"The plan {why}: everything in this report is exploratory.")
    return [*lines, *_rules(plan, gone), f"Deviations that the data show: {len(listed)}."]


def _rehearsed(data: Data) -> list[str]:
    """What a rehearsal changes, which is no deviation."""
    options = rehearsed_with(data)
    return [f"Rehearsed with {', '.join(options)}: that is no deviation."] if options else []


def _blind_words(plan: Plan, seal: Seal | None, gone: int) -> list[str]:
    sealed = "was not sealed" if seal is None else f"was sealed {seal.sealed} ({seal.digest:.12})"
    how = "Labels of treatments are permuted among groups: what the tests below say is of no"
    how += " treatment."
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
    """What a plan says in words alone; `gone` groups are left out of its tests."""
    lines = [f"Excluded, as planned: {rule}" for rule in plan.exclusions]
    if gone:
        many = "1 group is" if gone == 1 else f"{gone} groups are"
        lines.append(f"By that {many} left out of the tests of hypotheses, and of nothing else.")
    elif plan.exclusions:
        lines.append("No exclusion is made by this report: all groups that played are in it.")
    return [*lines, f"Stopping, as planned: {plan.stopping or 'no rule'}"]

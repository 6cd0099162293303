"""Groups that a plan's tests leave out: sentences about them, and deviations from the plan.

The exclusions in a plan are sentences. This module can check an exclusion only if it is about
leaving and uses the English words in `_LEAVING`. Other exclusions are not compared with the data.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches
from typing import Any

import pandas as pd

from mixed_company.analysis.data import GROUP, Data
from mixed_company.analysis.kept import Group, keys_of
from mixed_company.analysis.notes import leavers, not_ended
from mixed_company.analysis.planned.deviations import Deviation
from mixed_company.analysis.report.excluded import KEPT, LEFT_OUT, NO_GROUP, dates_in
from mixed_company.experiment.comparisons import counted
from mixed_company.table.export import group_id


def of_exclusions(
    games: Sequence[Data], listed: pd.DataFrame, exclusions: Sequence[str]
) -> list[Deviation]:
    """Return the deviations of excluded groups from the plan.

    games       data of the plan, starting with the game of its first block
    listed      excluded groups (`excluded.of_games`)
    exclusions  the plan's reasons for leaving groups out
    """
    rows = [
        *_unplanned(listed, exclusions),
        *_contradicted(games, listed),
        *_stay_in(games, listed, exclusions),
        *_too_early(games[0], listed),
    ]
    return list(dict.fromkeys(rows))  # a group can be listed several times


def _unplanned(listed: pd.DataFrame, exclusions: Sequence[str]) -> Iterator[Deviation]:
    """Yield the groups, and participants without a group, that researchers excluded for reasons
    that are not in the plan."""
    for row in listed[~listed["why"].isin(exclusions)].itertuples():
        similar = get_close_matches(str(row.why), exclusions, n=1)
        subject = f"{_subject(row)} {_STATES[str(row.tests)]}"
        sentence = f"{subject} not in the plan: {row.why} ({row.when})"
        sentence += f"; the plan has {similar[0]!r}" if similar else ""
        yield f"session {row.session}", sentence


def _subject(row: Any) -> str:
    no_group = row.tests == NO_GROUP
    return f"participant {row.participant}" if no_group else f"group {row.group}"


_STATES = {
    KEPT: f"is {KEPT} of the hypotheses, because the reason is",
    LEFT_OUT: "is left out for a planned reason, but also listed with a reason that is",
    NO_GROUP: "had no group and is in no test, but is listed for exclusion with a reason that is",
}


_LEAVING = re.compile(r"\b(left|leaves?|leaving|drop(s|ped|ping)?[ -]?outs?)\b", re.IGNORECASE)


def _contradicted(games: Sequence[Data], listed: pd.DataFrame) -> Iterator[Deviation]:
    """Yield the groups that are left out because somebody supposedly left, although the data show
    that nobody did, neither during a play nor between two blocks. A row that names a participant
    leaves out all of that participant's groups, and the participant leaves only one of them."""
    rows = pd.concat([*(leavers(data) for data in games), _left_between(games)])
    groups = set(rows.itertuples(index=False, name=None))
    out = listed[listed["tests"] == LEFT_OUT]
    people = {row.participant for row in out.itertuples() if (row.session, row.group) in groups}
    people.discard("")
    for row in out.itertuples():
        agreed = (row.session, row.group) in groups or row.participant in people
        if _LEAVING.search(str(row.why)) and not agreed:
            yield (
                f"session {row.session}",
                f"group {row.group} is {LEFT_OUT} of the hypotheses ({row.why}), but according to "
                f"the data nobody in it dropped out",
            )


def _left_between(games: Sequence[Data]) -> pd.DataFrame:
    """Return the session and number of each group in a matching group that somebody left between
    two blocks. One of the groups then begins without this person."""
    if any("matching_group" not in data.config for data in games):
        return pd.DataFrame(columns=GROUP)
    people = pd.concat([data.outcomes for data in games])
    units = pd.concat([data.config[[*GROUP, "matching_group"]] for data in games])
    left = people.loc[(people["status"] == "left") & people["group"].isna(), _PERSON]
    before = people.dropna(subset="group").merge(left, on=_PERSON)[GROUP]
    of_unit = units.merge(before, on=GROUP)[["session", "matching_group"]].dropna()
    return units.merge(of_unit.drop_duplicates())[GROUP]


_PERSON = ["session", "participant"]


def _stay_in(
    games: Sequence[Data], listed: pd.DataFrame, exclusions: Sequence[str]
) -> Iterator[Deviation]:
    """Yield the groups that are not excluded even though somebody left and the plan excludes such
    groups. Groups that have not ended are in no test, so they can still be excluded."""
    left = pd.concat([leavers(data) for data in games]).drop_duplicates()
    out = {*exempt(listed), *_playing(games)}
    kept = [key for key in left.itertuples(index=False, name=None) if key not in out]
    subject = f"{counted(len(kept), 'group')} in which somebody dropped out"
    verb = "is" if len(kept) == 1 else "are"
    for rule in filter(_LEAVING.search, exclusions if kept else ()):
        ids = ", ".join(group_id(*key) for key in kept)
        yield "exclusions", f"{subject} {verb} not excluded: {ids}; the plan excludes: {rule}"


def exempt(listed: pd.DataFrame) -> list[Group]:
    """Return the groups that exclusions leave out of the tests."""
    return keys_of(listed[listed["tests"] == LEFT_OUT])


def _playing(games: Sequence[Data]) -> list[Group]:
    """Return the groups that have not ended."""
    return [key for data in games for key in not_ended(data)[0]]


def _too_early(data: Data, listed: pd.DataFrame) -> Iterator[Deviation]:
    """Yield the exclusions that were decided on a day before anybody in the session was assigned,
    in any time zone.
    """
    first = data.outcomes.groupby("session")["assigned_ms"].min().dropna().to_dict()
    for row in listed.itertuples():
        dates, session = dates_in(str(row.when)), str(row.session)
        if not dates or session not in first:
            continue
        began = datetime.fromtimestamp(first[session] / 1000, UTC)
        if max(dates) < (began - timedelta(hours=12)).date():
            yield (
                f"session {session}",
                f"the exclusion of {_subject(row)} is dated {row.when}, but the session began "
                f"{began:%Y-%m-%d %H:%M} UTC ({row.why})",
            )


def sentences(listed: pd.DataFrame, games: Sequence[Data], exclusions: Sequence[str]) -> list[str]:
    """Return sentences about how many groups the tests leave out, and about exclusions that were
    not compared with the data. The arguments are the same as for `of_exclusions`."""
    playing = len(set(_playing(games)).difference(exempt(listed)))
    verbs = ("has", "is") if playing == 1 else ("have", "are")
    number = counted(playing, "group")
    left_out = f"{number} that {verbs[0]} not ended {verbs[1]} left out of the tests."
    rows = listed[listed["tests"] == LEFT_OUT]
    lines = [_exempt(rows)] if len(rows) or not playing else []
    for rule in exclusions:
        of_rule = _partly(rule, games, exempt(listed))
        lines += of_rule if _LEAVING.search(rule) else [_unchecked(rule, rows)]
    return [*lines, *([left_out] if playing else [])]


def _partly(rule: str, games: Sequence[Data], out: Collection[Group]) -> Iterator[str]:
    """Yield a sentence saying that only part of an exclusion about leaving was compared with the
    data, and how many of the groups that somebody left are left out of the tests."""
    left = [key for data in games for key in keys_of(leavers(data))]
    if left:
        number = len(set(left) & set(out))
        verb = "is" if number == 1 else "are"
        seats = pd.concat([data.seats for data in games])
        periods = seats.loc[seats["reason"] == "dropout", "since_period"].unique()
        noun = "period" if len(periods) == 1 else "periods"
        shown = ", ".join(str(period + 1) for period in sorted(periods))
        since = f" (first {noun} without them: {shown})" if shown else ""
        of_them = f"; {number} of these {verb} left out of the tests"
        yield f"{_PARTLY} {counted(len(left), 'group')}{since}{of_them}: {rule}"


_PARTLY = (
    "Only whether somebody left was compared with this rule, not when, nor any other condition. "
    "Somebody left in"
)


def _exempt(rows: pd.DataFrame) -> str:
    exempt = len(rows[GROUP].drop_duplicates())
    if not exempt:
        return "No group is left out of the tests."
    subject = f"{counted(exempt, 'group')} {'is' if exempt == 1 else 'are'}"
    return f"Hence {subject} left out of the tests of hypotheses, but not of anything else."


def _unchecked(rule: str, rows: pd.DataFrame) -> str:
    """Return a sentence about an exclusion that was not compared with the data; `rows` holds the
    groups that are left out."""
    number = len(rows.loc[rows["why"] == rule, GROUP].drop_duplicates())
    left_out = f" ({counted(number, 'group')} left out)" if number else ""
    return f"{_UNCHECKED}{left_out}: {rule}"


_UNCHECKED = (
    'This rule was not compared with the data, because it has none of the English words "left", '
    '"leave" or "drop out"'
)

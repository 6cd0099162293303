"""Classifier that tries to distinguish people from bots by the messages that a page is sent.

    figure = traits(glimpse, seat)        numbers for one other seat, from frames only
    auc(cases), band(cases, 200, 1)       its performance, and the performance expected by chance

A logistic regression is trained on plays by all kinds of people except one, and evaluated on plays
by that unseen kind. Each kind is left out in turn. The figure is the area under its ROC curve,
averaged over kinds: the probability that a person is ranked above a bot; 0.5 is chance. The chance
distribution is measured in the same way, with labels shuffled among the seats that one person saw.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.stats import rankdata

from mixed_company.engine.contract.space import Array
from tests.drills.company import Frame, Glimpse

__all__ = ["TRAITS", "Cases", "auc", "band", "by_kind", "correlation", "gathered", "traits"]

SOON_MS = 300
STEPS = 8
RIDGE = 1.0

TRAITS = (
    "mean of log seconds to the mark",
    "spread of log seconds",
    "log seconds in the first period",
    "trend of log seconds",
    "change from period to period",
    "correlation of log seconds with the last ones",
    "share of marks just after one's own decision",
    "share of marks with the frame of another mark",
    "mean place among the marks of a period",
    "share of last places",
    "share of amounts with halves",
    "share of amounts with more digits",
    "mean digits of an amount",
    "mean bytes of the frame with the mark",
    "names of what is sent of the seat",
    "frames that change the seat without a mark",
)


@dataclass(frozen=True)
class Cases:
    """One row per seat that a person saw.

    traits   (cases, TRAITS); `person`: (cases,) flags
    seen_by  (cases,) number of the glimpse; `kind`: (cases,) kind of its people
    """

    traits: Array
    person: Array
    seen_by: Array
    kind: Array


def gathered(seen: Iterable[tuple[int, Glimpse]]) -> Cases:
    """Return the cases of these glimpses, each with the number of its kind of people."""
    rows, person, seen_by, kinds = [], [], [], []
    for number, (kind, glimpse) in enumerate(seen):
        for seat in _others(glimpse):
            rows.append(traits(glimpse, seat))
            person.append(seat in glimpse.people)
            seen_by.append(number)
            kinds.append(kind)
    return Cases(np.array(rows), np.array(person), np.array(seen_by), np.array(kinds))


def _others(glimpse: Glimpse) -> list[int]:
    first = next(frame.message for frame in glimpse.frames if frame.message["kind"] == "view")
    return [entry["seat"] for entry in first["seats"] if entry["seat"] != glimpse.seat]


# -- features of a seat that a page can observe ----------------------------------------------


def traits(glimpse: Glimpse, seat: int) -> list[float]:
    """Return the numbers in TRAITS for another seat."""
    views = [frame for frame in glimpse.frames if frame.message["kind"] == "view"]
    marks = _marks(views)
    seat_marks = {period: frame for (period, other), frame in marks.items() if other == seat}
    return [
        *_times(views, seat_marks),
        *_beside(glimpse, marks, seat_marks, seat),
        *_digits(views, seat),
        statistics.fmean(frame.size for frame in seat_marks.values()) if seat_marks else 0.0,
        *_names(views, seat_marks, seat),
    ]


def _marks(views: Sequence[Frame]) -> dict[tuple[int, int], Frame]:
    """Return the frame, by (period, seat), that first showed that the seat had decided.

    The decision that ends a period is first visible when the next period is shown.
    """
    marks: dict[tuple[int, int], Frame] = {}
    before: Frame | None = None
    for frame in views:
        period = frame.message["period"]
        for entry in frame.message["seats"]:
            seat = entry["seat"]
            if entry.get("decided"):
                marks.setdefault((period, seat), frame)
            elif before is not None and before.message["period"] < period and "decided" in entry:
                marks.setdefault((before.message["period"], seat), frame)
        before = frame
    return marks


def _begins(views: Sequence[Frame]) -> dict[int, int]:
    """Return the time at which the page learnt of each period."""
    begins: dict[int, int] = {}
    for frame in views:
        if frame.message["started"]:
            begins.setdefault(frame.message["period"], frame.at_ms)
    return begins


def _times(views: Sequence[Frame], marks: dict[int, Frame]) -> list[float]:
    begins = _begins(views)
    logs = [
        math.log(max(frame.at_ms - begins[period], 1) / 1000)
        for period, frame in sorted(marks.items())
        if period in begins
    ]
    if len(logs) < 3:
        return [0.0] * 6
    trend = float(np.polyfit(np.arange(len(logs)), logs, 1)[0])
    changes = statistics.fmean(abs(b - a) for a, b in pairwise(logs))
    again = correlation(logs)
    return [statistics.fmean(logs), statistics.stdev(logs), logs[0], trend, changes, again]


def correlation(logs: Sequence[float]) -> float:
    """Return the correlation of each value with the next one."""
    around = [log - statistics.fmean(logs) for log in logs]
    squares = math.fsum(deviation**2 for deviation in around)
    return math.fsum(a * b for a, b in pairwise(around)) / squares if squares > 0 else 0.0


def _beside(
    glimpse: Glimpse, marks: dict[tuple[int, int], Frame], seat_marks: dict[int, Frame], seat: int
) -> list[float]:
    """Return how often decision marks coincide with the viewer's or others' decisions, and their
    order.
    """
    soon, together, places, last = [], [], [], []
    for period, frame in seat_marks.items():
        times = {other: f.at_ms for (when, other), f in marks.items() if when == period}
        soon.append(any(0 <= frame.at_ms - act < SOON_MS for act in glimpse.acts))
        same = [o for o, time_ms in times.items() if time_ms == frame.at_ms and o != seat]
        together.append(bool(same))
        places.append(sum(time_ms < frame.at_ms for time_ms in times.values()))
        last.append(frame.at_ms == max(times.values()))
    shares = (soon, together, places, last)
    return [statistics.fmean(share) if share else 0.0 for share in shares]


def _digits(views: Sequence[Frame], seat: int) -> list[float]:
    """Return features of the decimals in the seat's numbers, from every list with one number per
    seat.
    """
    numbers = list(_amounts(views, seat))
    if not numbers:
        return [0.0] * 3
    digits = [len(repr(number).partition(".")[2].rstrip("0")) for number in numbers]
    halves = [number % 1 == 0.5 for number in numbers]
    return [
        statistics.fmean(halves),
        statistics.fmean(count > 1 for count in digits),
        statistics.fmean(digits),
    ]


def _amounts(views: Sequence[Frame], seat: int) -> Iterator[float]:
    shown: set[int] = set()
    for frame in views:
        message = frame.message
        if message["last"] is None or message["period"] in shown:
            continue
        shown.add(message["period"])
        for name in message["last"]["used"]:
            value = message["observation"].get(name)
            per_seat = isinstance(value, list) and len(value) == len(message["seats"])
            if per_seat and value[seat] is not None:
                yield float(value[seat])


def _names(views: Sequence[Frame], seat_marks: dict[int, Frame], seat: int) -> list[float]:
    """Return the number of fields about the seat, and how often they change without a decision."""
    entries = [
        entry for frame in views for entry in frame.message["seats"] if entry["seat"] == seat
    ]
    marks = {frame.at_ms for frame in seat_marks.values()}
    changes = sum(
        before != after and frame.at_ms not in marks
        for before, after, frame in zip(entries, entries[1:], views[1:], strict=False)
    )
    return [float(len({name for entry in entries for name in entry})), float(changes)]


# -- the classifier ---------------------------------------------------------------------------


def auc(cases: Cases) -> float:
    """Return how often a person is ranked above a bot, after training on the other kinds of
    people."""
    return statistics.fmean(by_kind(cases))


def by_kind(cases: Cases) -> list[float]:
    """Return this figure for each kind of people."""
    return _told(cases, cases.person)


def band(cases: Cases, draws: int, seed: int) -> tuple[float, float]:
    """Return the interval that contains 95% of the figures obtained by chance."""
    chance = np.random.default_rng(seed)
    shuffled = [_shuffled(cases.person, cases.seen_by, chance) for _ in range(draws)]
    figures = [statistics.fmean(_told(cases, person)) for person in shuffled]
    low, high = np.quantile(figures, [0.025, 0.975])
    return float(low), float(high)


def _shuffled(person: Array, seen_by: Array, chance: np.random.Generator) -> Array:
    """Return the labels, shuffled within each glimpse."""
    order = np.argsort(seen_by, kind="stable")
    mixed = np.lexsort((chance.random(len(person)), seen_by))
    drawn = np.empty_like(person)
    drawn[order] = person[mixed]
    return drawn


def _told(cases: Cases, person: Array) -> list[float]:
    """Return the area under the curve for each kind, trained on all others."""
    areas = []
    for kind in np.unique(cases.kind):
        held = cases.kind == kind
        scaled = _standard(cases.traits, ~held)
        weights = _trained(scaled[~held], person[~held])
        areas.append(_area(scaled[held] @ weights, person[held]))
    return areas


def _area(scores: Array, person: Array) -> float:
    ranks, people = rankdata(scores), int(person.sum())
    pairs = people * (len(person) - people)
    return float((ranks[person].sum() - people * (people + 1) / 2) / pairs)


def _standard(values: Array, training: Array) -> Array:
    """Scale each column to mean 0 and spread 1 in the training rows, and add a column of ones."""
    spread = values[training].std(axis=0)
    scaled = (values - values[training].mean(axis=0)) / np.where(spread > 1e-9, spread, 1.0)
    return np.column_stack([np.ones(len(values)), scaled])


def _trained(scaled: Array, person: Array) -> Array:
    """Fit a logistic regression with a small ridge, by Newton's method."""
    weights = np.zeros(scaled.shape[1])
    ridge = RIDGE * np.eye(scaled.shape[1])
    for _ in range(STEPS):
        odds = 1 / (1 + np.exp(-np.clip(scaled @ weights, -30, 30)))
        slope = scaled.T @ (person - odds) - RIDGE * weights
        curve = (scaled * (odds * (1 - odds))[:, None]).T @ scaled + ridge
        weights = weights + np.linalg.solve(curve, slope)
    return weights

"""Many measures at once: means with intervals, and one test per measure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from mixed_company.analysis.ranges import FREE, Range
from mixed_company.analysis.rounding import alike
from mixed_company.analysis.statistics.comparing import compare, pairwise
from mixed_company.analysis.statistics.intervals import of_mean
from mixed_company.analysis.statistics.permuting import RESAMPLES
from mixed_company.analysis.statistics.result import NoTest, Result, check, corrected
from mixed_company.analysis.statistics.units import Units, units


def means(data: Units, *, level: float = 0.95, ends: Range = FREE) -> pd.DataFrame:
    """Return one row per treatment: `treatment`, `n`, `mean`, `low`, `high`.

    The interval is a t interval over units, limited to the measure's range `ends`
    (`intervals.of_mean`). It is missing if a treatment has only one unit or all its units are
    identical.
    """
    check(level=level)
    rows = []
    for name in data.treatments:
        values = data.sample(name)
        low, high = of_mean(values, level, ends)
        mean = values.mean() if len(values) else np.nan
        rows.append({"treatment": name, "n": len(values), "mean": mean, "low": low, "high": high})
    return pd.DataFrame(rows, columns=["treatment", "n", "mean", "low", "high"])


def compare_all(
    frame: pd.DataFrame,
    values: Sequence[str],
    test: str | None = None,
    *,
    unit: str = "group",
    by: str = "treatment",
    treatments: Sequence[str] | None = None,
    untested: Mapping[str, str] | None = None,
    ends: Mapping[str, Range] | None = None,
    blocks: Mapping[str, Sequence[str]] | None = None,
    family: str = "",
    method: str = "holm",
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> pd.DataFrame:
    """Return the results of `compare` and `means`, with one row per measure; p is corrected for the
    number of measures.

    Columns: `measure`; for every treatment `n <treatment>`, `mean <treatment>`, `low <treatment>`,
    `high <treatment>`; `test`, `symbol`, `statistic`, `effect_name`, `effect`, `low`, `high`,
    `standardised`, `p`, `p_corrected`, `correction`, `least_p_corrected`, `left_out`, `notes`.

    A measure that cannot be tested has a row with its means but without p; `notes` gives the
    reason, and the correction ignores the measure. The same is true of constant measures and
    measures in `untested` (name -> reason). `ends` (the measures' ranges) is passed to `means`, and
    `family` (a description of the measures) to `corrected`. Raises the same errors as `units` and
    `compare`, except NoTest.

    With `blocks` (each with its treatments), only treatments of the same block are compared; the
    column `block` is added, and each measure has one row per block in which it has a value.
    """
    parts = _by_block(frame, by, blocks)
    measured = [
        (block, data)
        for value in values
        for block, part in parts.items()
        if len((data := units(part, value, unit=unit, by=by)).frame) or block is None
    ]
    results: list[Result | NoTest] = []
    for _, data in measured:
        reason = (untested or {}).get(data.measure, _CONSTANT if alike(data.values) else "")
        if reason:
            results.append(NoTest(f"not tested: {reason}"))
            continue
        try:
            results.append(
                compare(
                    data, test, treatments=treatments, level=level, resamples=resamples, seed=seed
                )
            )
        except NoTest as refusal:
            results.append(refusal)
    done = [result for result in results if isinstance(result, Result)]
    tested = iter(corrected(done, method, family))
    rows = [
        {
            **({} if block is None else {"block": block}),
            **_row(
                data,
                next(tested) if isinstance(result, Result) else result,
                treatments or data.treatments,
                means(data, level=level, ends=(ends or {}).get(data.measure, FREE)),
            ),
        }
        for (block, data), result in zip(measured, results, strict=True)
    ]
    table = pd.DataFrame(rows)
    return table if blocks is None else _ordered(table)


def _ordered(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table with the columns of all blocks' treatments before those of the tests."""
    numbers = [name for name in table if str(name).startswith(("n ", "mean ", "low ", "high "))]
    first = [name for name in ("block", "measure") if name in table]
    others = [name for name in table if name not in {*first, *numbers}]
    counts = {name: "Int64" for name in numbers if str(name).startswith("n ")}
    return table[[*first, *numbers, *others]].astype(counts)


def _by_block(
    frame: pd.DataFrame, by: str, blocks: Mapping[str, Sequence[str]] | None
) -> dict[str | None, pd.DataFrame]:
    """Return the rows of each block's treatments; if there are no blocks, all rows under None."""
    if blocks is None:
        return {None: frame}
    names = frame[by].astype(str)
    return {block: frame[names.isin(listed)] for block, listed in blocks.items()}


_CONSTANT = "it is the same in all units"


_TESTED = ["test", "symbol", "statistic", "effect_name", "effect", "low", "high", "standardised"]
_TESTED += ["p"]
_CORRECTED = ["p_corrected", "correction", "least_p_corrected"]


def _row(
    data: Units,
    result: Result | NoTest,
    treatments: Sequence[str],
    of_treatments: pd.DataFrame,
) -> dict[str, Any]:
    row: dict[str, Any] = {"measure": data.measure}
    described = {line["treatment"]: line for line in of_treatments.to_dict("records")}
    for name in treatments:
        row |= {f"{key} {name}": described[name][key] for key in ("n", "mean", "low", "high")}
    tested = isinstance(result, Result)
    row |= {key: getattr(result, key) if tested else None for key in [*_TESTED, *_CORRECTED]}
    row["left_out"] = "; ".join(result.left_out if isinstance(result, Result) else data.left_out)
    row["notes"] = "; ".join(result.notes) if isinstance(result, Result) else str(result)
    return row


def pairwise_all(
    frame: pd.DataFrame,
    values: Sequence[str],
    test: str = "mann_whitney",
    *,
    unit: str = "group",
    blocks: Mapping[str, Sequence[str]] | None = None,
    method: str = "holm",
    family: str = "",
    level: float = 0.95,
    seed: int = 0,
) -> pd.DataFrame:
    """Return one row per measure and pair of treatments, with p values corrected over all rows.
    With `blocks`, only treatments of the same block are compared (`compare_all`).

    Columns: `measure`, `first`, `second` and the columns of the test in `compare_all`. A measure
    that cannot be tested or is constant has no rows.
    """
    results: list[Result] = []
    for value, part in product(values, _by_block(frame, "treatment", blocks).values()):
        data = units(part, value, unit=unit)
        if not alike(data.values):
            with suppress(NoTest):
                results += pairwise(data, test, level=level, seed=seed)
    rows = [
        {
            "measure": result.measure,
            **dict(zip(("first", "second"), result.n, strict=True)),
            **{key: getattr(result, key) for key in [*_TESTED, *_CORRECTED]},
            "notes": "; ".join(result.notes),
        }
        for result in corrected(results, method, family)
    ]
    columns = ["measure", "first", "second", *_TESTED, *_CORRECTED, "notes"]
    return pd.DataFrame(rows, columns=columns)

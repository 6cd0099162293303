"""Sharing of work among the processors of this machine or a Dask cluster.

The work is divided into pieces that do not depend on the workers, and the results are joined in the
order of the pieces. So results are the same bit for bit, no matter how many workers run or die.
"""

from __future__ import annotations

import concurrent.futures
import multiprocessing
import os
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import CancelledError, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from tqdm import tqdm

from mixed_company import policies
from mixed_company.engine.contract.errors import ConfigError, EngineError

Piece = TypeVar("Piece")
Result = TypeVar("Result")

_LOST = "nothing has been written"

PATIENCE = "mixed-company.patience"
"""Dask configuration key for how long the scheduler may take to respond and the first worker to
start (10 s by default)."""

_VARIABLE = "DASK_MIXED_COMPANY__PATIENCE"


class WorkersLost(EngineError):
    """Error for a local process that ended before its work was done."""


class SchedulerLost(EngineError):
    """Error for an unusable scheduler."""


@dataclass(frozen=True)
class Sharing:
    """Workers for pieces of work, and a progress bar (`leave` keeps the bar at the end).

    with Sharing(workers, scheduler, progress=True) as sharing:
        parts = sharing.gathered(function, work, " groups")
        wholes = sharing.gathered(other, parts, " wholes")

    The processes start with the first shared work, and end with the `with` block.
    """

    workers: int = 1
    scheduler: str | None = None
    progress: bool = False
    leave: bool = False

    def __enter__(self) -> Sharing:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    @cached_property
    def _pool(self) -> ProcessPoolExecutor | None:
        return _pool(self.workers) if self.scheduler is None and self.workers > 1 else None

    def here_if(self, little: bool) -> Sharing:
        """Return a Sharing that uses only this process if there is `little` work, because starting
        processes is slow."""
        return replace(self, workers=min(self.workers, 1), scheduler=None) if little else self

    def gathered(
        self,
        function: Callable[[Piece], Result],
        work: Sequence[Piece],
        unit: str,
        sizes: Sequence[int] | None = None,
    ) -> list[Result]:
        """Return a function's results for pieces of work, in the order of the pieces.

        In the progress bar, a piece counts as 1, or as its entry in `sizes`. Raises the same errors
        as `shared`.
        """
        counts = [1] * len(work) if sizes is None else sizes
        results: dict[int, Result] = {}
        with tqdm(total=sum(counts), unit=unit, leave=self.leave, disable=not self.progress) as bar:
            for index, result in shared(
                function, work, self.workers, self.scheduler, pool=self._pool
            ):
                results[index] = result
                bar.update(counts[index])
        return [results[index] for index in range(len(work))]


def watched(items: Collection[Piece], name: str, progress: bool) -> Iterator[Piece]:
    """Yield the items, with a progress bar of this name if `progress`."""
    yield from tqdm(items, name, leave=False, disable=not progress)


def shared(
    function: Callable[[Piece], Result],
    work: Sequence[Piece],
    workers: int = 1,
    scheduler: str | None = None,
    lost: str = _LOST,
    pool: ProcessPoolExecutor | None = None,
) -> Iterator[tuple[int, Result]]:
    """Yield (index, result) of a function for pieces of work, in order of completion.

    The work runs here, in `workers` processes, or on a Dask cluster. `lost` completes the error
    message for a lost worker: it says what happens to the work. `pool` is a pool of running
    processes to use.

    Raises ConfigError for fewer than 1 worker, WorkersLost, SchedulerLost.
    """
    if workers < 1:
        raise ConfigError(f"workers = {workers}: should be at least 1")
    if scheduler is not None:
        return _on_cluster(function, work, scheduler, lost)
    if workers == 1 or len(work) < 2:  # starting a process would take longer
        return ((place, function(piece)) for place, piece in enumerate(work))
    if pool is None:
        return _in_own_processes(function, work, min(workers, len(work)), lost)
    return _in_processes(function, work, pool, lost)


def _in_own_processes(
    function: Callable[[Piece], Result], work: Sequence[Piece], workers: int, lost: str
) -> Iterator[tuple[int, Result]]:
    """Run `_in_processes` in new processes, and end them afterwards. Raises WorkersLost."""
    pool = _pool(workers)
    try:
        yield from _in_processes(function, work, pool, lost)
    finally:
        pool.shutdown(cancel_futures=True)


def _in_processes(
    function: Callable[[Piece], Result], work: Sequence[Piece], pool: ProcessPoolExecutor, lost: str
) -> Iterator[tuple[int, Result]]:
    """Yield (index, result) of a function for pieces of work, in order of completion.

    Raises WorkersLost.
    """
    try:
        places = {pool.submit(function, piece): place for place, piece in enumerate(work)}
        for future in concurrent.futures.as_completed(places):
            yield places[future], future.result()
    except BrokenProcessPool:
        raise WorkersLost(f"a worker process died; {lost}") from None


def _pool(workers: int) -> ProcessPoolExecutor:
    """Return a pool whose processes start with their first task.

    The processes inherit nothing from this one except the folders of trained policies.
    """
    return ProcessPoolExecutor(
        workers,
        multiprocessing.get_context("spawn"),
        initializer=_begin,
        initargs=(policies.folders(),),
    )


def _begin(folders: Sequence[Path]) -> None:
    _end_with_the_parent()
    for folder in folders:
        policies.look_in(folder)


def _end_with_the_parent() -> None:
    """End this worker when its parent ends, because otherwise it would wait forever."""
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _on_cluster(
    function: Callable[[Piece], Result], work: Sequence[Piece], scheduler: str, lost: str
) -> Iterator[tuple[int, Result]]:
    """Share work on a Dask cluster, which repeats a piece if its worker is lost."""
    try:
        from dask import config
        from dask.utils import parse_timedelta
        from distributed import Client, KilledWorker, as_completed
    except ModuleNotFoundError:
        raise SchedulerLost(
            '--scheduler needs distributed, which is not installed: pip install ".[tournament]" '
            "in the project folder"
        ) from None
    patience = parse_timedelta(config.get(PATIENCE, 10))
    try:
        client = Client(scheduler, timeout=patience)
    except (OSError, ValueError) as error:
        raise SchedulerLost(f"scheduler = {scheduler!r}: cannot be reached ({error})") from None
    with client:
        futures = client.map(function, work, pure=False)  # an adaptive cluster starts workers now
        try:
            client.wait_for_workers(1, timeout=patience)
        except (OSError, TimeoutError):
            rule = f"no workers after {patience:g} s; to wait longer, set {_VARIABLE}"
            raise SchedulerLost(f"scheduler = {scheduler!r}: {rule}") from None
        places = {future.key: place for place, future in enumerate(futures)}
        try:
            for future in as_completed(futures):
                yield places[future.key], future.result()
        except ModuleNotFoundError as error:
            rule = "start its workers in this folder, with the same environment"
            raise SchedulerLost(f"scheduler = {scheduler!r}: {error}; {rule}") from None
        except (CancelledError, KilledWorker, OSError) as error:
            rule = f"lost before all plays were done; {lost}"
            raise SchedulerLost(f"scheduler = {scheduler!r}: {rule} ({error!r:.200})") from None

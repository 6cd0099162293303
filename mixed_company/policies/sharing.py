"""Work shared out, over the processors of this machine or a Dask cluster.

The work is cut into portions that do not depend on who does them, and put together by number: the
same results to the last bit, however many workers there are and whichever of them die.
"""

from __future__ import annotations

import concurrent.futures
import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator, Sequence
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

__all__ = [
    "SchedulerLost",
    "Sharing",
    "WorkersLost",
    "shared",
]

_LOST = "nothing has been written"

PATIENCE_SECONDS = 10
"""How long a scheduler may take to answer, and to have a worker."""


class WorkersLost(EngineError):
    """A process of this machine ended before its work was done."""


class SchedulerLost(EngineError):
    """A scheduler that cannot be used."""


@dataclass(frozen=True)
class Sharing:
    """Who does pieces of work, and whether a bar shows how far it is (`leave`: afterwards, too).

    with Sharing(workers, scheduler, progress=True) as sharing:
        parts = sharing.gathered(function, work, " groups")
        wholes = sharing.gathered(other, parts, " wholes")

    Its processes begin with the first work that is shared, and end with the `with`.
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
        """The same; but where there is `little` to do, in this process: others take longer to
        begin."""
        return replace(self, workers=min(self.workers, 1), scheduler=None) if little else self

    def gathered(
        self,
        function: Callable[[Piece], Result],
        work: Sequence[Piece],
        unit: str,
        sizes: Sequence[int] | None = None,
    ) -> list[Result]:
        """What a function makes of pieces of work, in their order; in the bar a piece counts 1, or
        what it has in `sizes`. Raises what `shared` does."""
        counts = [1] * len(work) if sizes is None else sizes
        results: dict[int, Result] = {}
        with tqdm(total=sum(counts), unit=unit, leave=self.leave, disable=not self.progress) as bar:
            for place, result in shared(
                function, work, self.workers, self.scheduler, pool=self._pool
            ):
                results[place] = result
                bar.update(counts[place])
        return [results[place] for place in range(len(work))]


def shared(
    function: Callable[[Piece], Result],
    work: Sequence[Piece],
    workers: int = 1,
    scheduler: str | None = None,
    lost: str = _LOST,
    pool: ProcessPoolExecutor | None = None,
) -> Iterator[tuple[int, Result]]:
    """What a function makes of pieces of work, by their places, as they are ready: here, in so many
    processes, or on a Dask cluster. `lost` says what becomes of the work when one of them is lost;
    `pool` are processes that are there already.

    Raises ConfigError for fewer workers than one, WorkersLost, SchedulerLost.
    """
    if workers < 1:
        raise ConfigError(f"workers = {workers}: at least 1")
    if scheduler is not None:
        return _on_cluster(function, work, scheduler, lost)
    if workers == 1 or len(work) < 2:  # a process takes longer to begin
        return ((place, function(piece)) for place, piece in enumerate(work))
    if pool is None:
        return _in_own_processes(function, work, min(workers, len(work)), lost)
    return _in_processes(function, work, pool, lost)


def _in_own_processes(
    function: Callable[[Piece], Result], work: Sequence[Piece], workers: int, lost: str
) -> Iterator[tuple[int, Result]]:
    """The same by processes that end with it. Raises WorkersLost."""
    pool = _pool(workers)
    try:
        yield from _in_processes(function, work, pool, lost)
    finally:
        pool.shutdown(cancel_futures=True)


def _in_processes(
    function: Callable[[Piece], Result], work: Sequence[Piece], pool: ProcessPoolExecutor, lost: str
) -> Iterator[tuple[int, Result]]:
    """What a function makes of pieces of work, by their places, as they are ready.

    Raises WorkersLost.
    """
    try:
        places = {pool.submit(function, piece): place for place, piece in enumerate(work)}
        for future in concurrent.futures.as_completed(places):
            yield places[future], future.result()
    except BrokenProcessPool:
        raise WorkersLost(f"a worker process was ended; {lost}") from None


def _pool(workers: int) -> ProcessPoolExecutor:
    """Processes that begin anew, with the first work: what is imported or running here does not
    matter to them, but that they know the policies of the same folders."""
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
    """A worker waits for work for ever, also where whoever was to give it has been killed."""
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _on_cluster(
    function: Callable[[Piece], Result], work: Sequence[Piece], scheduler: str, lost: str
) -> Iterator[tuple[int, Result]]:
    """A piece whose worker is lost is done again by another one."""
    try:
        from distributed import Client, KilledWorker, as_completed
    except ModuleNotFoundError:
        raise SchedulerLost(
            '--scheduler needs distributed, which is not installed: pip install ".[tournament]" '
            "in the folder of the project"
        ) from None
    try:
        client = Client(scheduler, timeout=PATIENCE_SECONDS)
    except (OSError, ValueError) as error:
        raise SchedulerLost(f"scheduler = {scheduler!r}: cannot be reached ({error})") from None
    with client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE_SECONDS)
        except (OSError, TimeoutError):
            raise SchedulerLost(f"scheduler = {scheduler!r}: has no workers") from None
        futures = client.map(function, work, pure=False)
        places = {future.key: place for place, future in enumerate(futures)}
        try:
            for future in as_completed(futures):
                yield places[future.key], future.result()
        except ModuleNotFoundError as error:
            rule = "start its workers in this folder, with the same environment"
            raise SchedulerLost(f"scheduler = {scheduler!r}: {error}; {rule}") from None
        except (CancelledError, KilledWorker, OSError) as error:
            rule = f"lost before all was played; {lost}"
            raise SchedulerLost(f"scheduler = {scheduler!r}: {rule} ({error!r:.200})") from None

"""Check that runs in every test of a table."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mixed_company.table.due import Due, next_due
from mixed_company.table.table import Table


@pytest.fixture(scope="package", autouse=True)
def _the_kept_event_is_the_next_one() -> Iterator[None]:
    """Compare `Table.due` with a new search. A heartbeat may have delayed the event in the
    meantime."""
    kept = Table.due.fget
    assert kept is not None

    def compared(table: Table) -> Due | None:
        due, searched = kept(table), next_due(table)
        earlier = due is not None and (searched is None or due.at_ms <= searched.at_ms)
        assert due == searched or (table.sighted and earlier), (due, searched)
        return due

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Table, "due", property(compared))
        yield

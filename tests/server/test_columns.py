"""The columns of every app's models."""

from __future__ import annotations

from typing import Any

from sqlalchemy.ext.declarative import declared_attr

from mixed_company.server import columns


def test_a_column_is_made_anew_for_each_model_that_has_it():
    column: Any = columns._column(lambda **options: [options], initial=3, blank=True)
    assert isinstance(column, declared_attr)
    first, second = column.fget("a model"), column.fget("another")
    assert first == second == [{"initial": 3, "blank": True}]
    assert first is not second

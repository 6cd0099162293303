"""oTree's lookups by column values, whose SQL is compiled only once.

oTree looks up participants, players and sessions by some of their columns, dozens of times per
page. SQLAlchemy 1.3 composes and compiles the SQL of every lookup again, which takes longer than
running it. Here the compiled SQL is kept, by model and columns (`sqlalchemy.ext.baked`). Lookups by
other objects or by missing values are left to oTree.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from otree import database
from otree.database import AnyModel, DBWrapper
from sqlalchemy import bindparam
from sqlalchemy.ext.baked import BakedQuery

_kept = BakedQuery.bakery(size=500)
_get, _first, _exists = (
    AnyModel.objects_get.__func__,
    AnyModel.objects_first.__func__,
    AnyModel.objects_exists.__func__,
)
_get_or_404 = DBWrapper.get_or_404


def install() -> None:
    """Change the lookups of all models."""
    AnyModel.objects_get = classmethod(_looked_up_one)
    AnyModel.objects_first = classmethod(_looked_up_first)
    AnyModel.objects_exists = classmethod(_looked_up_any)
    DBWrapper.get_or_404 = _found_or_404


def _looked_up_one(model: Any, *criteria: Any, **values: Any) -> Any:
    if criteria or not _by_columns(model, values):
        return _get(model, *criteria, **values)
    return _lookup(model, values).one()


def _looked_up_first(model: Any, *criteria: Any, **values: Any) -> Any:
    if criteria or not _by_columns(model, values):
        return _first(model, *criteria, **values)
    return _lookup(model, values).first()


def _looked_up_any(model: Any, *criteria: Any, **values: Any) -> bool:
    if criteria or not _by_columns(model, values):
        return bool(_exists(model, *criteria, **values))
    return _lookup(model, values).first() is not None


def _found_or_404(wrapper: DBWrapper, model: Any, *message: str, **values: Any) -> Any:
    columns = {name: value for name, value in values.items() if name != "msg"}
    if _by_columns(model, columns):
        entry = _lookup(model, columns).one_or_none()
        if entry is not None:
            return entry
    return _get_or_404(wrapper, model, *message, **values)  # with oTree's error


def _by_columns(model: Any, values: Mapping[str, Any]) -> bool:
    """Return whether all these are columns of the model, with values that `=` can compare."""
    columns = model.__mapper__.columns
    return all(
        name in columns and isinstance(value, (str, int, float)) for name, value in values.items()
    )


def _lookup(model: Any, values: Mapping[str, Any]) -> Any:
    """Return the model's cached query by these columns, with their values."""
    names = tuple(sorted(values))
    query = _kept(lambda session: session.query(model), model)
    query += (
        lambda q: q.filter(*(getattr(model, name) == bindparam(name) for name in names)),
        names,
    )
    return query(database.db._db).params(values)

"""oTree's lookups by column values: their SQL is compiled only once.

oTree looks up participants, players and sessions by some of their columns, dozens of times per
page. SQLAlchemy 1.3 composes and compiles the SQL again for every lookup, which takes longer than
running it. Here the compiled SQL is kept for each model and set of columns
(`sqlalchemy.ext.baked`). A lookup by a stored object uses the column that holds the object's id.
Lookups by None are left to oTree.

To find the address of a static file, oTree searches all its routes, several times per page. Here
each file's address is kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from otree import database
from otree.database import AnyModel, DBWrapper
from otree.templating import nodes
from sqlalchemy import bindparam
from sqlalchemy.ext.baked import BakedQuery

_kept = BakedQuery.bakery(size=500)
_get, _first, _exists = (
    AnyModel.objects_get.__func__,
    AnyModel.objects_first.__func__,
    AnyModel.objects_exists.__func__,
)
_get_or_404 = DBWrapper.get_or_404
_static_url = nodes.url_of_static_file


def install() -> None:
    """Change the lookups for all models, and for static files in templates."""
    AnyModel.objects_get = classmethod(_looked_up_one)
    AnyModel.objects_first = classmethod(_looked_up_first)
    AnyModel.objects_exists = classmethod(_looked_up_any)
    DBWrapper.get_or_404 = _found_or_404
    nodes.url_of_static_file = _kept_static_url


@lru_cache(maxsize=500)
def _kept_static_url(path: str) -> str:
    return str(_static_url(path))


def _looked_up_one(model: Any, *criteria: Any, **values: Any) -> Any:
    columns = None if criteria else _columns(model, values)
    if columns is None:
        return _get(model, *criteria, **values)
    return _lookup(model, columns).one()


def _looked_up_first(model: Any, *criteria: Any, **values: Any) -> Any:
    columns = None if criteria else _columns(model, values)
    if columns is None:
        return _first(model, *criteria, **values)
    return _lookup(model, columns).first()


def _looked_up_any(model: Any, *criteria: Any, **values: Any) -> bool:
    columns = None if criteria else _columns(model, values)
    if columns is None:
        return bool(_exists(model, *criteria, **values))
    return _lookup(model, columns).first() is not None


def _found_or_404(wrapper: DBWrapper, model: Any, *message: str, **values: Any) -> Any:
    columns = _columns(model, {name: value for name, value in values.items() if name != "msg"})
    if columns is not None:
        entry = _lookup(model, columns).one_or_none()
        if entry is not None:
            return entry
    return _get_or_404(wrapper, model, *message, **values)  # with oTree's error


def _columns(model: Any, values: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the values by column, or None unless SQL compares all of them using `=`. A related
    object is compared by its id: `participant` by `participant_id`, for example.
    """
    columns, compared = model.__mapper__.columns, dict[str, Any]()
    for name, value in values.items():
        column, number = name, value
        if isinstance(value, AnyModel):
            column, number = f"{name}_id", value.id
        if column not in columns or not isinstance(number, (str, int, float)):
            return None
        compared[column] = number
    return compared


def _lookup(model: Any, values: Mapping[str, Any]) -> Any:
    """Return the model's cached query on these columns, with their values."""
    names = tuple(sorted(values))
    query = _kept(lambda session: session.query(model), model)
    query += (
        lambda q: q.filter(*(getattr(model, name) == bindparam(name) for name in names)),
        names,
    )
    return query(database.db._db).params(values)

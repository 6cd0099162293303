"""Sessions that are refused: oTree 6.0.15 leaves half of each in the database.

It has committed a session before the app sees it, and when the app refuses it, it rolls back its
own attempt to delete it.
"""

from __future__ import annotations

from typing import Any

import otree.session
from otree import database
from sqlalchemy.orm import make_transient

__all__ = ["install"]

_run = otree.session.run_creating_session_functions


def install() -> None:
    """Change what is left of a session that an app refuses: nothing."""
    otree.session.run_creating_session_functions = _run_or_unmake


def _run_or_unmake(session: Any, progress_message_fxn: Any) -> None:
    try:
        _run(session, progress_message_fxn)
    except Exception:
        _unmake(session)
        raise


def _unmake(session: Any) -> None:
    """Delete and commit; then put it back uncommitted, for oTree to delete and roll back."""
    database.db.delete(session)
    database.db.commit()
    make_transient(session)
    database.db.add(session)
    database.db._db.flush()

"""Columns that the models of all apps share. Each model in an app needs two lines:

    class Player(columns.Player, BasePlayer):
        pass

oTree stores data about a column on the column object, and SQLAlchemy loses this data when it copies
the columns of a mixin. Each model therefore gets new columns.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from otree.api import models
from sqlalchemy.ext.declarative import declared_attr

from mixed_company.server.keeping.storage import LogRow as Log

__all__ = ["Group", "Log", "Player", "Subsession"]


def _column(field: Callable[..., Any], **properties: Any) -> Any:
    def column(_model: Any) -> Any:
        return field(**properties)

    return declared_attr(column)


class Subsession:
    """Session: its setup (by treatment if there is a plan), and the number of groups formed."""

    setup = _column(models.LongStringField, initial="")
    plan = _column(models.LongStringField, initial="")
    groups_formed = _column(models.IntegerField, initial=0)
    door = _column(models.LongStringField, initial="[]")


class Group:
    """Table: its setup, its last snapshot, and how far it is ahead of the session's clock."""

    setup = _column(models.LongStringField, initial="")
    treatment = _column(models.StringField, initial="")
    table = _column(models.LongStringField, initial="")
    shift_ms = _column(models.FloatField, initial=0)


class Player:
    """Person: progress in the session, quiz answers, and earnings."""

    seat = _column(models.IntegerField, initial=-1)
    status = _column(models.StringField, initial="arriving")
    treatment = _column(models.StringField, initial="")
    slot = _column(models.IntegerField, initial=-1)
    assigned_ms = _column(models.FloatField, initial=0)
    arrived_ms = _column(models.FloatField, initial=0)
    heard_ms = _column(models.FloatField, initial=0)
    extended = _column(models.BooleanField, initial=False)
    quiz_answers = _column(models.LongStringField, initial="", blank=True)
    quiz_attempts = _column(models.IntegerField, initial=0)
    quiz_log = _column(models.LongStringField, initial="[]")
    points = _column(models.FloatField, initial=0)
    question_points = _column(models.FloatField, initial=0)
    answers = _column(models.LongStringField, initial="{}")
    handed_answers = _column(models.LongStringField, initial="", blank=True)
    played_share = _column(models.FloatField, initial=0)
    waited_ms = _column(models.FloatField, initial=0)
    managed = _column(models.LongStringField, initial="[]")
    practised_periods = _column(models.IntegerField, initial=0)
    practice_log = _column(models.LongStringField, initial="[]")
    consented = _column(models.StringField, initial="")
    consented_ms = _column(models.FloatField, initial=0)
    leaving = _column(models.StringField, initial="", blank=True)
    attention = _column(models.LongStringField, initial="", blank=True)
    comments = _column(models.LongStringField, initial="", blank=True)
    disclosure = _column(models.LongStringField, initial="")
    disclosed_ms = _column(models.FloatField, initial=0)
    parameters = _column(models.LongStringField, initial="{}")

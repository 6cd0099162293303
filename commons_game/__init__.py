"""The open renewable resource game: people and bots harvest one stock that grows back.

The rules stand in `engine/games/commons_game.py`, the words in `guide.py`, the picture in
`_static/commons_game/`. All periods are played on one live page; what the pages, the table and
the export do is the same for every game and stands in `seats/`.
"""

from otree.api import BaseConstants, BaseGroup, BasePlayer, BaseSubsession, ExtraModel, models

from commons_game import guide
from seats import export, pages, session
from seats.storage import LogRow

doc = __doc__


class C(BaseConstants):
    NAME_IN_URL = "commons"
    PLAYERS_PER_GROUP = None  # groups are formed in the lobby
    NUM_ROUNDS = 1  # the periods are played inside one live page
    GAME = "commons_game"


class Subsession(BaseSubsession):
    setup = models.LongStringField(initial="")
    groups_formed = models.IntegerField(initial=0)


class Group(BaseGroup):
    setup = models.LongStringField(initial="")
    table = models.LongStringField(initial="")


class Player(BasePlayer):
    seat = models.IntegerField(initial=-1)
    status = models.StringField(initial="arriving")
    arrived_ms = models.FloatField(initial=0)
    heard_ms = models.FloatField(initial=0)
    extended = models.BooleanField(initial=False)
    quiz_answers = models.LongStringField(initial="", blank=True)
    quiz_attempts = models.IntegerField(initial=0)
    quiz_log = models.LongStringField(initial="[]")
    points = models.FloatField(initial=0)


class Log(LogRow, ExtraModel):
    pass


# FUNCTIONS


def creating_session(subsession):
    session.create(subsession, C.GAME, guide)


def custom_export_decisions(players):
    yield from export.decisions(players, Log, C.GAME)


def custom_export_periods(players):
    yield from export.periods(players, Log, C.GAME)


def custom_export_seats(players):
    yield from export.seats(players, Log, C.GAME)


def custom_export_events(players):
    yield from export.events(players, Log, C.GAME)


def custom_export_outcomes(players):
    yield from export.outcomes(players, Log, C.GAME)


def custom_export_config(players):
    yield from export.config(players, Log, C.GAME)


# PAGES


class Instructions(pages.Instructions):
    guide = guide


class Quiz(pages.Quiz):
    guide = guide


class Lobby(pages.Lobby):
    guide = guide


class Play(pages.Play):
    guide = guide


class Results(pages.Results):
    guide = guide


page_sequence = [Instructions, Quiz, Lobby, Play, Results]

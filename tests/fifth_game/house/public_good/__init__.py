"""A public good: people and bots give to a pot that everyone shares."""

from otree.api import BaseConstants, BaseGroup, BasePlayer, BaseSubsession, ExtraModel

from mixed_company.server import columns, data_page, session
from mixed_company.server.pages.pages import PAGES

doc = __doc__


class C(BaseConstants):
    NAME_IN_URL = "public_good"
    PLAYERS_PER_GROUP = None  # groups are formed in the lobby
    NUM_ROUNDS = 1  # the periods are played on one live page
    GAME = "public_good"


class Subsession(columns.Subsession, BaseSubsession):
    pass


class Group(columns.Group, BaseGroup):
    pass


class Player(columns.Player, BasePlayer):
    pass


class Log(columns.Log, ExtraModel):
    pass


creating_session = session.create
data_page.offer(__name__)
page_sequence = PAGES

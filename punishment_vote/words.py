"""Names in the punishment vote, and the texts of its play page."""

from __future__ import annotations

from mixed_company.engine.games.punishment_vote import VoteCore
from mixed_company.language import Words, translated
from mixed_company.language import gettext as _

__all__ = ["QUANTITIES", "TITLE", "texts"]

TITLE = translated("The punishment vote")

QUANTITIES = (
    translated("what a vote adds to or takes from the level"),
    translated("a random number without meaning"),
    translated("punishment level"),
    translated("harm on the own account"),
    translated("harm on the account of each seat"),
    translated("harm paid"),
    translated("size of the punishment"),
    translated("did it change its cell"),
    translated("kind collected in the last turn"),
    translated("votes to increase the level in the last turn"),
    translated("votes to decrease the level in the last turn"),
    translated("own row"),
    translated("own column"),
    translated("row"),
    translated("column"),
    translated("the cells around"),
    translated("codes of cells as last seen (where last_seen is 0 or more)"),
    translated("turn after which a cell was last seen"),
    translated("1 increase"),
    translated("codes"),
    translated("up"),
    translated("down"),
    translated("left"),
    translated("right"),
    translated("vote increase"),
    translated("vote decrease"),
    translated("noop"),
    translated("up no vote"),
    translated("down no vote"),
    translated("left no vote"),
    translated("right no vote"),
    translated("up increase"),
    translated("down increase"),
    translated("left increase"),
    translated("right increase"),
    translated("up decrease"),
    translated("down decrease"),
    translated("left decrease"),
    translated("right decrease"),
    translated("elder"),
    translated("member"),
)
"""Names of its quantities in the rules about layers and roles (`server.pages.rules`)."""


def texts(core: VoteCore) -> Words:
    """Return the texts of the stage, the decision card and the ledger."""
    return {
        "period": _("Turn {period} of {periods}"),
        "period_word": _("Turn"),
        "last_period": _("Last turn"),
        "nothing_yet": _("What you collect, and what it costs, will be listed here."),
        "standin": _("A stand-in plays for you. You play again from the next turn on."),
        "value": _("Collected"),
        "punishment": _("Punishment"),
        "vote_cost": _("Voting"),
        "harm": _("Harm by others"),
        "so_far": _("So far"),
        "level": _("Punishment level"),
        "level_said": _("Punishment level: {level}."),
        "votes_cast": _("votes up: {up}, votes down: {down}"),
        "level_series": _("punishment level in %"),
        "earned_series": _("your points"),
        "votes_lately": _("Votes, last turns"),
        "votes": _("Votes last turn: {up} up, {down} down"),
        "up": _("Up"),
        "down": _("Down"),
        "left": _("Left"),
        "right": _("Right"),
        "vote_increase": _("Vote up"),
        "vote_decrease": _("Vote down"),
        "noop": _("Stay"),
        "move_hint": _(
            "Arrow keys or W A S D to move, + or \N{MINUS SIGN} to vote, X to stay; or these "
            "buttons. L reads out what lies around."
        ),
        "with_a_move": _("Your vote counts together with a move."),
        "chosen": _("Chosen: {what}"),
        "you_collected": _("You collected {kind} ({value})."),
        "you_voted_up": _("You voted up."),
        "you_voted_down": _("You voted down."),
        "you_moved": _("You moved."),
        "you_stayed": _("You stayed."),
        "you_were_blocked": _("Blocked: you stayed where you were."),
        "around": _("Around you: {things}."),
        "around_nothing": _("Around you: nothing but empty cells."),
        "wall": _("wall"),
        "lies_up": _("{what} {rows} up"),
        "lies_down": _("{what} {rows} down"),
        "lies_left": _("{what} {columns} left"),
        "lies_right": _("{what} {columns} right"),
        "lies_up_left": _("{what} {rows} up {columns} left"),
        "lies_up_right": _("{what} {rows} up {columns} right"),
        "lies_down_left": _("{what} {rows} down {columns} left"),
        "lies_down_right": _("{what} {rows} down {columns} right"),
        "for_you": _("for you"),
        "for_others": _("each other player"),
        "brings": _("{value} for you"),
        "brings_and_takes": _("{value} for you, {harm} for each other player"),
        "net": _("if you take it now"),
        "net_on_average": _("if you take it now, on average"),
        "ahead": _("If you take this: {net} for you."),
        "ahead_all": _("If you take this: {net} for you, {harm} for each other player."),
        "ahead_average": _("If you take this: {net} for you on average."),
        "ahead_average_all": _(
            "If you take this: {net} for you on average, {harm} for each other player."
        ),
        "you_are": _("You are {player}"),
        "decide": _("Your move"),
        "everybody": _("What you did, and all together"),
        "all_together": _("All together"),
        "cast": _("votes"),
        "cost": _("cost the others"),
        "taboo": _("taboo"),
        "worth": _("What each kind is worth"),
        "board": _("The field, with what you see of it"),
        "vote_first": _("Choose your vote first: a move ends your turn."),
        "sees": _("{player} sees"),
        "pending": _("Harm gathered against you: {points}"),
    }

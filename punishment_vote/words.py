"""The punishment vote by name, and the words of its play page."""

from __future__ import annotations

from gettext import gettext as _

from engine.games.punishment_vote import VoteCore

__all__ = ["TITLE", "texts"]

TITLE = _("The punishment vote")


def texts(core: VoteCore) -> dict[str, str]:
    """Words of the stage, the decision card and the ledger."""
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
        "level_series": _("punishment level in %"),
        "earned_series": _("your points"),
        "votes": _("Votes last turn: {up} up, {down} down"),
        "up": _("Up"),
        "down": _("Down"),
        "left": _("Left"),
        "right": _("Right"),
        "vote_increase": _("Vote up"),
        "vote_decrease": _("Vote down"),
        "noop": _("Stay"),
        "move_hint": _(
            "Arrow keys or W A S D to move, V or B to vote, X to stay; or these buttons. "
            "L reads out what lies around."
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
        "steps_up": _("{n} up"),
        "steps_down": _("{n} down"),
        "steps_left": _("{n} left"),
        "steps_right": _("{n} right"),
        "for_you": _("for you"),
        "for_others": _("each other"),
        "yes": _("yes"),
        "you_are": _("You are {player}"),
        "decide": _("Your move"),
        "taboo": _("taboo"),
        "worth": _("What each kind is worth"),
        "nothing": _("nothing collectable"),
        "board": _("What lies around you"),
        "vote_first": _("Choose your vote first: a move ends your turn."),
        "map": _("What you have seen"),
        "map_text": _("A map of what you have seen: {seen} of {all} cells, with {things}."),
        "sees": _("{player} sees"),
        "pending": _("Harm gathered against you: {points}"),
    }

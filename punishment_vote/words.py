"""Names used in the punishment vote, and the texts of its play page."""

from __future__ import annotations

from mixed_company.engine.games.punishment_vote import PunishmentVote, VoteCore
from mixed_company.language import Words, translated
from mixed_company.language import gettext as _
from mixed_company.server.pages import plain
from mixed_company.server.pages.texts import counted, exact

TITLE = translated("The punishment vote")

QUANTITIES = (
    translated("effect of a vote on the level"),
    translated("a random number with no meaning"),
    translated("punishment level"),
    translated("harm to you not yet deducted"),
    translated("harm not yet deducted, by player"),
    translated("points lost to harm"),
    translated("size of the punishment"),
    translated("whether the player moved to another cell"),
    translated("kind collected in the last turn"),
    translated("votes to increase the level in the last turn"),
    translated("votes to decrease the level in the last turn"),
    translated("own row"),
    translated("own column"),
    translated("row"),
    translated("column"),
    translated("the surrounding cells"),
    translated("cells as last seen"),
    translated("turn after which a cell was last seen"),
    translated("vote"),
    translated("the whole field"),
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
"""Names of the game's quantities, for rules about layers and roles (`server.pages.rules`)."""


def voting(game: PunishmentVote) -> str:
    """Return a text about the effect and the cost of a vote. If the effect varies, mention only the
    cost."""
    core, step = game.core, exact(100 * game.core.vote_step)
    cost = counted("A vote costs you {n} point.", "A vote costs you {n} points.", core.vote_cost)
    if game.weights is not None or not plain.is_steady(game, "vote_step"):
        return cost
    if core.actions == "composite":
        moves = _("A vote moves the level by {step} percentage points.").format(step=step)
        return f"{moves} {cost}"
    return counted(
        "A vote moves it by {step} percentage points and costs you {n} point and your move.",
        "A vote moves it by {step} percentage points and costs you {n} points and your move.",
        core.vote_cost,
        step=step,
    )


def _questions(core: VoteCore) -> Words:
    """Return the text about what a player decides in a turn, including what the vote is about."""
    if core.actions == "composite":
        return {
            "vote_on": _(
                "Move, and vote on the level: the share of {size} points that anyone, "
                "including you, loses by collecting a taboo resource."
            ),
            "vote_on_chance": _(
                "Move, and vote on the level: the chance that anyone, including you, loses "
                "{size} points by collecting a taboo resource."
            ),
        }
    return {
        "vote_on": _(
            "Move, or vote on the level: the share of {size} points that anyone, including "
            "you, loses by collecting a taboo resource."
        ),
        "vote_on_chance": _(
            "Move, or vote on the level: the chance that anyone, including you, loses {size} "
            "points by collecting a taboo resource."
        ),
    }


def texts(core: VoteCore) -> Words:
    """Return the texts of the stage, the decision card and the ledger."""
    return {
        "period": _("Turn {period} of {periods}"),
        "period_word": _("Turn"),
        "last_period": _("Previous turn"),
        "nothing_yet": _("Your gains and losses will be listed here."),
        "standin": _("A stand-in is playing for you. You play again from the next turn."),
        "value": _("Collected"),
        "punishment": _("Punishment"),
        "vote_cost": _("Voting"),
        "harm": _("Harm from others"),
        "so_far": _("So far"),
        "level": _("Punishment level"),
        "level_said": _("Punishment level: {level}."),
        "votes_cast": _("votes for more punishment: {up}, for less: {down}"),
        "level_series": _("punishment level (%)"),
        "earned_series": _("your points"),
        "sight": _("In the frame: what you see now. Striped: what you do not see."),
        "sight_and_memory": _(
            "In the frame: what you see now. Paler: as you last saw it. Striped: not seen yet."
        ),
        "votes_lately": _("Recent votes"),
        "votes": _("Votes in the last turn: {up} for more punishment, {down} for less"),
        "up": _("Up"),
        "down": _("Down"),
        "left": _("Left"),
        "right": _("Right"),
        **_questions(core),
        "nobody_punished": _("No kind is taboo, so nobody is ever punished."),
        "vote_increase": _("More punishment"),
        "vote_decrease": _("Less punishment"),
        "noop": _("Stay"),
        "move_hint": _(
            "Use the arrow keys or W A S D to move, + or \N{MINUS SIGN} to vote, X to stay, or "
            "these buttons."
        ),
        "hear_hint": _("Press L to hear what is around you."),
        "with_a_move": _("Your vote counts only if you also move."),
        "chosen": _("Chosen: {what}"),
        "you_collected": _("You collected {kind} ({value})."),
        "you_voted_up": _("You voted for more punishment."),
        "you_voted_down": _("You voted for less punishment."),
        "you_moved": _("You moved."),
        "you_stayed": _("You stayed."),
        "you_were_blocked": _("Blocked: you stayed where you were."),
        "around": _("Around you: {things}."),
        "around_nothing": _("No resources or other players are in sight."),
        "wall": _("wall"),
        "lies_up": _("{what} {rows} up"),
        "lies_down": _("{what} {rows} down"),
        "lies_left": _("{what} {columns} left"),
        "lies_right": _("{what} {columns} right"),
        "lies_up_left": _("{what} {rows} up {columns} left"),
        "lies_up_right": _("{what} {rows} up, {columns} right"),
        "lies_down_left": _("{what} {rows} down {columns} left"),
        "lies_down_right": _("{what} {rows} down {columns} right"),
        "for_you": _("for you"),
        "for_others": _("every other player"),
        "brings": _("{value} for you"),
        "brings_and_takes": _("{value} for you, {harm} for every other player"),
        "net": _("for you, if collected now"),
        "net_on_average": _("for you, if collected now, on average"),
        "ahead": _("If you collect this: {net} for you."),
        "ahead_all": _("If you collect this: {net} for you, {harm} for every other player."),
        "ahead_average": _("If you collect this: {net} for you on average."),
        "ahead_average_all": _(
            "If you collect this: {net} for you on average, {harm} for every other player."
        ),
        "you_are": _("You are {player}"),
        "decide": _("Your move"),
        "everybody": _("You and your group"),
        "all_together": _("All together"),
        "cast": _("votes"),
        "cost": _("cost to others"),
        "taboo": _("taboo"),
        "worth": _("What each kind is worth"),
        "board": _("The field as you see it"),
        "vote_first": _("Choose your vote first: a move ends your turn."),
        "sees": _("{player} sees"),
        "pending": _("Harm not yet deducted: {points}"),
    }

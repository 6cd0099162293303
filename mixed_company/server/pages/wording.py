"""Texts of the pages on which people wait, play and read the results, by key.

A page's script fills in the gaps `{...}` of some of them.
"""

from __future__ import annotations

from mixed_company.language import Words, forms
from mixed_company.language import gettext as _

__all__ = ["lobby", "play", "results"]


def lobby() -> Words:
    return {
        "title": _("Waiting for the others"),
        "promise": _("You wait at most {time}."),
        "outcome_bots": _("If not everybody is here by then, the game starts all the same."),
        "outcome_release": _("If not everybody is here by then, you are free to go and are paid."),
        "here": _("{here} of {needed} people are here"),
        "waiting": _("Your group is not complete yet."),
        "extended": _("We are waiting a little longer, for the last time."),
        "stay": _("Please keep this page open. The game starts by itself."),
        "go": _("Your group is complete. Here we go."),
        "bots": forms(
            "There is {n} computer program in your group, too.",
            "There are {n} computer programs in your group, too.",
        ),
        "you": _("You"),
        "sound": _("Play a sound when it starts"),
        "sound_on": _("You will hear this sound when it starts."),
        "left": _("time left"),
        "lost": _("Connection lost. Trying again ..."),
        "not_yet": _("Your group is not complete yet."),
        "note": _("Message"),
        "note_read": _("I have read it"),
        "leave": _("I want to leave"),
        "leave_sure": _("If you leave now, you are not paid, and you cannot come back."),
        "leave_later": _(
            "If you leave now, you cannot come back. What you have earned so far is paid."
        ),
        "leave_now": _("Leave now"),
    }


def play() -> Words:
    """Return the texts of status bar, decision card and ledger; the page fills in `{...}`."""
    return {
        "period": _("Period {period} of {periods}"),
        "period_word": _("Period"),
        "time_left": _("time left"),
        "no_limit": _("no time limit"),
        "connecting": _("Connecting ..."),
        "connected": _("Connected"),
        "saving": _("Saving ..."),
        "saved": _("Saved"),
        "unsaved": _("Not saved yet. Trying again ..."),
        "lost": _("Connection lost. Trying again ..."),
        "get_ready": _("Waiting for everybody to be ready"),
        "ready": _("Get ready"),
        "are_you_ready": _("Are you ready? The game begins when everybody is."),
        "i_am_ready": _("I am ready"),
        "missed": _("The game has begun, and a stand-in decides for you. Are you ready now?"),
        "starting": forms(
            "Everybody is there. The game starts in {n} second.",
            "Everybody is there. The game starts in {n} seconds.",
        ),
        "paused": _("The game is paused. It goes on by itself; your time stands still meanwhile."),
        "awaited": _("A player has lost the connection. The game waits for a while."),
        "asked": _("A stand-in decides for you. Are you there?"),
        "back": _("Yes, I decide again"),
        "note": _("Message"),
        "note_read": _("I have read it"),
        "out_ended": _("The game was ended early. What you have earned is paid."),
        "out_excluded": _("Your part was ended by the person who runs the session."),
        "out_released": _("Your part was ended early. What you have earned is paid."),
        "decide": _("Your decision"),
        "confirm": _("Confirm"),
        "confirmed": forms(
            "Your decision is saved. Waiting for one other player.",
            "Your decision is saved. Waiting for {n} other players.",
        ),
        "confirmed_by_all": _("Your decision is saved. Waiting for the period to end."),
        "sending": _("Sending your decision ..."),
        "turn_of": _("It is the turn of {player}."),
        "role": _("You are: {role}."),
        "besides": _("What else you see"),
        "age": forms("{n} period old", "{n} periods old"),
        "earlier": _("Decided before you: {players}."),
        "left": _("has left"),
        "standin": _(
            "A stand-in decides for you in this period. You decide again in the next one."
        ),
        "timed_out": _("Time was up, so the period was played without your decision."),
        "you": _("You"),
        "player": _("Player {n}"),
        "you_player": _("You (Player {n})"),
        "labelled": _("{label}: {value}"),
        "percent": _("{p} %"),
        "bot": _("bot"),
        "person": _("person"),
        "decided": _("decided"),
        "thinking": _("deciding"),
        "not_shown": _("not shown"),
        "last_period": _("Last period"),
        "nothing_yet": _("The first period is open. What happened will be listed here."),
        "your_points": _("Your points"),
        "news": _("Last period: {reward}. Your points: {points}."),
        "total": _("Total"),
        "players": _("Players"),
        "history": _("History"),
        "as_table": _("Show as a table"),
        "over": _("The game is over"),
        "over_said": _("The game is over."),
        "out": _("You are out of the game"),
        "out_said": _("You are out of the game."),
        "points_said": _("Your points: {points}."),
        "to_results": _("See the results"),
        "points": _("points"),
        "refused": _("Not accepted: {reason}"),
        "out_of_range": _("Please enter a number from {low} to {high}."),
        "too_low": _("Please enter a number, at least {low}."),
        "too_high": _("Please enter a number, at most {high}."),
        "no_number": _("Please enter a number."),
        "no_whole_number": _("Please enter a whole number."),
        "unclear_number": _("Please enter {one} or {other}: {entered} can mean both."),
        "not_chosen": _("not chosen yet"),
        "range": _("({low}\N{EN DASH}{high})"),
        "range_from": _("(at least {low})"),
        "range_to": _("(at most {high})"),
        "not_over": _("The game is not over yet."),
        "fee": _("Fee"),
        "shared": _("Shared by all"),
        "delayed": _("Paid now or later"),
        "attributed": _("Paid for what others earned"),
        "optional": _("You can leave this open."),
        "unanswered": _("Please answer this question."),
    }


def results() -> dict[str, str]:
    return {
        "title": _("Results"),
        "pay": _("Your payment"),
        "apart": _("Your points, taken apart"),
        "blocks": _("Your points in all parts"),
        "total": _("Total"),
        "cents": _("Your payment, taken apart"),
        "pay_fee": _("For taking part"),
        "pay_points": _("For your points"),
        "pay_questions": _("For your answers"),
        "pay_floor": _("Raised to the least that is paid"),
        "pay_cap": _("Limited to the most that is paid"),
        "pay_waiting": _("For waiting"),
        "pay_rounding": _("Rounded up"),
        "released": _("There were not enough people for a group. Thank you for coming."),
        "over": _("Your part is over"),
        "left_lobby": _("You left before the game began, so nothing is paid."),
        "quiz_failed": _(
            "After your last try some answers to the questions about the rules were still wrong, "
            "so you cannot take part in the game."
        ),
        "no_consent": _("You have chosen not to take part. You can close this page."),
        "excluded": _("Your part was ended by the person who runs the session."),
        "left": _("You left the game before it was over. What you had earned by then counts."),
        "ended": _("The game was ended early. What you had earned by then counts."),
        "let_go": _("Your part was ended early. What you had earned by then counts."),
        "finish": _("Finish"),
        "history": _("What happened"),
        "others_play": _("The others are still playing. What happened is told when they are done."),
        "thanks": _("Thank you for taking part."),
    }

"""Texts for the pages where people wait, play and read the results, by key.

Some have placeholders `{...}`, which the page's script fills in.
"""

from __future__ import annotations

from mixed_company.language import Words, decimals, forms
from mixed_company.language import gettext as _


def lobby() -> Words:
    return {
        "title": _("Waiting for other players"),
        "promise_seconds": forms(
            "You will wait at most {n} second.", "You will wait at most {n} seconds."
        ),
        "promise_minutes": forms(
            "You will wait at most {n} minute.", "You will wait at most {n} minutes."
        ),
        "outcome_bots": _("If someone is still missing by then, the game starts anyway."),
        "outcome_extend": _(
            "If someone is still missing when the time is up, everyone waits once more for "
            "the same length of time. After that, the game starts anyway."
        ),
        "outcome_release": _(
            "If someone is still missing by then, you can leave and you will be paid."
        ),
        "here": _("{here} of {needed} people are here"),
        "waiting": _("Your group is not complete yet."),
        "extended": _("We are waiting a little longer, but only this once."),
        "stay": _("Please keep this page open. The game will start automatically."),
        "go": _("Your group is complete. Here we go."),
        "bots": forms(
            "There is also {n} computer program in your group.",
            "There are also {n} computer programs in your group.",
        ),
        "you": _("You"),
        "sound": _("Play a sound when the game starts"),
        "sound_on": _("You will hear this sound when the game starts."),
        "left": _("time left"),
        "lost": _("Connection lost. Trying again..."),
        "not_yet": _("Your group is not complete yet."),
        "note": _("Message"),
        "note_read": _("I have read this"),
        "leave": _("I want to leave"),
        "leave_sure": _("If you leave now, you will not be paid and you cannot come back."),
        "leave_later": _(
            "If you leave now, you cannot come back. What you have earned so far still counts."
        ),
        "leave_now": _("Leave now"),
    }


def play() -> Words:
    """Return the texts of the status bar, decision card and ledger; the page fills in `{...}`."""
    return {
        "period": _("Period {period} of {periods}"),
        "period_alone": _("Period {period}"),
        "period_word": _("Period"),
        "time_left": _("time left"),
        "no_limit": _("no time limit"),
        "connecting": _("Connecting..."),
        "connected": _("Connected"),
        "saving": _("Saving..."),
        "saved": _("Saved"),
        "unsaved": _("Not saved yet. Trying again..."),
        "lost": _("Connection lost. Trying again..."),
        "get_ready": _("Waiting for everybody to be ready"),
        "ready": _("Get ready"),
        "are_you_ready": _("Are you ready? Please confirm so that the game can begin."),
        "i_am_ready": _("I am ready"),
        "missed": _("The game has begun, and a stand-in is deciding for you. Are you ready now?"),
        "starting": forms(
            "Everybody is here. The game starts in {n} second.",
            "Everybody is here. The game starts in {n} seconds.",
        ),
        "paused": _(
            "The game is paused and will continue automatically. You are not losing any time."
        ),
        "awaited": _("Another player has lost their connection. The game will wait for a while."),
        "asked": _("A stand-in is deciding for you. Are you still there?"),
        "back": _("Yes, I am here"),
        "note": _("Message"),
        "note_read": _("I have read this"),
        "out_ended": _("The game ended early. What you have earned so far still counts."),
        "out_excluded": _("The person who runs the session has ended your participation."),
        "out_released": _(
            "Your participation ended early. What you have earned so far still counts."
        ),
        "decide": _("Your decision"),
        "confirm": _("Confirm"),
        "confirmed": forms(
            "Your decision is saved. Waiting for one other player.",
            "Your decision is saved. Waiting for {n} other players.",
        ),
        "confirmed_by_all": _("Your decision is saved. Waiting for the period to end."),
        "sending": _("Sending your decision..."),
        "turn_of": _("It is {player}'s turn."),
        "role": _("Your role: {role}."),
        "besides": _("You also see"),
        "age": forms("{n} period old", "{n} periods old"),
        "earlier": _("Decisions before yours: {players}."),
        "left": _("has left"),
        "standin": _(
            "A stand-in decides for you in this period. You decide again in the next one."
        ),
        "timed_out": _("Time was up, so the game went on without your decision."),
        "you": _("You"),
        "player": _("Player {n}"),
        "you_player": _("You (Player {n})"),
        "labelled": _("{label}: {value}"),
        "percent": _("{p}%"),
        "bot": _("bot"),
        "person": _("person"),
        "decided": _("decided"),
        "thinking": _("deciding"),
        "not_shown": _("not shown"),
        "last_period": _("Previous period"),
        "nothing_yet": _("This is the first period. What happens in the game will be listed here."),
        "your_points": _("Your points"),
        "others_mean": _("The others' average"),
        "news": _("Previous period: {reward}. Your points: {points}."),
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
        "too_low": _("Please enter a number that is at least {low}."),
        "too_high": _("Please enter a number that is at most {high}."),
        "no_number": _("Please enter a number."),
        "no_whole_number": _("Please enter a whole number."),
        "unclear_number": _("{entered} could mean {one} or {other}. Please enter one of these."),
        "not_chosen": _("not chosen yet"),
        "range": _("({low}\N{EN DASH}{high})"),
        "range_from": _("(at least {low})"),
        "range_to": _("(at most {high})"),
        "not_over": _("The game is not over yet."),
        "fee": _("Fee"),
        "shared": _("From sharing"),
        "delayed": _("Delayed payment"),
        "attributed": _("Due to your role"),
        "peer_cost": _("Cost of the points you gave"),
        "peer_received": _("Effect of the points you got"),
        "optional": _("You can skip this question."),
        "unanswered": _("Please answer this question."),
    }


def results() -> dict[str, str]:
    return {
        "title": _("Results"),
        "pay": _("Your payment"),
        "course": _("Points during the game"),
        "apart": _("How your points add up"),
        "blocks": _("Your points in all parts"),
        "total": _("Total"),
        "cents": _("How your payment adds up"),
        "rounded": _(
            "Each part is rounded to two decimals: {less} becomes {down}, and {half} becomes {up}."
        ).format(
            less=decimals("4.304"),
            down=decimals("4.30"),
            half=decimals("4.305"),
            up=decimals("4.31"),
        ),
        "pay_fee": _("For taking part"),
        "pay_points": _("For your points"),
        "pay_questions": _("For your answers"),
        "pay_floor": _("Topped up to the minimum payment"),
        "pay_cap": _("Limited to the maximum payment"),
        "pay_waiting": _("For waiting"),
        "pay_rounding": _("Rounded up"),
        "released": _("There were not enough people for a group. Thank you for coming."),
        "over": _("Your participation has ended"),
        "left_lobby": _("You left before the game began, so you will not be paid."),
        "quiz_failed": _(
            "After your last try, some of your answers about the rules were still wrong. "
            "That is why you cannot take part in the game."
        ),
        "no_consent": _("You have chosen not to take part. You can close this page."),
        "excluded": _("The person who runs the session has ended your participation."),
        "left": _(
            "You left the game before it was over. What you had earned by then still counts."
        ),
        "ended": _("The game ended early. What you had earned by then still counts."),
        "let_go": _("Your participation ended early. What you had earned by then still counts."),
        "finish": _("Finish"),
        "history": _("What happened"),
        "others_play": _(
            "Other players are still playing. To see what happened, load this page again later."
        ),
        "thanks": _("Thank you for taking part."),
    }

"""What the shared pages say. Every text goes through gettext, so a translation is one file.

Names of games, and what a game itself says, stand in the app's `guide`.
"""

from __future__ import annotations

from gettext import gettext as _
from typing import Any

from table.options import Options

__all__ = [
    "exact",
    "lobby",
    "number",
    "own_periods",
    "payment",
    "per_player",
    "percent",
    "play",
    "points",
    "quiz",
    "results",
    "rhythm",
    "section",
    "shared",
]


def number(value: float, digits: int = 1) -> str:
    """A result for people: so many digits after the point, none if they are all 0."""
    shown = f"{value:.{digits}f}".removesuffix("." + "0" * digits)
    return "0" if shown == "-0" else shown.replace("-", "\N{MINUS SIGN}")


def own_periods(log: list[dict[str, Any]], seat: int) -> list[dict[str, Any]]:
    """The periods of a log in which a person, and no stand-in, had the seat."""
    return [
        row for row in log if row["kind"] == "period" and row["seats"][seat]["occupant"] == "person"
    ]


def exact(value: float) -> str:
    """A number of the rules for people: all its digits, none that is not there."""
    return f"{value:.12g}".replace("-", "\N{MINUS SIGN}")


def per_player(value: Any) -> str:
    """A number of the rules, or the numbers of all players where they differ."""
    if not isinstance(value, tuple):
        return exact(value)
    parts = [_("{x} for Player {n}").format(x=exact(x), n=n) for n, x in enumerate(value, 1)]
    return ", ".join(parts)


def points(amount: str) -> str:
    """So many points; `amount` as it is written."""
    return _("1 point") if amount == "1" else _("{x} points").format(x=amount)


def percent(share: float) -> str:
    """A share of the rules, such as 0.05, for people: 5 %."""
    return f"{exact(100 * share)} %"


def section(
    title: str, lines: list[str], table: list[dict[str, Any]] | None = None
) -> dict[str, Any]:
    """A part of the instructions: sentences, and perhaps a small table of {head, cells}."""
    return {"title": title, "lines": lines, "table": table or []}


def shared() -> dict[str, str]:
    """Words on every page."""
    return {
        "next": _("Next"),
        "instructions": _("Instructions"),
        "besides": _("Also in this session"),
        "time": _("Time"),
        "payment": _("Payment"),
        "step_instructions": _("Read"),
        "step_quiz": _("Check"),
        "step_lobby": _("Meet"),
        "step_play": _("Play"),
        "step_results": _("Results"),
    }


def rhythm(options: Options) -> list[str]:
    """How time passes at a table, in sentences for the instructions."""
    lines = []
    if options.by_clock:
        lines.append(
            _(
                "A turn lasts {s} seconds. Until it ends you can choose anew: your last choice "
                "counts. If you choose nothing, you do nothing in that turn."
            ).format(s=f"{options.decision_seconds:g}")
        )
    elif options.decision_seconds:
        lines.append(
            _(
                "You have {s} seconds for each decision. If you do not decide in time, the period "
                "is played as if you had chosen to do nothing."
            ).format(s=f"{options.decision_seconds:g}")
        )
    away = _(
        "If you are away for more than {s} seconds, a stand-in decides for you until you come "
        "back. What it earns does not count for your payment."
    )
    if options.dropout == "reduced":
        away = _(
            "If you are away for more than {s} seconds, you have left the game and cannot come "
            "back. What you have earned by then is paid."
        )
    lines.append(away.format(s=f"{options.grace_seconds:g}"))
    if options.disclosure == "labels":
        lines.append(_("Players can be people or computer programs. It is shown who is what."))
    return lines


def payment(options: Options, rate: str, fee: str) -> list[str]:
    """What points are worth; `rate` and `fee` are amounts of money as oTree writes them."""
    lines = [_("For 1 point you are paid {rate}, and {fee} for taking part.")]
    lines = [line.format(rate=rate, fee=fee) for line in lines]
    if options.pay_cap:
        lines.append(_("At most {cap} points are paid.").format(cap=f"{options.pay_cap:g}"))
    if options.pay_floor:
        lines.append(_("At least {floor} points are paid.").format(floor=f"{options.pay_floor:g}"))
    return lines


def quiz() -> dict[str, str]:
    return {
        "title": _("A few questions before you start"),
        "lead": _("They make sure that the rules are clear. You can try as often as you like."),
        "check": _("Check my answers"),
        "right": _("Right."),
        "look_again": _("Not quite. Please look at this one again."),
        "answer_all": _("Please answer every question."),
        "wrong_some": _("Some answers are not right yet. See the notes below."),
        "rules": _("Show the instructions again"),
    }


def lobby() -> dict[str, str]:
    return {
        "title": _("Waiting for the others"),
        "promise": _("You wait at most {time}."),
        "outcome_bots": _("If not everybody is here by then, the game starts all the same."),
        "outcome_release": _("If not everybody is here by then, you are free to go and are paid."),
        "here": _("{here} of {needed} people are here"),
        "extended": _("We are waiting a little longer, for the last time."),
        "stay": _("Please keep this page open. The game starts by itself."),
        "go": _("Your group is complete. Here we go."),
        "left": _("time left"),
        "lost": _("Connection lost. Trying again ..."),
        "not_yet": _("Your group is not complete yet."),
    }


def play() -> dict[str, str]:
    """Words of the strip, the decision card and the ledger; `{...}` is filled in by the page."""
    return {
        "period": _("Period {period} of {periods}"),
        "period_word": _("Period"),
        "time_left": _("time left"),
        "no_limit": _("no time limit"),
        "connecting": _("Connecting ..."),
        "connected": _("Connected"),
        "saving": _("Saving ..."),
        "saved": _("Saved"),
        "lost": _("Connection lost. Trying again ..."),
        "get_ready": _("Waiting for everybody to be ready"),
        "decide": _("Your decision"),
        "confirm": _("Confirm"),
        "confirmed": _("Your decision is saved. Waiting for {others}."),
        "sending": _("Sending your decision ..."),
        "turn_of": _("It is the turn of {player}."),
        "role": _("You are: {role}."),
        "besides": _("What else you see"),
        "age": _("{n} periods old"),
        "age_one": _("1 period old"),
        "earlier": _("Decided before you: {players}."),
        "left": _("has left"),
        "waiting_for_one": _("one other player"),
        "waiting_for_some": _("{n} other players"),
        "waiting_for_all": _("the period to end"),
        "standin": _(
            "A stand-in decides for you in this period. You decide again in the next one."
        ),
        "timed_out": _("Time was up, so the period was played without your decision."),
        "you": _("You"),
        "player": _("Player {n}"),
        "bot": _("bot"),
        "person": _("person"),
        "decided": _("has decided"),
        "thinking": _("is deciding"),
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
        "to_results": _("See the results"),
        "points": _("points"),
        "refused": _("Not accepted: {reason}"),
        "out_of_range": _("Please enter a number from {low} to {high}."),
        "too_low": _("Please enter a number, at least {low}."),
        "too_high": _("Please enter a number, at most {high}."),
        "no_number": _("Please enter a number."),
        "range": _("({low}\N{EN DASH}{high})"),
        "range_from": _("(at least {low})"),
        "range_to": _("(at most {high})"),
        "not_over": _("The game is not over yet."),
        "fee": _("Fee"),
        "shared": _("Shared by all"),
        "delayed": _("Paid now or later"),
    }


def results() -> dict[str, str]:
    return {
        "title": _("Results"),
        "points": _("points earned"),
        "pay": _("Your payment"),
        "apart": _("Your points, taken apart"),
        "total": _("Total"),
        "fee": _("including {fee} for taking part"),
        "capped": _("The payment is limited to {points} points."),
        "raised": _("You are paid at least {points} points."),
        "standin": _("A stand-in decided in {n} of {periods} periods; only your own count."),
        "released": _("There were not enough people for a group. Thank you for coming."),
        "left": _("You left the game before it was over. What you had earned by then counts."),
        "finish": _("Finish"),
        "history": _("What happened"),
        "others_play": _("The others are still playing. What happened is told when they are done."),
        "thanks": _("Thank you for taking part."),
    }

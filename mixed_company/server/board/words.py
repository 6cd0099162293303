"""What the board says, in English: who manages a session reads it.

`{...}` is filled in by the page.
"""

from __future__ import annotations

__all__ = ["words"]


def words() -> dict[str, str]:
    """Headings, what can be done, and what is said before it is done."""
    return {**_shown(), **_done()}


def _shown() -> dict[str, str]:
    return {
        "title": "Board",
        "count_groups": "{number} play",
        "count_lobby": "{number} wait",
        "count_before": "{number} before",
        "count_missing": "{number} not come",
        "count_finished": "{number} done",
        "live": "Live",
        "lost": "No answer from the server since {time}. Trying again ...",
        "alarms": "Alarms",
        "no_alarms": "Nothing wants your attention.",
        "groups": "Groups",
        "no_groups": "No group plays.",
        "lobby": "Lobby",
        "before": "Before the lobby",
        "finished": "Done",
        "nobody": "Nobody.",
        "group": "Group {group}",
        "in_group": "Group",
        "period": "Period {period} of {periods}",
        "period_short": "{period}/{periods}",
        "fold": "Fold",
        "fold_group": "Fold {name}",
        "bots": "bots: {bots}",
        "not_started": "waits for its people",
        "choosing": "chooses its rule",
        "paused": "paused",
        "no_limit": "no limit",
        "person": "person",
        "bot": "bot",
        "standin": "stand-in",
        "gone": "out",
        "failed": "did not decide in period {period}",
        "mute": "could not talk in period {period}",
        "returns": "comes back next period",
        "state_silent": "silent",
        "state_standin": "a stand-in plays",
        "state_parted": "out",
        "decided": "decided",
        "deciding": "deciding",
        "connected": "connected",
        "silent": "silent for {time}",
        "no_page": "no page open",
        "never": "never came",
        "who": "Who",
        "since": "Since",
        "at_most": "At most",
        "there": "Page",
        "here": "open",
        "away": "closed",
        "page": "Page",
        "tries": "Quiz tries",
        "outcome": "Outcome",
        "points": "Points",
        "pay": "Pay",
        "not_come": "{number} not come yet: {names}",
        "status_finished": "played to the end",
        "status_left": "left",
        "status_released": "released",
        "status_ended": "group ended",
        "status_quiz_failed": "quiz failed",
        "status_no_consent": "no consent",
        "status_excluded": "barred",
        "door": "the session's door",
        "door_open": "The door is open",
        "door_shut": "The door is closed",
        "looks": "To look on, without acting",
        "preflight": "Before the start",
        "look": "Look whether the session can begin",
        "looking": "Looking ...",
    }


def _done() -> dict[str, str]:
    return {
        "act": "Act",
        "act_on": "Act on {name}",
        "all": "all groups",
        "confirm": "Do it",
        "cancel": "Cancel",
        "done": "Done: {what}, {name}.",
        "refused": "Not done: {reason}",
        "skip": "Decide for the person, once",
        "say_skip": (
            "A policy decides for {name} in this period. {name} is asked, and decides again in the "
            "next one, if the page is open."
        ),
        "stand_in": "Hand the seat to a stand-in",
        "say_stand_in": (
            "A policy takes the seat of {name} now. {name} is asked, and has it back by answering."
        ),
        "give_back": "Give the seat back",
        "say_give_back": "{name} has the seat again at the next period, if the page is open.",
        "pause": "Pause",
        "say_pause": "The clock of {name} stands still, and nobody there can decide.",
        "go_on": "Go on",
        "say_go_on": "The clock of {name} runs again, from where it stood.",
        "extend": "Add time",
        "say_extend": "{name} has more time for the decision that is open now.",
        "seconds": "Seconds",
        "end": "End with pay",
        "say_end": "The play of {name} ends now, for good. What everybody has earned is paid.",
        "release": "Release with pay",
        "say_release": "The part of {name} ends now, for good. What was earned so far is paid.",
        "exclude": "Bar without pay",
        "say_exclude": (
            "The part of {name} ends now, for good. Nothing is paid, and {name} cannot come back."
        ),
        "shut": "Close the door",
        "say_shut": "Nobody new is let in. Who has a place already can come back.",
        "open": "Open the door",
        "say_open": "People are let in again, as long as there are places.",
        "message": "Message",
        "say_message": "It is shown on the page of {name}, at once, and kept in the data.",
        "text": "Text",
    }

"""Changes of an export that the audit cannot find without the server's key."""

from __future__ import annotations

UNKNOWN = {
    "outcomes.label": "the laboratory's own label for a participant, which is in no other table",
    "outcomes.payment": "the payment, if the export does not have its parts",
    "outcomes.disclosure": "the sentence on bots in an export of another release, changed for all "
    "people of a treatment to one that this release does not know",
    "outcomes.disclosed_ms": "when that sentence was shown",
    "outcomes.slot": "the slot of a person within a treatment",
    "outcomes.assigned_ms": "when the person received the slot",
    "outcomes.consented": "the consent of a person who did not play",
    "outcomes.consented_ms": "when consent was given, between the first page and the treatment",
    "outcomes.comments": "comments at the end",
    "outcomes.hidden_ms": "counted only by the page, like hidden_times and idle_ms",
    "outcomes.hidden_times": "counted only by the page",
    "outcomes.idle_ms": "counted only by the page",
    "outcomes.parameters": "parameters of a person's link, which are in no other table",
    "outcomes.waited_ms": "the time in the lobby, if it is not paid, or if the payment is changed "
    "to match",
    "outcomes.quiz_log": "times of attempts at the quiz, and answers to it that were given only "
    "once or that others gave, too",
    "outcomes.quiz_attempts": "failed attempts at the quiz, left out of the log and of the number; "
    "the attempt that was passed is needed",
    "outcomes.practice_log": "decisions of the practice; only their periods and fields are known",
    "outcomes.practised_periods": "the practice, or its end, left out of the log and of the "
    "number: a manager can move people on",
    "outcomes.managed": "the manager's actions for people without a seat, which are in no "
    "other table",
    "answers.value": "an answer on a page, if nothing follows from it",
    "answers.number": "the same, as a number",
    "answers: the last page": "the last page of questions of a person, left out with numbers to "
    "match: nobody has to stay for it",
    "answers.wall_ms": "when it was given, by the machine's clock, like shown_wall_ms",
    "answers.shown_wall_ms": "when a page of questions was shown",
    "journal": "that a journal existed, if its table is left out; only the numbers that follow "
    "from the decisions are known then",
    "journal.entry": "the id of a message, and when a page was open, if nothing follows from it",
    "journal.at_ms": "when a page was open, if nothing follows from it",
    "participants.first_seen_ms": "when the link was first opened, which is in no other table",
    "participants.arrived_ms_": "when a person reached the lobby of a block, which is in no other "
    "table",
    "config.seed": "the seed of a simulated play without a named seed, if the game draws nothing "
    "by chance",
    "config.software": "the server's software, if it is the same for the whole session",
    **{
        f"{table}.wall_ms": "the time by the machine's clock, if nothing else took place then"
        for table in ("decisions", "periods", "seats", "events", "messages")
    },
    "decisions.peer_wall_ms": "the same, of a decision in the second stage",
    "outcomes: order": "the order of participants",
    "participants: order": "the same",
    "answers: order": "the same",
    "config.config": "numbers of the rules that never applied, such as a collapse threshold that "
    "the stock never reached, changed in all groups of a treatment alike",
    "config.options": "options on which no table depends, such as the lobby, changed in all groups "
    "of a treatment alike; and options that were changed together with all that follows from "
    "them: a question, the sentence on bots or the consent form, invented or removed everywhere",
    "pages": "without a plan at hand, that a page was shown to people, or that it was not",
    "config.session_config": "the name of a treatment, changed everywhere",
    "digests": "two treatments that trade names, if every digest is computed again; with the seal "
    "of the plan at hand, `mixed check` compares them",
    "plan": "whether the text of a plan, its money and its matching are those that were planned, "
    "if every digest is computed again and the plan is not at hand; a note says so",
    "terms": "the fee, or the worth of a point, changed together with all payments; if the "
    "session has a plan, `mixed plan report PLAN EXPORT` names the planned amounts",
    "people: left out": "a person who never had a seat, left out of all tables, with a manifest "
    "to match",
    "people: invented": "a person who never had a seat, invented in outcomes and participants with "
    "a manifest to match: somebody who left, or was released with the fee of the session. Slots "
    "show it if the slot was not free then",
    "sessions: apps": "a payment by an app of the session that is no game of this project. "
    "`mixed check` prints its amount",
    "copies": "a group copied under another code, if its people decided fewer than four times, or "
    "if a single time or decision of theirs was changed as well, in the journal, too",
    "names": "codes of sessions and of people that trade places in all tables",
    "policies": "a bot renamed to a policy that is not installed where the file is checked, or "
    "bots that trade names in an export that says that another release made it; a separate line "
    "counts the decisions that were not asked again, or differ",
    "people": "a bot declared as a person in all tables, with a payment and all, because people "
    "can decide anything",
    "rehearsed": "that a session was a rehearsal, removed everywhere, or for one of several "
    "sessions together with its seed, if no key sealed the file; policies in people's places leave "
    "no mark of their own",
    "groups": "the last groups of a session left out, with a manifest changed to match",
    "sessions": "a session left out, with a manifest changed to match",
    "times": "all times shifted by the same amount",
    "codebooks, data package and scripts": "their texts, in an export of another version; a note "
    "says so",
    "manifest": "when, by what software and by what code it was made, and that it was sealed",
    "manifest: rehearsed.people": "the policies that took people's places in a rehearsal",
    "invention": "a play invented as a whole, in all tables, by these same rules",
}
"""Changes that have no consequence, and why. In a sealed export (`analysis.audit.sealed`) the
server's key reveals all but the last, which only the server itself could have played."""

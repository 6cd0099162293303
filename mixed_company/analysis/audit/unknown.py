"""Changes to an export that the audit cannot find without the server's key."""

from __future__ import annotations

PRINCIPLE = (
    "Without the server's key, `mixed check` compares an export only with itself, with the rules "
    "and policies of this release, and with the plan's seal if it is available. It cannot find a "
    "change that somebody makes together with everything that follows from it by the same rules, "
    "which this program can compute. Only the key shows where a file comes from."
)
"""Reason for the limits of the audit; UNKNOWN lists the changes that it cannot find."""

UNKNOWN = {
    "outcomes.label": "the laboratory's label for a participant, if it is changed in all blocks "
    "and in `participants`",
    "outcomes.payment": "the payment, if the export has neither its parts nor the journal nor the "
    "table `participants`; a note says so",
    "outcomes.disclosure": "the sentence about bots in an export that claims to be from another "
    "release or other code, if it is changed for everyone in a treatment to a sentence that this "
    "release does not know",
    "outcomes.disclosed_ms": "the time at which the person saw this sentence; a note names a time "
    "before the treatment or after the quiz",
    "outcomes.slot": "a person's slot within a treatment, together with the drawn block and the "
    "payment that follow from it if one block is paid (`pay_blocks`); also one slot for several "
    "people, if the times of assignment and arrival in the lobby are changed to match",
    "outcomes.assigned_ms": "the time at which the person received the slot",
    "outcomes.consented": "the consent of a person who did not play",
    "outcomes.consented_ms": "the time of consent, between the first page and the treatment",
    "outcomes.comments": "comments at the end",
    "outcomes.hidden_ms": "a value that only the page counts, like hidden_times and idle_ms",
    "outcomes.hidden_times": "a value that only the page counts",
    "outcomes.idle_ms": "a value that only the page counts",
    "outcomes.parameters": "parameters in a person's link, if they are changed in all blocks",
    "outcomes.waited_ms": "the time in the lobby, up to the time from the arrival there to the "
    "beginning of the play, if it is not paid, or if the payment is changed to match. A note names "
    "people who waited for longer than a lobby keeps anybody: a minute more than twice "
    "`lobby_seconds`",
    "outcomes.quiz_log": "times of quiz attempts, of which a note names those before the link was "
    "opened or after the arrival in the lobby; and answers that were given only "
    "once or were changed to an answer that others also gave. Also the quiz itself, if one of its "
    "questions is renamed, is left out or has a different right answer for everybody in a "
    "treatment: the quiz is part of the game's pages, and neither an export nor `code` contains it",
    "outcomes.quiz_attempts": "failed quiz attempts, left out of both the log and the count; the "
    "successful attempt cannot be left out. Also the count itself, if 200 attempts are logged, "
    "because the log keeps only the last 200",
    "outcomes.practice_log": "practice decisions; only their periods and fields are known",
    "outcomes.practised_periods": "the practice, or its end, left out of both the log and the "
    "count, because a manager can move people on",
    "outcomes.managed": "the manager's actions for people without a seat, and invented actions for "
    "people with a seat, who were not released or excluded",
    "actions": "an action of a person or of the manager in the journal, such as a decision, a vote "
    "or an exclusion, added, changed, left out or moved in time, together with everything that "
    "follows from it",
    "journal: times": "the times at which the server heard from a page, a slow policy answered or "
    "failed, or the server was late, and the speed of a connection, together with everything that "
    "follows from these",
    "journal: anonymous": "the journal of a group in which people could write messages, left out "
    "of an export without personal data; a line counts the groups without a journal",
    "messages": "a person's message, reworded or left out of `messages` and of the journal, with "
    "matching counts",
    "messages: of bots": "a bot's message, replaced by the event that its policy failed to write "
    "one; a separate line counts such events",
    "answers: in the play": "a person's answer during the play, such as a paid belief, changed in "
    "`answers` and in the journal, together with the payment that follows from it",
    "answers.value": "an answer on a page, if nothing or only its error follows from it, as with a "
    "question about bots",
    "answers.number": "an answer on a page, as a number, if nothing or only its error follows from "
    "it",
    "answers: unseated": "the questions that people without a seat answered, if nobody played "
    "their treatment in that block",
    "answers: the last page": "a person's answers on the last page of questions, left out with "
    "matching counts, because nobody has to visit that page",
    "answers.wall_ms": "the time of an answer on the machine's clock, and shown_wall_ms, in any "
    "order",
    "answers.shown_wall_ms": "the time at which a page of questions was shown",
    "journal": "the existence of a journal, if its table is left out of an export that claims not "
    "to be sealed with a key; only the numbers that follow from the decisions can then be checked",
    "journal.entry": "the id of a message, and the times at which a page was open, if nothing "
    "follows from them",
    "journal.at_ms": "the times at which a page was open, if nothing follows from them",
    "participants": "the table `participants`, if it is left out of an export that claims not to "
    "be sealed with a key; the order of times and the use of slots can then not be checked",
    "participants.first_seen_ms": "the time at which the link was first opened, which is not in "
    "any other table; a note names a time after the pages that followed",
    "participants.arrived_ms_": "the time at which a person reached the lobby of a block, which "
    "is not in any other table, if the people of a first block's group still arrive in the order "
    "in which the seed gives them their seats; a note names a time before the quiz or the end of "
    "the block before, or after the play began",
    "config.seed": "the seed of a simulated play without a named seed, if the game has no random "
    "draws",
    "config.seed: drawn": "whether a session's seed was drawn: somebody can add or remove the "
    "entry `seed_by_hand`, and can search for a seed that produces the order of treatments, or the "
    "bots' decisions and chance events, that they want, with everything that follows from them, "
    "such as people's seats and their order of arrival",
    "config.software": "the server's software, if it is the same for the whole session and names "
    "a version of oTree",
    **{
        f"{table}.wall_ms": "the time on the machine's clock, if nothing else happened at that time"
        for table in ("decisions", "periods", "seats", "events", "messages")
    },
    "decisions.peer_wall_ms": "the time on the machine's clock of a decision in the second stage, "
    "if nothing else happened at that time",
    "outcomes: order": "the order of participants",
    "participants: order": "the order of participants",
    "answers: order": "the order of participants",
    "config.config": "the name of the archetype, and parameters that never had an effect, such as "
    "a collapse threshold that the stock never reached, if they are changed in the same way in "
    "all groups of a treatment",
    "config.options": "options that no table depends on, such as the lobby options, if they are "
    "changed equally in all groups of a treatment; and options that are changed together with "
    "everything that follows from them, such as a question, the sentence about bots or the consent "
    "form, if it is added or removed everywhere. Also options left out of an export that claims to "
    "be from another release or other code; a note names them in exports from this release",
    "pages": "whether people saw a page, if no plan is available",
    "config.session_config": "the name of a treatment, changed everywhere",
    "digests": "the names of two treatments, if they are swapped and every digest is recomputed; "
    "if the plan's seal is available, `mixed check` finds this, but not in a rehearsal",
    "plan": "the text of a plan, its payments and its matching, if every digest is recomputed and "
    "the plan is not available; a note says so. Also the plan itself, exchanged for another one "
    "with the same treatments, which somebody can write after the data; a note names the other "
    "plan's seal if it is in the same folder",
    "plan: sealed": "the time in a plan's seal, which no export contains; register the seal's "
    "digest in a place where others can see the date. Also the order of its hypotheses; and, if "
    "the export has the same order, the order of the rules that a group can choose and of a "
    "question's languages",
    "rules: order": "the order of the rules that a group can choose, which decides ties, turned in "
    "all groups of a treatment together with the plays that follow, if the plan's seal is not "
    "available",
    "questions: languages": "the order of a question's languages, turned in all groups of a "
    "treatment together with the answers to a choice, which are written in the first language, if "
    "the plan's seal is not available",
    "times: before the seal": "the times of assignment and of the first play, moved from before a "
    "plan's seal to after it, so that its tests are confirmatory; register the seal's digest in a "
    "place where others can see the date",
    "terms": "the fee or the value of a point, changed together with all payments; if the session "
    "has a plan, `mixed plan report PLAN EXPORT` names the planned amounts",
    "people: left out": "a person who never had a seat, left out of all tables, with a matching "
    "manifest",
    "people: invented": "a person who never had a seat, added to outcomes and participants with "
    "a matching manifest, as a person who left, who is still waiting, or who was released with the "
    "session's fee. This is found if a person who had reached the lobby by then, and who stayed, "
    "had the slot; it is not found if that person was still reading the instructions. A note names "
    "a slot that was assigned before a lower one",
    "sessions: invented": "a session with only other apps, and codes of sessions in `created`, "
    "invented, because neither has tables",
    "sessions: apps": "a payment by an app of the session that is not a game of this project, for "
    "which `mixed check` prints the amount; and such an app, added to the list of apps",
    "copies": "a group copied under another code, if its people decided fewer than four times, or "
    "if one of their times or decisions was also changed, in the journal too; and an imported "
    "group copied on its own, or an imported session copied under another name, if one of its "
    "decisions "
    "was also changed, or if fewer than 20 decisions differ from the most frequent one",
    "names": "codes of sessions or people, swapped in all tables; codes of two people of a group, "
    "swapped in its play, together with their payments and times of arrival; and group numbers "
    "within a treatment, if seats and times of arrival are changed so that they still follow from "
    "the seed",
    "policies": "a bot renamed to a policy that decides the same in every period that was played, "
    "for example a threat that was never carried out; a bot renamed to a policy that is not "
    "installed where the file is checked, or bots with swapped names in an export that claims to "
    "be from another release; a separate line counts the decisions that could not be verified or "
    "that differ",
    "people": "a bot declared as a person in all tables, including a payment, if people's seats "
    "still follow from the seed, because people can make any decision",
    "rehearsed": "the rehearsal flag, removed or added everywhere or, together with the seed, for "
    "one of several sessions; decisions by policies look like people's decisions",
    "groups": "the last groups of a session, left out with a matching manifest; and any group "
    "without bots or chance, if its people are listed as having left the lobby, later groups are "
    "renumbered, and seats and times of arrival still follow from the seed. A note counts the "
    "people without a seat",
    "groups: cut": "the end of a play, cut off as if the group were still playing; a note names "
    "such groups, and another note says if the play should have continued before the export "
    "was made",
    "people: as bots": "a person declared as a bot that had the seat from the start, together "
    "with everything that follows from it, if the person is listed as having left the lobby, "
    "people's seats still follow from the seed, and the lobby does not release people for whom it "
    "finds no group, or the block is a later one. A note counts such people",
    "sessions": "a session, left out with a matching manifest",
    "sessions: of groups": "the session of a group. Nothing ties a play to its session, so "
    "somebody can split a session into several, or join several into one, together with codes, "
    "seeds, seats, slots and times. A test by session then has a different number of sessions, and "
    "can be confirmatory although it was impossible",
    "times": "all times in the export or in a group, shifted by the same amount. A note names "
    "people whose times contradict each other or are later than the export",
    "codebooks, data package and scripts": "their texts, in an export from another version; a note "
    "says so",
    "columns": "a column added to outcomes, config or the journal, with a row in the codebook, in "
    "an export from another version",
    "manifest": "the time, software and code with which the export was made, and the fact that it "
    "was sealed",
    "manifest: rehearsed.people": "the policies that took people's places in a rehearsal, replaced "
    "by others of the same game, or by any others in an export that claims to be from another "
    "release or not to be sealed with a key; a note names policies that are not installed. Also "
    "`rehearsed.described` and `rehearsed.bots`",
    "manifest: texts": "`codes`, `license` and `citation`, if the data package is changed to match",
    "manifest: imported": "values that only the imported table shows: the counts of payoffs that "
    "were compared and that differ, the names and sha256 of the table and the map, and the "
    "columns used",
    "imported: treatments and decisions": "the treatment of an imported group, its decisions, and "
    "its thinking times or their absence, changed together with everything that follows from "
    "them, because an imported group has no journal, seed or digest; a line counts such groups",
    "imported": "the import flag and the source, removed everywhere; a line counts the "
    "groups without a journal",
    "manifest: door": "the times at which admission to a session was stopped and resumed",
    "manifest: left_out": "the lists of columns that an anonymous export replaced or left out",
    "manifest: anonymous": "the fact that personal data were left out, if the manifest denies it",
    "manifest: order": "the order of a plan's treatments, removed from an export that claims to be "
    "from another release, or changed in an export from a release that does not seal it, if the "
    "treatments were not drawn; a note says so",
    "times in ISO 8601": "columns with times in ISO 8601, left out; each repeats a column of "
    "milliseconds",
    "manifest: session_configs": "the order of the session configs, in which an analysis without a "
    "plan lists and compares them; their names are compared",
    "invention": "an entirely invented play, consistent across all tables and with the rules",
}
"""Changed column or part of an export -> description of the change. If the export is sealed
(`analysis.audit.sealed`), the server's key reveals all of these changes except the last, which only
somebody on the server could make."""

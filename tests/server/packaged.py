"""A server's exports with everything that a table can contain, for tests without oTree.

    python -m tests.server.packaged FOLDER

writes whole.zip and anonymous.zip: two people with labels and panel parameters, in two blocks, who
talk, state beliefs and answer questions after the play.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from mixed_company.server import live
from mixed_company.server.archive import codes, writing
from tests.server.blocks.planned import BELIEF, Blocks, BlockVisitor
from tests.server.inside import asked

COMMENT = 'Not so, "they" said:\n=1+1; über'
PARTS = """
title = "Two parts"
session = "sanctions"
groups = 8
people = "sanction_averse"
seed = 5

[changes]
periods = 2
people_per_group = 2
comments = true
panel_parameters = "PROLIFIC_PID"

[treatments.all]
meaning = "everybody"

[[blocks]]
name = "silent"
meaning = "without talk"

[[blocks]]
name = "talk"
meaning = "with talk, and questions"

[blocks.changes]
talk = "free"
talk_when = "always"
talk_seconds = 0.0
"""
AFTERWARDS = """
[[blocks.changes.questions]]
name = "why"
text = "Why?"
when = "after"
type = "text"
length = 80

[[blocks.changes.questions]]
name = "glad"
text = "Are you?"
when = "after"
type = "choice"
options = ["no", "yes"]
"""
PLAN = PARTS + BELIEF + AFTERWARDS


def main(folder: Path) -> None:
    """Play, and write both files."""
    asked("/")  # starts the server
    with pytest.MonkeyPatch.context() as patch:
        blocks = Blocks(PLAN, 2, patch)
        for number, visitor in enumerate(blocks.people):
            visitor.come(f"?participant_label=anna-{number}&PROLIFIC_PID=5f3c{number}")
        blocks.meet()
        blocks.play()
        for visitor in blocks.people:
            visitor.send()
        blocks.meet()
        for visitor in blocks.people:
            live.play(visitor.player(), {"kind": "sync"})
        for visitor in blocks.people:
            _say_and_believe(visitor)
        blocks.play()
        for visitor in blocks.people:
            answers = {"why": [COMMENT, 1000], "glad": [1, 1000]}
            visitor.send(handed_answers=json.dumps(answers))
            visitor.send(comments=COMMENT)
        for name, way in (("whole", None), ("anonymous", codes.of_server(texts=False))):
            with (folder / f"{name}.zip").open("wb") as file:
                writing.write(file, [blocks.code], way)


def _say_and_believe(visitor: BlockVisitor) -> None:
    live.play(visitor.player(), {"kind": "say", "id": "s", "text": COMMENT.replace("\n", " ")})
    belief = {"kind": "answer", "id": "a", "period": 0, "question": "others", "value": 10}
    live.play(visitor.player(), belief)


if __name__ == "__main__":
    main(Path(sys.argv[1]))

"""Have language models play, on a server or among themselves.

`llm` connects to a server as an outside agent (docs/agents.md), with the key in AGENT_KEY; with
--offline it plays without a server. Any OpenAI-compatible server works: set its address
with --base-url and its key in OPENAI_API_KEY. Every call is recorded in a table (--calls), so
a run can be replayed without a model. `stub` starts such a server without a model, for testing.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from importlib.util import find_spec
from typing import TYPE_CHECKING

from mixed_company.cli.command import Group
from mixed_company.cli.project import check_project, end_as_by_ctrl_c
from mixed_company.cli.refusal import config_error

if TYPE_CHECKING:
    from mixed_company.table.setup import Setup

GROUP = Group.SESSIONS
EXTRA = "llm"
EXAMPLES = (
    "mixed agents llm --model llama3.2 --base-url http://127.0.0.1:11434/v1 --seats 4",
    "mixed agents llm --model gpt-5-mini --prompt universal --money 5 --price-in 1 --price-out 9",
    "mixed agents llm --model m --offline commons_game",
    "mixed agents llm --model m --offline commons_game --replay calls.jsonl --calls again.jsonl",
    "mixed agents stub --mood badly --port 9000",
)


def configure(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "what",
        choices=("llm", "stub"),
        help="llm: have models take seats; stub: start a server without a model",
    )
    add("options", nargs="*", metavar="key=value", help="offline: parameters of game and session")
    add("--model", help="name of the model on its server")
    add("--base-url", help="address of the chat interface; default: OpenAI")
    add("--prompt", default="plain", help="prompt file, or plain, thinking, universal")
    add("--server", default="ws://127.0.0.1:8000/agents", help="server with the seats")
    add("--name", default="model", help="name of the agent, as in outside:NAME")
    add("--seats", type=int, help="maximum number of seats")
    add("--calls", default="calls.jsonl", help="file for the table of calls; calls are appended")
    add("--keep-prompts", action="store_true", help="also write prompts to the table")
    add("--money", type=float, default=0.0, help="spending limit, at these prices; 0: none")
    add("--tokens", type=int, default=0, help="limit on input and output tokens; 0: none")
    add("--price-in", type=float, default=0.0, help="price per million input tokens")
    add("--price-out", type=float, default=0.0, help="price per million output tokens")
    add("--minutes", type=float, default=0.0, help="time limit for calls; 0: none")
    add(
        "--seconds", type=float, default=120.0, help="time limit for a call if there is no deadline"
    )
    add("--replay", help="answer from this table of calls, without a model")
    add("--offline", metavar="GAME", help="play this game without a server")
    add("--archetype", default="lab", help="offline: archetype of the game")
    add(
        "--plays",
        type=int,
        help="number of plays; offline: 1 by default; on a server: stop after this many",
    )
    add("--seed", type=int, default=1, help="offline: seed of the first play")
    add("--output", default="plays.json", help="offline: file for the plays")
    add(
        "--most-defaults",
        type=float,
        default=0.1,
        help="largest share of default decisions; above it, the exit code is 1",
    )
    add("--mood", default="well", help="stub: well, badly, slowly, failing, ... (docs/agents.md)")
    add("--port", type=int, default=9000, help="stub: its port on 127.0.0.1")


def run(chosen: Namespace) -> int:
    """Run the models or the stub."""
    from mixed_company.agents.llm.running import run_llm, run_stub

    end_as_by_ctrl_c()
    if chosen.what == "stub":
        return run_stub(chosen.mood, chosen.port)
    return run_llm(chosen, _instructions)


def _instructions(setup: Setup) -> str:
    """Return the instructions that the game's pages show to people, as plain text.

    Raises ConfigError if oTree is missing, or outside the project folder, which contains the pages.
    """
    check_project()
    if find_spec("otree") is None:
        raise config_error(
            "--offline: the instructions come from the game's pages, which need oTree: run "
            'pip install ".[server]" in the project folder'
        )
    from mixed_company.server.outside.words import instructions

    return instructions(setup)

"""Language models on seats: of a server, or among themselves without one.

`llm` connects to a server as an agent from outside (docs/agents.md), with the key in AGENT_KEY;
with --offline it plays by itself. Any server with the chat interface of OpenAI will do: --base-url
names it, OPENAI_API_KEY has its key. Every call goes into a table (--calls), by which a run can be
replayed without a model. `stub` is such a server without a model, to try things out.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from mixed_company.cli.command import Group

GROUP = Group.SESSIONS
EXTRA = "llm"
EXAMPLES = (
    "mixed agents llm --model llama3.2 --base-url http://127.0.0.1:11434/v1 --seats 4",
    "mixed agents llm --model gpt-5-mini --prompt universal --money 5 --price-in 0.3",
    "mixed agents llm --model m --offline commons_game --archetype fishing talk=free",
    "mixed agents llm --model m --offline commons_game --replay calls.jsonl --calls again.jsonl",
    "mixed agents stub --mood badly --port 9000",
)


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    add = parser.add_argument
    add("what", choices=("llm", "stub"), help="models on seats; or a server without a model")
    add("options", nargs="*", metavar="key=value", help="offline: parameters of game and session")
    add("--model", help="the model's name, as its server knows it")
    add("--base-url", help="where the chat interface is; without it, OpenAI")
    add("--format", choices=("schema", "object", "text"), default="schema", help="how JSON is had")
    add("--temperature", type=float, help="of the model; without it, its own")
    add("--prompt", default="plain", help="a prompt file, or plain, thinking, universal")
    add("--server", default="ws://127.0.0.1:8000/agents", help="where the seats are")
    add("--name", default="model", help="the agent's name: outside:NAME")
    add("--seats", type=int, help="so many seats at most")
    add("--calls", default="calls.jsonl", help="the table of calls; it is added to")
    add("--keep-prompts", action="store_true", help="write what was asked into it, too")
    add("--money", type=float, default=0.0, help="so much may be spent; 0: no bound")
    add("--price-in", type=float, default=0.0, help="of a million tokens of questions")
    add("--price-out", type=float, default=0.0, help="of a million tokens of answers")
    add("--minutes", type=float, default=0.0, help="so long may be asked; 0: no bound")
    add("--replay", help="answer from this table of calls, without a model")
    add("--offline", metavar="GAME", help="play this game without a server")
    add("--archetype", default="lab", help="offline: of the game")
    add("--plays", type=int, default=1, help="offline: so many, with seeds from --seed on")
    add("--seed", type=int, default=1, help="offline: of the first play")
    add("--output", default="plays.json", help="offline: what was played")
    add("--mood", default="well", help="stub: well, badly, nonsense, slowly, silent, failing")
    add("--port", type=int, default=9000, help="stub: where it listens, on 127.0.0.1")


def run(chosen: Namespace) -> int:
    """Do it."""
    from mixed_company.agents.llm.running import run_llm, run_stub

    return run_stub(chosen.mood, chosen.port) if chosen.what == "stub" else run_llm(chosen)

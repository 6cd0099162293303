"""Generator of docs/sessions.md: every key of a session config.

python -m docs.sessions > docs/sessions.md
"""

from __future__ import annotations

import sys
from typing import Any

from pydantic_core import to_json

from mixed_company import engine
from mixed_company.engine.contract.config import Section
from mixed_company.engine.contract.describe import keys, rule
from mixed_company.table.options import Options


def table(section: type[Section]) -> str:
    """Return a Markdown table of a section's keys, from the schema that validates them."""
    rows = ["| key | default | meaning | unit | rule |\n|---|---|---|---|---|\n"]
    for key, schema in keys(section):
        default = shown(getattr(section.model_construct(), key))
        symbol = f" ({schema['symbol']})" if "symbol" in schema else ""
        rows.append(
            f"| `{key}` | {default} | {schema['description']}{symbol} | {schema.get('unit', '')} "
            f"| {rule(schema)} |\n"
        )
    return "".join(rows)


def shown(value: Any) -> str:
    """Format a value as in the form: text, number, or JSON."""
    if isinstance(value, dict | tuple | list):
        return f"`{to_json(value).decode()}`" if value else ""
    return "" if value is None else str(value)


def main() -> None:
    write = sys.stdout.write
    write("# Session configs\n\nMade by `make docs`.\n\n")
    write("All keys can be changed when a session is created. What was changed there wins; the ")
    write("rest comes from the archetype. For example: `archetype` changed to `governed` and ")
    write("`capacity` to 80 gives the numbers of `governed` with a capacity of 80, whatever else ")
    write(
        "stood in the form. A wrong value is refused with the name of its key (in the first line "
    )
    write("of oTree's message). If the people do not fill the last group, those who are left wait ")
    write("in the lobby as promised, and then bots fill in.\n\n")
    write("## The same for all games\n\n")
    write("`archetype`: a named set of game values (below). `seed`: the number from which every ")
    write("random number of the session is computed; empty: one is drawn and written down. ")
    write(
        "`layers`, `agents`: sections of the game's configuration as JSON, or empty. For example "
    )
    write('`agents`: `{"roles": {"member": {}, "mute": {"acts": ["harvest"], "sees": ["stock"]}}, ')
    write('"seats": ["member", "mute", "member", "member"]}`: the second seat cannot pay and sees ')
    write('only the stock. `layers`: `{"temporal": {"intensity": 1, "reward_delay": 2}}`; ')
    write("`mixed_company.engine.layers` is the manual of all seven.\n\n")
    write(table(Options))
    write("\n`bots` and `dropout_bot` name policies (docs/policies.md), with their own parameters ")
    write("if need be: `greedy,fixed:harvest=3;contribution=1`. `bot_delay` is `people`, ")
    write("which is short for ")
    write("`people:median=10;sigma=0.45;own=0.35;learning=0.33;again=0.15;surprise=0.05`, ")
    write("`instant`, `fixed:seconds=2` or `lognormal:median=2;sigma=0.5`. ")
    write("`completion_links` is JSON: ")
    write('`{"finished": "https://...", "left": "https://...", "released": "https://...", ')
    write('"ended": "https://..."}`.\n\n')
    write('Lists and objects are JSON: `neighbours` `[[0, 1], [1, 2]]`, `taboo` `["B"]`, ')
    write(
        '`resources` `{"A": {"value": 3, "harm": 0.5}}`. With `pace` `clock` no page shows who has '
    )
    write("decided already, and `bot_delay` has no effect that anybody sees; ")
    write("[pace.md](pace.md) says how long a turn should be.\n")
    for game_id in engine.game_ids():
        write(section(game_id))


def section(game_id: str) -> str:
    """Return the keys and archetypes of one game."""
    game = engine.find(game_id)
    lines = [f"\n## {game_id}\n\n{table(game.Core)}\n### Archetypes\n\n"]
    lines.append("| archetype | changes |\n|---|---|\n")
    for name, values in game.archetypes.items():
        changes = ", ".join(f"`{key}` = {shown(value)}" for key, value in values.items())
        lines.append(f"| `{name}` | {changes or 'none: the defaults'} |\n")
    return "".join(lines)


if __name__ == "__main__":
    main()

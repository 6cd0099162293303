"""Generator for docs/sessions.md: every key of a session config.

python -m docs.sessions > docs/sessions.md
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from pydantic_core import to_json

from mixed_company import engine
from mixed_company.engine.contract.config import Section
from mixed_company.engine.contract.describe import keys, rule
from mixed_company.table.options import Options
from mixed_company.table.setup import NEW_SESSIONS

INTRODUCTION = """# Session configs

This page lists all keys of a session config and all archetypes of the games. `make docs` writes it.

You can change every key when you create a session. A changed value takes priority; all other values
come from the archetype. For example, changing `archetype` to `governed` and `capacity` to 80 uses
the values of `governed` with a capacity of 80, whatever else the form contains. An invalid value is
rejected, and the first line of oTree's error message names its key. If the last group is not full,
its members wait in the lobby for the promised time. Then `lobby_outcome` applies: by default, bots
take the empty seats.

## Keys of all games

| key | meaning |
|---|---|
| `archetype` | a named set of game values (see the tables of the games) |
| `seed` | number that determines all random numbers of the session; empty: drawn and recorded |
| `layers`, `agents` | sections of the game's configuration as JSON, or empty; see below |

"""

NOTES = """
- `layers` and `agents` are JSON. For example, these `agents` do not let the second seat pay, and
  show it only the stock:
  `{"roles": {"member": {}, "mute": {"acts": ["harvest"], "sees": ["stock"]}},
  "seats": ["member", "mute", "member", "member"]}`.
  An example of `layers`: `{"temporal": {"intensity": 1, "reward_delay": 2}}`;
  `mixed_company.engine.layers` documents all seven layers.
- `bots` and `dropout_bot` name [policies](policies.md), with parameters if needed:
  `greedy,fixed:harvest=3;contribution=1`.
- `bot_delay` is `instant`, `fixed:seconds=2`, `lognormal:median=2;sigma=0.5` or `people`, which is
  short for `people:median=10;sigma=0.45;own=0.35;learning=0.33;again=0.15;surprise=0.05`.
- A new session has a practice of two periods, and people confirm that they are `ready`. To switch
  both off, set `practice_periods` to 0 and `ready` to false. A config without these keys, such as
  one from an earlier release, has neither.
- `completion_links` is JSON: `{"finished": "https://...", "left": "https://...", "released":
  "https://...", "ended": "https://..."}`.
- Lists and objects are JSON: `neighbours` `[[0, 1], [1, 2]]`, `taboo` `["B"]`, `resources`
  `{"A": {"value": 3, "harm": 0.5}}`.
- With `pace` `clock`, pages do not show who has decided, and `bot_delay` has no visible effect.
  [pace.md](pace.md) explains how long a turn should be.
"""


def table(section: type[Section], set_by_default: Mapping[str, Any]) -> str:
    """Return a Markdown table of a section's keys, from the schema that validates them.

    `set_by_default` contains the values in new sessions that differ from the schema's defaults.
    """
    rows = ["| key | default | meaning | unit | rule |\n|---|---|---|---|---|\n"]
    for key, schema in keys(section):
        default = shown(set_by_default.get(key, getattr(section.model_construct(), key)))
        symbol = f" ({schema['symbol']})" if "symbol" in schema else ""
        rows.append(
            f"| `{key}` | {default} | {schema['description']}{symbol} | {schema.get('unit', '')} "
            f"| {rule(schema)} |\n"
        )
    return "".join(rows)


def shown(value: Any) -> str:
    """Format a value as oTree's form shows it: text, number, or JSON."""
    if isinstance(value, dict | tuple | list):
        return f"`{to_json(value).decode()}`" if value else ""
    return "" if value is None else str(value)


def main() -> None:
    write = sys.stdout.write
    write(INTRODUCTION + table(Options, NEW_SESSIONS) + NOTES)
    for game_id in engine.game_ids():
        write(section(game_id))


def section(game_id: str) -> str:
    """Return a game's keys and archetypes."""
    game = engine.find(game_id)
    lines = [f"\n## {game_id}\n\n{table(game.Core, {})}\n### Archetypes\n\n"]
    lines.append("| archetype | changes |\n|---|---|\n")
    for name, values in game.archetypes.items():
        changes = ", ".join(f"`{key}` = {shown(value)}" for key, value in values.items())
        lines.append(f"| `{name}` | {changes or 'none: the defaults'} |\n")
    return "".join(lines)


if __name__ == "__main__":
    main()

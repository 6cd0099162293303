"""Show every value of a game's configuration, with unit, range and meaning.

Also shows what a play pays, how it can end, and its events and infos.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace

from mixed_company.cli.arguments import assigned, configuration
from mixed_company.cli.command import Group

GROUP = Group.LOOK_UP
EXTRA = ""
EXAMPLES = (
    "mixed show sanctions --archetype lab",
    "mixed show commons_game capacity=80 layers.power.intensity=0.5",
    "mixed show commons_game --json",
)


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("game")
    configuration(parser)
    parser.add_argument(
        "--json", action="store_true", help="print JSON, which `engine.make` accepts"
    )


def run(chosen: Namespace) -> int:
    """Print the configuration as text or as JSON."""
    from mixed_company import engine
    from mixed_company.engine.contract import describe
    from mixed_company.engine.play.events import event_kinds

    parameters = assigned(chosen.pairs)
    game = engine.make(chosen.game, archetype=chosen.archetype, seed=chosen.seed, **parameters)
    if chosen.json:
        print(json.dumps(game.config.model_dump(mode="json"), indent=2))
    else:
        declared = game.declaration
        print(describe.as_text(game.config))
        print(describe.outcomes(declared.components, declared.endings, declared.seat_endings))
        print(describe.diagnostics(event_kinds(game), declared.info), end="")
    return 0

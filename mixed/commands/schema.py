"""The JSON Schema of a game's configuration."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace

from mixed.command import Group

GROUP = Group.LOOK_UP
EXTRA = ""
EXAMPLES = ("mixed schema sanctions > sanctions.json",)


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("game")


def run(chosen: Namespace) -> int:
    """Print the schema."""
    import engine

    model = engine.find(chosen.game).config_model()
    print(json.dumps(model.model_json_schema(), indent=2))
    return 0

"""Print the JSON Schema of a game's configuration, or of plans."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace

from mixed_company.cli.command import Group

GROUP = Group.LOOK_UP
EXTRA = ""
EXAMPLES = ("mixed schema sanctions > sanctions.json", "mixed schema plan > plan.json")


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("game", help="a game, or `plan` for files in plans/")


def run(chosen: Namespace) -> int:
    """Print the schema."""
    from mixed_company import engine
    from mixed_company.experiment.plan import Plan

    model = Plan if chosen.game == "plan" else engine.find(chosen.game).config_model()
    print(json.dumps(model.model_json_schema(), indent=2))
    return 0

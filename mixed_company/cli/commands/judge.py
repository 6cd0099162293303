"""Judge a trained policy by its aim, and compare it with scripted policies.

Prints the policy's scores, the policies that it does not beat, its points by seat, and how often it
chooses each action; --write saves all of these on its card. With --seeds, a table compares the
policy with policies trained in the same way with other seeds. It shows what each policy earns under
the aim, and what it earns in one seat while another policy has all other seats.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mixed_company.cli.arguments import look_in_folder, parts, sharing, work_of
from mixed_company.cli.command import Group
from mixed_company.cli.refusal import config_error

if TYPE_CHECKING:
    from mixed_company.engine.contract.space import Array
    from mixed_company.learning.training.crossplay import Points
    from mixed_company.policies.trained.card import Card, Interval

    _Crossed = tuple[Points, dict[int, Array]]

GROUP = Group.POLICIES
EXTRA = ""
EXAMPLES = ("mixed judge my_fisher --folder my_policies --plays 1000 --write",)


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("id", help="id of the policy")
    parser.add_argument("--plays", type=int, default=1000, help="plays per policy")
    parser.add_argument("--folder", type=Path, help="folder of the policy, if not bots/trained")
    parser.add_argument("--seed", type=int, help="seed of all plays")
    parser.add_argument(
        "--seeds", default="", help="policies from other training seeds, separated by commas"
    )
    parser.add_argument("--write", action="store_true", help="write the scores to its card")
    sharing(parser)


def run(chosen: Namespace) -> int:
    """Judge the policy, print its scores, and rewrite its card on request."""
    from mixed_company import files
    from mixed_company.engine.contract.chance import check_seed
    from mixed_company.learning.training.crossplay import crossplay_table, seeds_of
    from mixed_company.learning.training.judge import SEED, habits, judged, trained_policy

    if chosen.plays < 2:
        raise config_error(f"plays = {chosen.plays}: should be at least 2")
    work = work_of(chosen)
    seed = SEED if chosen.seed is None else check_seed(chosen.seed)
    look_in_folder(chosen)
    policy = trained_policy(chosen.id)
    crossed = _crossed(policy.card, parts(chosen.seeds), chosen.plays, seed)
    scores = judged(policy.card, chosen.plays, seed, **work)
    seats, actions = habits(policy.card, chosen.plays, seed)
    if chosen.write:
        scores = scores.model_copy(update={"seats": tuple(seats), "actions": actions})
        more = {"seeds": seeds_of(*crossed, seed)} if crossed else {}
        card = policy.card.model_copy(update={"scores": scores, **more})
        files.write_whole(policy.path, card.model_dump_json(indent=2) + "\n")
    print(f"{policy.id}: {scores.measure}: {_text(scores.own)}")
    for name, interval in sorted(scores.others.items(), key=lambda item: -item[1].mean):
        print(f"  {name}: {_text(interval)}")
    print(scores.verdict)
    for seat, interval in enumerate(seats):
        print(f"  in seat {seat}: {_text(interval)}")
    for name, use in actions.items():
        print(f"  {name}: {', '.join(f'{action} {value:g}' for action, value in use.items())}")
    if crossed:
        print(crossplay_table(*crossed))
    return 0


def _crossed(card: Card, others: Sequence[str], plays: int, seed: int) -> _Crossed | None:
    """Return the points in cross-play and under the aim, by training seed; None if --seeds is not
    set."""
    from mixed_company.learning.training.crossplay import by_aim, crossplay
    from mixed_company.learning.training.judge import trained_policy

    if not others:
        return None
    cards = [card, *(trained_policy(name).card for name in others)]
    return crossplay(cards, plays, seed), by_aim(cards, plays, seed)


def _text(interval: Interval) -> str:
    return f"{interval.mean:.2f} ({interval.low:.2f} to {interval.high:.2f})"

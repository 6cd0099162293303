"""Recorded behaviour of every hand-written policy in fixed plays, as digests of all actions.

    python -m tests.bots.recorded                    adds new policies, and those of a new version
    python -m tests.bots.recorded sanctions lab      also records an archetype with new numbers

A record changes only with the policy's `version`, or if the numbers of its archetype are changed on
purpose. The second command is for `lab` and archetypes that follow it. `source`, published
archetypes and earlier ones such as `lab_0_8` keep their numbers. Neither command writes anything if
any other policy decides differently.

The file has two plays of each policy under every archetype and every hard setting. The policy plays
in every second seat, and random policies play in the others. Policies that solve equations are left
out. Rounding differs between processors, so these policies pick different plans among those whose
points agree to a billionth (`tests/engine/solutions` checks their points).
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from mixed_company import engine
from mixed_company.engine.contract.chance import play_seeds
from mixed_company.policies import Policy, find, make
from mixed_company.policies.rollout import rollout
from tests.bots.contract import HARD, LENGTH
from tests.bots.written import written

KEPT = Path(__file__).with_name("recorded.json")
PLAYS = 2
SEED = 11

SOLVING = {"best_plan"}

Sent = list[dict[str, list[Any]]]
"""Actions sent in each period, by action field."""


def settings(game_id: str) -> Iterator[tuple[str, engine.Game[Any]]]:
    """Yield the games to play, with their names."""
    short = {name: min(length, 12) for name, length in LENGTH.get(game_id, {}).items()}
    reference = engine.find(game_id).reference
    for archetype in {**engine.find(game_id).archetypes, reference: True}:
        yield archetype, engine.make(game_id, archetype=archetype, **short)
    for name, setting in HARD.get(game_id, {}).items():
        yield f"{reference}, {name}", engine.make(game_id, archetype=reference, **setting)


def company(policy_id: str, game: engine.Game[Any]) -> list[Policy]:
    """Return the policy in each seat."""
    policies = [make(policy_id, game), make("random", game)]
    return [policies[seat % 2] for seat in range(game.seats)]


def recordable(game_id: str) -> list[str]:
    """Return the policies to record."""
    return [name for name in written(game_id) if name not in SOLVING]


def alone(policy_id: str, game: engine.Game[Any], number: int) -> Sent:
    """Return the play with this number, played alone."""
    episode = engine.Episode(game, int(play_seeds(SEED, number)))
    steps = rollout(episode, company(policy_id, game))
    names = [field.name for field in game.declaration.actions]
    return [{name: list(step.sent[name]) for name in names} for step in steps]


def digest(sent: Sent) -> str:
    """Return a digest of the numbers to the last bit; seats that are out are None."""
    plain = [
        {
            name: [None if value is None else float(value) for value in row]
            for name, row in part.items()
        }
        for part in sent
    ]
    return hashlib.sha256(json.dumps(plain).encode()).hexdigest()[:16]


Digests = dict[str, dict[str, list[str]]]
"""Digest of each play, by setting and policy id."""


def versions(game_id: str) -> dict[str, str]:
    """Map policy ids to versions, and the id of the game to the version of its rules."""
    kinds = {name: find(name, game_id).version for name in recordable(game_id)}
    return {game_id: engine.find(game_id).version, **kinds}


def unversioned(kept: Digests, now: Digests, changed: set[str]) -> dict[str, list[str]]:
    """Map each policy that differs from the record to the settings where it does, leaving out
    `changed`.

    Random policies play beside every policy, so a change to `random` changes every record.
    """
    differing: dict[str, list[str]] = {}
    if "random" in changed:
        return differing
    for setting in kept.keys() & now.keys():
        for policy in kept[setting].keys() & now[setting].keys() - changed:
            if kept[setting][policy] != now[setting][policy]:
                differing.setdefault(policy, []).append(setting)
    return {policy: sorted(settings) for policy, settings in sorted(differing.items())}


def refusal(game_id: str, differing: dict[str, list[str]]) -> str:
    """Return the reason why nothing is recorded, and what to do about it."""
    settings = sorted({name for names in differing.values() for name in names})
    lines = [
        f"{game_id}: decides differently from {KEPT.name} under the same version; nothing written",
        *(f"  {policy}: in {'; '.join(names)}" for policy, names in differing.items()),
        "If its rule or its draws were changed, raise its `version`.",
    ]
    if set(settings) <= engine.find(game_id).archetypes.keys():
        lines.append(
            "If numbers of an archetype were changed on purpose, keep those of the last release in "
            "`superseded` of the game, and record it again:\n"
            f"  python -m tests.bots.recorded {game_id} {' '.join(settings)}"
        )
    return "\n".join(lines)


def check_again(game_id: str, archetypes: Sequence[str]) -> None:
    """Raise SystemExit for an archetype that cannot be recorded again."""
    offered = engine.find(game_id).archetypes
    for name in archetypes:
        if name not in offered:
            raise SystemExit(f"{game_id} {name}: should be one of {', '.join(offered)}")


def recorded() -> dict[str, Digests]:
    """Return the digests of all plays by game id."""
    return {
        game_id: {
            name: {
                policy: [digest(alone(policy, game, number)) for number in range(PLAYS)]
                for policy in recordable(game_id)
            }
            for name, game in settings(game_id)
        }
        for game_id in engine.game_ids()
    }


def main(arguments: Sequence[str]) -> None:
    """Write the record. Raise SystemExit if a version must be incremented first."""
    again, archetypes = arguments[0] if arguments else "", arguments[1:]
    if again:
        check_again(again, archetypes)
    kept, now = json.loads(KEPT.read_text()), recorded()
    named = {game_id: versions(game_id) for game_id in now}
    for game_id in kept["plays"].keys() & now.keys():
        before, plays = kept["versions"][game_id], kept["plays"][game_id]
        changed = {name for name, number in named[game_id].items() if before.get(name) != number}
        if game_id == again:
            plays = {name: row for name, row in plays.items() if name not in archetypes}
        differing = unversioned(plays, now[game_id], changed)
        if differing and game_id not in changed:
            raise SystemExit(refusal(game_id, differing))
    KEPT.write_text(json.dumps({"versions": named, "plays": now}, indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])

"""No byte of a page or a frame depends on data that is hidden from its seat.

All archetypes of all games are tested, unchanged and with layers. Secrets are planted in every
hidden quantity (`tests.server.secrets_kept`), and the seat must be sent the same data.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.engine.game import Game
from mixed_company.engine.kit.layers import settings, with_layers
from mixed_company.server.pages import play
from mixed_company.server.pages.guide import guide_of
from mixed_company.table.options import Options
from tests.server.secrets_kept import SEED, hidden, planted, played, secrets, sent

ARCHETYPES = [
    (game_id, name) for game_id in engine.game_ids() for name in engine.find(game_id).archetypes
]


def variants(game: Game[Any]) -> Iterator[tuple[str, Game[Any]]]:
    """Yield the game unchanged, and with all layers once per effect of the information layer.

    The `lab` archetype also gets each layer by itself.
    """
    yield "as it is", game
    sections = settings(game)
    information = sections.pop("information")
    every = {name: {**section, "intensity": 1.0} for name, section in sections.items()}
    of_lab = game.config.identity.archetype == "lab"
    for name, section in every.items() if of_lab else ():
        yield name, with_layers(game, {name: section})
    for part, value in list(information.items())[: None if of_lab else 1]:
        last_layer = {"information": {part: value, "intensity": 1.0}}
        yield f"all layers, {part}", with_layers(game, {**every, **last_layer})


def leaks(game: Game[Any]) -> Iterator[str]:
    """Yield the secrets that a person in this game is sent."""
    people = (0, game.seats - 1)
    table, entries = played(game, people)
    other, _ = played(with_seed(game, SEED + 1), people)
    for seat in people:
        before, draw = sent(table, entries, seat), np.random.default_rng(seat)
        changed, journal = planted(table, entries, seat, other, draw)
        after = sent(changed, journal, seat)
        for secret in secrets(table, entries, seat) | hidden(changed, seat):
            if secret in before + after:
                yield f"seat {seat} is sent {secret}"
        if after != before:
            place = next(
                place for place, (a, b) in enumerate(zip(after, before, strict=False)) if a != b
            )
            was, now = before[place - 80 : place + 40], after[place : place + 40]
            yield f"seat {seat} is sent {was}, else {now}"


def with_seed(game: Game[Any], seed: int) -> Game[Any]:
    """Return the same game with a different seed for its session."""
    data = game.config.model_dump(mode="json")
    return engine.make({**data, "identity": {**data["identity"], "seed": seed}})


@pytest.mark.few(8)
@pytest.mark.parametrize(("game_id", "archetype"), ARCHETYPES)
def test_a_person_is_sent_nothing_that_the_seat_must_not_know(game_id, archetype):
    game = with_seed(engine.make(game_id, archetype=archetype), SEED)
    leaked = [f"{name}: {leak}" for name, variant in variants(game) for leak in leaks(variant)]
    assert leaked == []


def test_chances_of_a_published_instance_in_the_page_are_found(monkeypatch):
    """Guard against parameters in the page, which releases before 0.8.0 sent with the instance."""
    guide = guide_of("gem_mining")
    core = {"core": engine.make("gem_mining", archetype="momaland_42").core.model_dump(mode="json")}

    class Telling:
        """Gem mining guide that also sends the parameters."""

        def __getattr__(self, name: str) -> Any:
            return getattr(guide, name)

        def setting(self, game: Game[Any], seat: int) -> dict[str, Any]:
            return {**guide.setting(game, seat), **core}

    monkeypatch.setattr(play, "guide", lambda _: Telling())
    game = engine.make("gem_mining", archetype="momaland_42", seed=SEED, information="all")
    assert any("is sent" in leak for leak in leaks(game))


def test_instructions_do_not_depend_on_chances_that_nobody_is_told():
    """Draw a chance above the limit, or none, because people must learn neither."""
    texts = []
    for chance in (0.2, 0.45):
        instance = {"reach": [2, 2], "workers": [1, 1], "base_probabilities": [[chance]] * 3}
        core = {"seats": 2, "gem_types": 1, "min_connectivity": 2, "max_connectivity": 2}
        game = engine.make(
            "gem_mining", **core, instance=instance, worker_bonus=1.0, truncation=0.3
        )
        texts.append(guide_of("gem_mining").sections(game, Options()))
    assert texts[0] == texts[1]

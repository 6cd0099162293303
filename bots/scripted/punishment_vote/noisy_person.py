from __future__ import annotations

import numpy as np

from bots.policy import Memory, Observation, Range
from bots.scripted.punishment_vote.foraging import Foraging
from bots.scripted.punishment_vote.reading import Around, known, own_window, place
from engine.games.punishment_vote.tables import FIRST_RESOURCE

_NOTICED = 6
"""It notices so many cells in each direction."""


class NoisyPerson(Foraging):
    """Forages with errors, idles at times, and votes for more punishment when it feels harmed.

    It feels what waits on its account and what it saw others take: where something harmful lay in
    the last turn, somebody stands now. Half of the feeling (`hurt`) passes every turn. It then
    votes with `anger` per point as its chance, and half that where most have just voted down.
    """

    id = "noisy_person"
    source = "ours"
    parameters = {
        "error": Range(0.05, 0.0, 1.0),
        "idle": Range(0.05, 0.0, 1.0),
        "whim": Range(0.01, 0.0, 1.0),
        "anger": Range(0.1, 0.0, 10.0),
    }

    def start(self) -> Memory:
        return {**super().start(), "hurt": 0.0, "saw": {}}

    def vote(
        self, observation: Observation, around: Around, notes: Memory, rng: np.random.Generator
    ) -> int:
        taken = self.taken(observation, notes)
        pending = known(observation, "pending_harm") or 0.0
        notes["hurt"] = 0.5 * notes["hurt"] + taken + pending
        if rng.random() < self.own["whim"]:
            return 1 if rng.random() < 0.5 else -1
        up, down = known(observation, "increases") or 0.0, known(observation, "decreases") or 0.0
        chance = self.own["anger"] * notes["hurt"] * (0.5 if down > up else 1.0)
        angry = rng.random() < chance
        return int(angry and notes["level"] < 1)

    def move(
        self, observation: Observation, around: Around, notes: Memory, rng: np.random.Generator
    ) -> int | None:
        drawn = rng.random()
        if drawn < self.own["idle"]:
            return None
        if drawn < self.own["idle"] + self.own["error"]:
            return int(rng.integers(4))
        return super().move(observation, around, notes, rng)

    def taken(self, observation: Observation, notes: Memory) -> float:
        """The harm of what lay near in the last turn where somebody else stands now."""
        at = place(observation)
        if at is None:
            return 0.0
        kinds = list(self.rules.resources.values())
        near = min(self.rules.vision, _NOTICED)
        middle = slice(self.rules.vision - near, self.rules.vision + near + 1)
        felt, saw = 0.0, {}
        for i, line in enumerate(own_window(observation)[middle, middle].tolist()):
            for j, code in enumerate(line):
                row, column = i - near, j - near
                kind = code - FIRST_RESOURCE
                key = f"{at[0] + row} {at[1] + column}"
                if 0 <= kind < len(kinds):
                    saw[key] = code
                elif kind >= 0 and (row or column) and key in notes["saw"]:
                    felt += kinds[notes["saw"][key] - FIRST_RESOURCE].harm
        notes["saw"] = saw
        return felt

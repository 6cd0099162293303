"""The rules of gem mining; the package's docstring explains them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from mixed_company.engine.contract.chance import Chance, as_halves
from mixed_company.engine.contract.drift import changed
from mixed_company.engine.contract.space import Array, Arrays
from mixed_company.engine.game import Declaration, Game
from mixed_company.engine.games.gem_mining import instance, layout
from mixed_company.engine.games.gem_mining.core import ARCHETYPES, SUPERSEDED, GemCore


class GemGame(Game[GemCore]):
    """Gem mining. See the package's docstring."""

    id = "gem_mining"
    version = "1"
    reference = "lab_0_7"
    Core = GemCore
    archetypes = ARCHETYPES
    superseded = SUPERSEDED

    def prepare(self) -> None:
        core = self.core
        self._first = np.arange(core.seats)  # first mine in reach of each village
        self._instance = instance.given(core)
        largest = core.max_workers if self._instance is None else int(self._instance.workers.max())
        self.most_workers: int = largest * min(core.max_connectivity, core.seats)
        self._bonuses = instance.bonuses(core.worker_bonus, self.most_workers)
        ones = np.ones((core.gem_types, core.seats))
        self._paid = np.array(core.weights)[:, None] * ones

    @property
    def horizon(self) -> int:
        return self.core.periods

    def declare(self) -> Declaration:
        return layout.declared(self.core, self.most_workers)

    def draw(self, chance: Chance) -> Arrays:
        """Draw the instance before play, and a number for each mine and type every period."""
        if np.ndim(chance.period) == 0 and chance.period < 0:
            return {} if self._instance else instance.draw(self.core, chance)
        types, mines = self.core.gem_types, self.core.mines
        words = chance("gems").bits(((types * mines + 1) // 2,))
        luck = as_halves(words)[..., : types * mines] * 2.0**-32
        return {"luck": luck.reshape(*luck.shape[:-1], types, mines).swapaxes(-1, -2)}

    def initial(self, chance: Arrays, batch: tuple[int, ...]) -> Arrays:
        core, fixed = self.core, self._instance
        if fixed is None:
            fields = instance.from_chance(core, chance)
        else:
            names = ("reach", "workers", "base_probabilities")
            fields = {name: _repeated(getattr(fixed, name), batch) for name in names}
        # store a type's mines next to each other, so that numpy's inner loop runs over mines
        by_type = np.ascontiguousarray(fields["base_probabilities"].swapaxes(-1, -2))
        return {
            **fields,
            "base_probabilities": by_type.swapaxes(-1, -2),
            "mine": np.full((*batch, self.seats), -1),
            "workers_at": np.zeros((*batch, core.mines), dtype=np.int64),
            "found": np.zeros((*batch, core.mines, core.gem_types), dtype=np.bool_),
            "gems": np.zeros((*batch, core.gem_types), dtype=np.int64),
            "purse": np.zeros((*batch, core.gem_types), dtype=np.int64),
        }

    def limits(self, state: Arrays) -> Mapping[str, tuple[Any, Any]]:
        return {"mine": (self._first, self._first + (state["reach"] - 1))}

    def transition(self, state: Arrays, used: Arrays, chance: Arrays) -> Arrays:
        workers, playing = state["workers"], self.playing(state)
        if playing is not None:  # villages that have ended have no workers
            workers = np.where(playing, workers, 0)
        workers_at = self._counted(used["mine"], workers)
        shared = self._bonuses[workers_at][..., None] * state["base_probabilities"]
        gems_by_mine = (chance["luck"] < shared) & (chance["luck"] < self.core.truncation)
        gems = np.einsum("...mk->...k", gems_by_mine, dtype=np.int64)
        return {
            "reach": state["reach"],
            "workers": state["workers"],
            "base_probabilities": state["base_probabilities"],
            "mine": used["mine"],
            "workers_at": workers_at,
            "found": gems_by_mine,
            "gems": gems,
            "purse": state["purse"] + gems,
        }

    def _counted(self, mine: Array, workers: Array) -> Array:
        """Return the number of workers at each mine, shape (..., m)."""
        mines, plays = self.core.mines, mine.size // self.seats
        if mine.ndim > 1:
            mine = mine + mines * np.arange(plays).reshape(*mine.shape[:-1], 1)
        counts = np.bincount(mine.ravel(), workers.ravel(), plays * mines)
        return counts.astype(np.int64).reshape(*workers.shape[:-1], mines)

    def scaled(self, core: GemCore, factor: float) -> GemCore:
        return changed(core, worker_bonus=1.0 + (core.worker_bonus - 1.0) * factor)

    def reward(self, before: Arrays, used: Arrays, after: Arrays) -> Arrays:
        gems = after["gems"]
        return {f"gem_{k}": gems[..., k, None] * paid for k, paid in enumerate(self._paid)}

    def view(self, state: Arrays, chance: Arrays) -> Arrays:
        core = self.core
        seen = {
            "nothing": np.zeros(np.shape(state["period"]), dtype=np.int64),
            "reach": state["reach"],
        }
        if core.information != "none":
            seen |= {
                "workers": state["workers"].astype(np.float64),
                "own_mine": state["mine"],
                "own_found": self._own(state["found"], state["mine"]),
                "gems": state["gems"].astype(np.float64),
                "purse": state["purse"].astype(np.float64),
            }
        if core.information == "all":
            seen |= {name: state[name].astype(np.float64) for name in ("found", "workers_at")}
            seen["mines"] = state["mine"].astype(np.float64)
        if core.known_probabilities:
            seen |= {
                "base_probabilities": state["base_probabilities"],
                "reaches": state["reach"].astype(np.float64),
                "workforces": state["workers"].astype(np.float64),
            }
        return seen

    def _own(self, gems_by_mine: Array, mine: Array) -> Array:
        """Return the gems found at each village's mine, (..., n, K); 0 before the first period."""
        place = np.maximum(mine, 0)[..., None]
        return np.take_along_axis(gems_by_mine, place, axis=-2).astype(np.float64)


def _repeated(value: Array, batch: tuple[int, ...]) -> Array:
    return np.broadcast_to(value, (*batch, *value.shape))

"""The rules of gem mining, and its fields; the package's docstring explains them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from mixed_company.engine.contract.chance import Chance, as_halves
from mixed_company.engine.contract.drift import changed
from mixed_company.engine.contract.space import Array, Arrays, Field
from mixed_company.engine.game import Declaration, Game
from mixed_company.engine.games.gem_mining import instance
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
        return declared(self.core, self.most_workers)

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


def declared(core: GemCore, most_workers: int) -> Declaration:
    """Return the layouts for these parameters; `most_workers` is the maximum at a mine."""
    last = core.mines - 1
    mine = Field(
        "mine", "mine the workers go to", kind="choice", low=0, high=last, reads=("reach",)
    )
    gems = Field("", "", "points", low=0.0, reads=() if core.information == "none" else ("gems",))
    return Declaration(
        actions=(mine,),
        observations=_observations(core, most_workers),
        state=_state(core, most_workers),
        components=tuple(
            replace(gems, name=f"gem_{k}", meaning=f"gems of type {k}", high=weight * core.mines)
            for k, weight in enumerate(core.weights or ())
        ),
        endings={},
    )


def _state(core: GemCore, most_workers: int) -> tuple[Field, ...]:
    n, m, types = core.seats, core.mines, core.gem_types
    count = Field("", "", kind="whole", low=0, shape=(n,))
    by_mine = Field("", "", low=0.0, high=1.0, shape=(m, types), common=True)
    return (
        replace(count, name="reach", meaning="mines in reach", high=core.max_connectivity),
        replace(count, name="workers", meaning="workers", unit="workers", high=most_workers),
        replace(by_mine, name="base_probabilities", meaning="chances with one worker"),
        replace(
            count, name="mine", meaning="mine chosen last period, -1: none", low=-1, high=m - 1
        ),
        replace(
            count,
            name="workers_at",
            meaning="workers at each mine",
            unit="workers",
            high=most_workers,
            shape=(m,),
            common=True,
        ),
        replace(by_mine, name="found", meaning="gem found, by mine and type", kind="flag"),
        replace(
            count,
            name="gems",
            meaning="gems of each type",
            unit="gems",
            high=m,
            shape=(types,),
            common=True,
        ),
        Field(
            "purse",
            "gems of each type found so far",
            "gems",
            kind="whole",
            low=0,
            high=m * core.periods,
            shape=(types,),
            common=True,
        ),
    )


def _observations(core: GemCore, most_workers: int) -> tuple[Field, ...]:
    n, m, types = core.seats, core.mines, core.gem_types
    hideable = Field("", "", low=0.0, maskable=True)
    private = replace(hideable, visibility="private")
    common = replace(hideable, common=True)
    farthest = core.max_connectivity
    always = Field("", "", kind="whole", open=True)
    nothing = replace(always, name="nothing", meaning="a constant with no meaning", low=0, high=0)
    reach = replace(always, name="reach", meaning="own mines in reach", low=1, high=farthest)
    fields = [nothing, replace(reach, visibility="private")]
    if core.information != "none":
        went = Field("own_mine", "own mine last period, -1: none", kind="whole", low=-1)
        went = replace(went, reads=("mine",))
        gems = replace(private, name="own_found", meaning="gems found there, by type", unit="gems")
        gems = replace(gems, reads=("found", "mine"))
        all_gems = replace(
            common, name="gems", meaning="gems found by all villages last period, by type"
        )
        purse = replace(common, name="purse", meaning="gems found by all villages so far, by type")
        fields += [
            replace(
                private, name="workers", meaning="own workers", unit="workers", high=most_workers
            ),
            replace(went, high=m - 1, visibility="private"),
            replace(gems, high=1.0, shape=(types,)),
            replace(all_gems, unit="gems", high=m, shape=(types,)),
            replace(purse, unit="gems", high=m * core.periods, shape=(types,)),
        ]
    if core.information == "all":
        crowd = replace(common, name="workers_at", meaning="workers at each mine last period")
        gems_by_mine = replace(
            common, name="found", meaning="gems found last period, by mine and type"
        )
        named = ("none", *(f"mine {mine}" for mine in range(m)))
        mines = replace(
            hideable, name="mines", meaning="mine of each village last period, -1: none"
        )
        fields += [
            replace(gems_by_mine, unit="gems", high=1.0, shape=(m, types)),
            replace(crowd, unit="workers", high=most_workers, shape=(m,)),
            replace(mines, low=-1.0, high=m - 1, shape=(n,), names=named, reads=("mine",)),
        ]
    if core.known_probabilities:
        base = replace(common, name="base_probabilities", meaning="chances with one worker")
        reaches = replace(hideable, name="reaches", meaning="mines in reach of each village")
        forces = replace(hideable, name="workforces", meaning="workers of each village")
        fields += [
            replace(base, high=1.0, shape=(m, types)),
            replace(reaches, high=farthest, shape=(n,), reads=("reach",)),
            replace(forces, unit="workers", high=most_workers, shape=(n,), reads=("workers",)),
        ]
    return tuple(fields)

"""The fields of gem mining: actions, observations, state and components."""

from __future__ import annotations

from dataclasses import replace

from mixed_company.engine.contract.space import Field
from mixed_company.engine.game import Declaration
from mixed_company.engine.games.gem_mining.core import GemCore


def declared(core: GemCore, most_workers: int) -> Declaration:
    """Return the layouts for these parameters; `most_workers` is the most that a mine can have."""
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

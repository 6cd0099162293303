"""The rules of the sanctions game; the package's docstring explains them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from mixed_company.engine.contract.arrays import ROUNDING, over_seats, total
from mixed_company.engine.contract.declaration import EventKind
from mixed_company.engine.contract.drift import changed
from mixed_company.engine.contract.space import Array, Arrays, Field
from mixed_company.engine.game import Declaration, Game
from mixed_company.engine.games.sanctions.core import (
    ARCHETYPES,
    MOST_PERIODS,
    SUPERSEDED,
    SanctionsCore,
    dependence_matrix,
    per_seat,
)
from mixed_company.engine.games.sanctions.design import check_layers, grain_of
from mixed_company.engine.games.sanctions.equations import Reciprocity, info, infos, private_payoff


class SanctionsGame(Game[SanctionsCore]):
    """The sanctions game. See the package's docstring."""

    id = "sanctions"
    version = "1"
    reference = "lab_0_7"
    Core = SanctionsCore
    archetypes = ARCHETYPES
    superseded = SUPERSEDED
    may_drift = ("mpcr", "theta")
    lasting = (
        "memory_averages",
        "baseline",
        "trust",
        "reputation",
        "reciprocity_effects",
        "dependence",
    )
    event_kinds: ClassVar[Mapping[str, EventKind]] = {
        "penalty": EventKind("a `seat` lost `points` through sanctions")
    }

    def prepare(self) -> None:
        self._reciprocity = Reciprocity(self.core)
        check_layers(self.config)

    @property
    def horizon(self) -> int:
        return self.core.periods

    @property
    def told_horizon(self) -> int | None:
        return self.core.periods if self.core.periods_told else None

    @property
    def told(self) -> SanctionsCore:
        return self.core if self.core.periods_told else changed(self.core, periods=MOST_PERIODS)

    @property
    def shows_income(self) -> bool:
        return self.core.others_earnings != "hidden"

    @property
    def _shows_earned(self) -> bool:
        """True if seats see what each seat earned in every period."""
        return self.core.others_earnings == "seen"

    def declare(self) -> Declaration:
        n = self.seats
        endowment = per_seat(self.core.endowment, n)
        richest = float(endowment.max())
        contribution = Field("contribution", "contribution", "points", low=0.0, high=richest)
        seen = replace(contribution, shape=(n,), maskable=True)
        grain = grain_of(self.core.endowment)
        all_or_nothing = self.core.contributions == "all_or_nothing"
        depends = Field(
            "dependence", "how much one player depends on another, row on column", low=0.0, high=1.0
        )
        return Declaration(
            actions=(replace(contribution, grain=grain, ends_only=all_or_nothing),),
            observations=(
                replace(seen, meaning="contributed by each player last period"),
                replace(seen, name="memory_averages", meaning="remembered average contribution"),
                replace(seen, name="baseline", meaning="contribution expected of each player"),
                # bulk: pages need only the current values, and the log has them in the state
                *(
                    replace(field, maskable=True, bulk=True)
                    for field in (*self._pairs(), replace(depends, shape=(n, n)))
                ),
                *self._earned(maskable=True),
            ),
            state=self._state(replace(contribution, shape=(n,))),
            components=self._components(),
            endings={},
            info=infos(self.seats),
        )

    def _components(self) -> tuple[Field, ...]:
        """Return the components with their bounds; each bound is computed separately."""
        core, rules = self.core, self._reciprocity
        endowment = per_seat(core.endowment, self.seats)
        most_good, most_own = self.ends("mpcr")[1], self.ends("theta")[1]
        parts = private_payoff(core, endowment, mpcr=most_good, theta=most_own)
        parts["kept"] = endowment
        leave = self.config.agents.may_leave
        if leave:  # the remaining seats may be the richest ones
            richest = np.full(self.seats, endowment.max())
            parts["synergy"] = private_payoff(core, richest)["synergy"]
        payoff = parts["kept"] + parts["production"] + parts["synergy"]
        welfare = (rules.dependence * payoff).sum(axis=1)
        utility = payoff + welfare
        shared = float(utility.max() if leave else utility.mean())
        others = {
            "private": (0.0, 0.0),
            "integrated": (0.0, float(welfare.max())),
            "cooperative": (-float(payoff.max()), shared),
        }[core.reward]
        effect = float(rules.weight.sum(axis=0 if core.falls_on == "deviator" else 1).max())
        sanctions = (-effect, effect)
        if core.form == "multiplier":
            most_useful = float(payoff.max()) + others[1]
            sanctions = (-0.99 * most_useful, most_useful * effect / float(endowment.mean()))
        ranges = {name: (0.0, float(part.max())) for name, part in parts.items()}
        of_all = ("contribution",) if core.production == "public_good" else ()
        gifts, weighed = ("contribution",), ("contribution", "trust", "reputation")
        effects, by = ("reciprocity_effects",), "sanctions and rewards from reciprocity"
        return (
            _part("kept", "endowment kept", ranges["kept"]),
            _part(
                "production", "own production, or share of the good", ranges["production"], of_all
            ),
            _part("synergy", "share of the synergy", ranges["synergy"], gifts),
            _part("others", "welfare of the others", others, weighed),
            _part("sanctions", by, sanctions, effects),
        )

    def _state(self, amount: Field) -> tuple[Field, ...]:
        trust, reputation, effects = self._pairs()
        return (
            replace(amount, meaning="contributed in the last period"),
            replace(
                amount,
                name="contributions",
                meaning="remembered contributions, column t mod k: period t",
                shape=(self.seats, self._reciprocity.slots),
                bulk=True,
            ),
            replace(amount, name="memory_averages", meaning="remembered average contribution"),
            replace(amount, name="cooperation_signals", meaning="signal", low=-amount.high),
            trust,
            reputation,
            replace(trust, name="mean_trust", meaning="average trust between players", shape=()),
            effects,
            *self._earned(),
        )

    def _earned(self, maskable: bool = False) -> tuple[Field, ...]:
        """Return the field for the points that each seat earned, if seats see them."""
        if not self._shows_earned:
            return ()
        meaning = "earned by each player in the last period"
        return (Field("earned", meaning, "points", shape=(self.seats,), maskable=maskable),)

    def _pairs(self) -> tuple[Field, Field, Field]:
        """Return the fields with a number per pair of seats: trust, reputation and effects."""
        strongest = float(self._reciprocity.weight.max())
        pair = Field(
            "trust", "trust of one player in another, row in column, 1 in itself", low=0.0, high=1.0
        )
        trust = replace(pair, shape=(self.seats, self.seats))
        damage = replace(
            trust,
            name="reputation",
            meaning="damage to one player's reputation with another, column with row",
        )
        effects = replace(
            trust,
            name="reciprocity_effects",
            meaning="gains and losses between players, row observes column",
        )
        return trust, damage, replace(effects, unit="points", low=-strongest, high=strongest)

    def initial(self, chance: Arrays, batch: tuple[int, ...]) -> Arrays:
        core, n = self.core, self.seats
        # order F keeps a batch's plays next to each other, so that numpy's inner loop runs over
        # them
        trust = np.full((*batch, n, n), core.initial_trust, order="F")
        reputation = np.full((*batch, n, n), core.initial_reputation, order="F")
        diagonal = range(n)
        trust[..., diagonal, diagonal] = 1.0
        reputation[..., diagonal, diagonal] = 0.0
        nothing = np.zeros((*batch, n), order="F")
        ring = self._reciprocity.unplayed
        return {
            "contribution": nothing,
            "contributions": np.asfortranarray(np.broadcast_to(ring, (*batch, *ring.shape))),
            "memory_averages": nothing + ring[:, 0],
            "cooperation_signals": nothing,
            "trust": trust,
            "reputation": reputation,
            "mean_trust": self._mean(trust),
            "reciprocity_effects": np.zeros((*batch, n, n), order="F"),
            **({"earned": np.zeros((*batch, n))} if self._shows_earned else {}),
        }

    def limits(self, state: Arrays) -> Mapping[str, tuple[Any, Any]]:
        if isinstance(self.core.endowment, tuple):
            return {"contribution": (0.0, np.array(self.core.endowment))}
        return {}

    def transition(self, state: Arrays, used: Arrays, chance: Arrays) -> Arrays:
        rules, contribution = self._reciprocity, np.asfortranarray(used["contribution"])
        trust, reputation = rules.trust(state["trust"], state["reputation"], contribution)
        ring, averages, signals = rules.remember(
            state["period"], state["contributions"], contribution
        )
        playing = self.playing(state)
        if playing is not None:  # the default of a seat that has ended does not count against it
            trust, reputation = (
                np.where(playing[..., None, :], new, state[name])
                for name, new in (("trust", trust), ("reputation", reputation))
            )
            signals = np.where(playing, signals, 0.0)
        effects = rules.effects(trust, signals)
        if playing is not None:
            effects = np.where(playing[..., None], effects, 0.0)
        after = {
            "contribution": contribution,
            "contributions": ring,
            "memory_averages": averages,
            "cooperation_signals": signals,
            "trust": trust,
            "reputation": reputation,
            "mean_trust": self._mean(trust),
            "reciprocity_effects": effects,
        }
        if self._shows_earned:
            after["earned"] = total(self.reward(state, used, after))
        return after

    def _moved(self, state: Arrays, used: Arrays, chance: Arrays) -> dict[str, Array]:
        """Return the next state; the points earned include the effects of peer points."""
        after = super()._moved(state, used, chance)
        if self._shows_earned and self.peers is not None:
            after["earned"] = after["income"] + after["peer_received"] - after["peer_cost"]
        return after

    def reward(self, before: Arrays, used: Arrays, after: Arrays) -> Arrays:
        core, playing = self.core, self.playing(before)
        parts = private_payoff(
            core,
            after["contribution"],
            mpcr=self.now("mpcr", before),
            theta=self.now("theta", before, axes=1),
            playing=playing,
        )
        if playing is not None:
            parts = {name: np.where(playing, part, 0.0) for name, part in parts.items()}
        private = parts["kept"] + parts["production"] + parts["synergy"]
        others = self._welfare(private, after, playing)
        utility = private + others
        effect = over_seats(self._received(after))
        if core.form == "multiplier":
            mean = per_seat(core.endowment, self.seats).mean()
            effect = utility * (np.maximum(0.01, 1.0 + effect / mean) - 1.0)
        return {**parts, "others": others, "sanctions": effect}

    def income(self, before: Arrays, used: Arrays, after: Arrays) -> Array:
        return total(self.reward(before, used, after))

    def events(self, before: Arrays, used: Arrays, after: Arrays) -> list[dict[str, Any]]:
        effects = self.reward(before, used, after)["sanctions"].tolist()
        return [
            {"event": "penalty", "seat": seat, "points": -effect}
            for seat, effect in enumerate(effects)
            if effect < -ROUNDING  # the average of equal contributions may be inexact
        ]

    def info(self, before: Arrays, used: Arrays, after: Arrays) -> Mapping[str, Any]:
        return info(after, self.seats, self.core.memory)

    def cooperation(self, before: Arrays, used: Arrays, after: Arrays) -> Array:
        return np.asarray(used["contribution"] / per_seat(self.core.endowment, self.seats))

    def scaled(self, core: SanctionsCore, factor: float) -> SanctionsCore:
        if core.production == "public_good":
            return changed(core, mpcr=core.mpcr * factor)
        depends: Any = core.dependence
        if isinstance(depends, tuple):
            depends = (factor * dependence_matrix(core)).tolist()
        else:
            depends = factor * depends
        return changed(core, synergy=core.synergy * factor, dependence=depends)

    def repaired(self, before: Arrays, after: Arrays) -> Arrays:
        """Reset trust in oneself to 1 and limit all trust to its ceiling, after a shock."""
        diagonal = np.eye(self.seats, dtype=np.bool_)
        reputation = np.where(diagonal, 0.0, after["reputation"])
        trust = np.where(diagonal, 1.0, np.minimum(after["trust"], 1.0 - reputation))
        return {"trust": trust, "reputation": reputation, "mean_trust": self._mean(trust)}

    def _welfare(self, private: Array, after: Arrays, playing: Array | None) -> Array:
        """Return how much the others' private payoffs add to each seat's reward: step 3."""
        if self.core.reward == "private":
            return np.zeros_like(private)
        trusted = np.minimum(after["trust"], 1.0 - after["reputation"])
        others = over_seats(trusted * private[..., None, :] * self._reciprocity.dependence)
        if self.core.reward == "integrated":
            return others
        count: Any = self.seats
        if playing is not None:
            count = np.maximum(over_seats(playing.astype(np.float64)), 1.0)
        mean: Array = over_seats(private + others) / count
        return mean[..., None] - private

    def _mean(self, trust: Array) -> Array:
        n = self.seats
        mean: Array = (over_seats(over_seats(trust)) - n) / (n * (n - 1))
        return mean

    def _received(self, state: Arrays) -> Array:
        """Return the effects on seat i that come from seat j, shape (n, n)."""
        effects = state["reciprocity_effects"]
        return effects if self.core.falls_on == "observer" else effects.swapaxes(-1, -2)

    def view(self, state: Arrays, chance: Arrays) -> Arrays:
        shown = ["contribution", "memory_averages", "trust", "reputation", "reciprocity_effects"]
        if self._shows_earned:
            shown.append("earned")
        batch = np.shape(state["period"])
        return {
            **{name: state[name] for name in shown},
            "baseline": np.broadcast_to(self._reciprocity.baseline, (*batch, self.seats)),
            "dependence": np.broadcast_to(
                self._reciprocity.dependence, (*batch, self.seats, self.seats)
            ),
        }


def _part(name: str, meaning: str, ends: tuple[float, float], reads: tuple[str, ...] = ()) -> Field:
    return Field(name, meaning, "points", low=ends[0], high=ends[1], reads=reads)

"""A game, with a complete step in one place.

A game consists only of its rules, which are pure functions over named arrays
(`engine.contract.space`); `engine.contract.rules` explains each function.

    initial(chance)                 -> state             before the first period
    limits(state)                   -> {field: (low, high)}  what the state allows now
    transition(state, used, chance) -> state             the next state
    reward(before, used, after)     -> components        the points of each seat, by name
    view(state, chance)             -> observation       what each seat sees
    ending(state)                   -> {reason: where}   why a play is over, besides its horizon
    seat_ending(state)              -> {reason: where}   why it is over for a seat

and a `Declaration`: the layouts of all of these, known before play. Everything that games share is
implemented here once. `Game.step` defines the order within a step. It uses

    engine.assembly     the parts of a game, put together from its configuration
    contract.allowed    what seats may do now
    contract.sight      what is seen: masks of roles and endings, decisions of earlier seats
    contract.presence   seats that end
    contract.permissions  the rewards of roles
    contract.stages     the stages of a period, with peer points in the second
    layers              the seven layers

The same code runs one play or a million: every array may have leading batch axes, `()` or `(B,)`.
Nothing is mutated or remembered, and `draw_chance(seed, period)` draws random numbers before the
transition. So a configuration, a seed and the actions determine a play completely.

    game = engine.make("commons_game", archetype="lab")
    state, observations = game.reset(seed=7)
    chance = game.draw_chance(seed=7, period=0)
    actions = {"harvest": [2, 2, 2, 2], "contribution": [0, 0, 0, 0]}
    state, outcome = game.step(state, actions, chance)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from mixed_company.engine.assembly import Assembly
from mixed_company.engine.contract.allowed import Allowed
from mixed_company.engine.contract.arrays import frozen, total
from mixed_company.engine.contract.chance import Chance, check_seed
from mixed_company.engine.contract.declaration import Declaration, Outcome, Result
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.contract.peer_layout import ASSIGN
from mixed_company.engine.contract.rules import CoreT
from mixed_company.engine.contract.space import Array, Arrays
from mixed_company.engine.contract.stages import chosen
from mixed_company.engine.layers.base import Settled

__all__ = ["Declaration", "Game", "Outcome", "Result"]

_HORIZON = 1  # the code of the `horizon` ending, which every game has


class Game(Assembly[CoreT]):
    """A game with a resolved, frozen configuration. Subclass it to write a new game.

    `engine.contract.rules` lists the hooks of a subclass; the methods here are the same for all
    games.
    """

    @property
    def steps(self) -> int:
        """Maximum number of steps in a play: one for each stage of each period."""
        return self.horizon * len(self.stages.names)

    def draw_chance(self, seed: Any, period: Any) -> Arrays:
        """Return the named random arrays of a period, for a seed or an array of seeds."""
        chance = Chance(seed, period)
        drawn = self.draw(chance)
        if self.peers is not None:
            drawn = {**drawn, **self.peers.draw(chance)}
        for layer in self.layers:
            drawn = {**drawn, **layer.draw(chance)}
        return drawn

    def reset(self, seed: Any = 0) -> tuple[Arrays, Arrays]:
        """Return the state and the first observations. An array of B seeds starts B plays.

        Raises ConfigError for a seed that is not a whole number from 0 to 2**63 - 1.
        """
        batch = np.shape(seed)
        if batch and (np.asarray(seed).dtype.kind not in "iu" or np.min(seed, initial=0) < 0):
            raise ConfigError("seeds: should be whole numbers from 0 to 2**63 - 1")
        if not batch:
            check_seed(seed)
        chance = self.draw_chance(seed, -1)
        state = dict(self.initial(chance, batch))
        state |= self.stages.initial(batch, self.seats)
        if self.peers is not None:
            state |= self.peers.initial(chance, batch)
        state["period"] = np.zeros(batch, dtype=np.int64)
        state["reason"] = np.zeros(batch, dtype=np.int64)
        if self.seat_reasons:
            state["seat_reason"] = np.zeros((*batch, self.seats), dtype=np.int64)
        for layer in self.layers:
            state |= layer.initial(state)
        seen = self._shown(state, chance)
        for layer in self.layers:
            state |= layer.remember(None, seen, state)
            seen = layer.view(seen, state, chance)
        return frozen(state), self.sight.observe(seen, state)

    def step(
        self, state: Arrays, actions: Mapping[str, Any], chance: Arrays, leaving: Any = None
    ) -> tuple[Arrays, Outcome]:
        """Play one stage of a period; most games have one. Return the next state and the outcome.

        A period is settled at its last stage (`engine.contract.stages`). `leaving` (n,) flags the
        seats that leave now, in the first stage; their actions no longer count. Raises ActionError
        before any change.
        """
        # 1. Remove leaving seats, use the default for seats that are out, and check other actions.
        if leaving is not None:
            state = self.presence.without(state, leaving)
            self.stages.check_leaving(state, leaving)
        playing = self.presence.playing(state) if self.seat_reasons else None
        allowed = self.allowed(state)
        if playing is not None and not playing.all():
            actions = allowed.filled(actions, ~playing)
        used = allowed.used(actions)
        if not self.stages.several:
            return self._played(state, used, chance, playing)

        # At an earlier stage, keep the actions and show their result.
        used = self.stages.whole(state, used)
        earlier = self.stages.is_earlier(state)
        if not earlier.any():
            return self._played(state, used, chance, playing)
        between = self._between(state, used, chance)
        if earlier.all():
            return between
        after, outcome = between
        settled, end = self._played(state, used, chance, playing)
        return chosen(earlier, after, settled), chosen(earlier, outcome, end)

    def _between(self, state: Arrays, used: Arrays, chance: Arrays) -> tuple[Arrays, Outcome]:
        """Return the state and the outcome of a stage before the last."""
        after = {**state, **self.stages.kept(state, used)}
        batch = state["period"].shape
        brought = self.transition(state, used, chance)
        if self.peers is not None:
            income = self.income(state, used, brought)
            after |= {"income": income, **self.peers.order(chance, batch)}
        seen = self.observe(after, chance, world={**after, **brought})
        nothing = np.zeros((*batch, self.seats))
        components = {field.name: nothing for field in self.declaration.components}
        return frozen(after), self._outcome(after, seen, components, used)

    def _played(
        self, state: Arrays, used: Arrays, chance: Arrays, playing: Array | None
    ) -> tuple[Arrays, Outcome]:
        """Return the state and the outcome of a period, given the actions of all its stages."""
        # 2. Compute the next state, and then let the layers change it.
        after = self._moved(state, used, chance)
        after["period"] = state["period"] + 1
        shaken: dict[str, Array] = {}
        for layer in self.layers:
            shaken |= layer.shake(state, {**after, **shaken}, chance)

        # 3. Determine from the new state whether any seats or the play are over.
        after |= self._judged(state, {**after, **shaken} if shaken else after)

        # 4. Compute rewards before shocks, because no seat causes those; seats that are out earn 0.
        # Then apply the rewards of roles.
        components: Arrays = self.reward(state, used, after)
        if self.peers is not None:
            components = {**components, **self.peers.reward(after)}
        if playing is not None:
            components = {name: np.where(playing, part, 0.0) for name, part in components.items()}
        if not self.attribution.neutral:
            components = self.attribution.added(components, playing)
        if self.layers:
            after |= shaken
            components = self._settled(state, used, after, chance, playing, components)

        # 5. Leave plays that were already over unchanged, with rewards of 0.
        reason = state["reason"]
        ended_before = bool(np.count_nonzero(reason) if reason.ndim else reason)
        if ended_before:
            over = state["reason"] > 0
            after = {name: _choose(over, state[name], value) for name, value in after.items()}
            components = {
                name: np.where(over[..., None], 0.0, part) for name, part in components.items()
            }

        # 6. Compute the observations and the parts of them that layers remember.
        seen = self._shown(after, chance)
        for layer in self.layers:
            kept = layer.remember(state, seen, after)
            if ended_before:
                kept = {name: _choose(over, state[name], value) for name, value in kept.items()}
            after |= kept
            seen = layer.view(seen, after, chance)
        observations = self.sight.observe(seen, after)
        return frozen(after), self._outcome(after, observations, components, used)

    def allowed(self, state: Arrays) -> Allowed:
        """Return the actions currently open to every seat, in a state or a batch of states."""
        limits = self.limits(state)
        for layer in self.layers:
            limits = layer.limits(limits, state)
        shape, fields = (*state["period"].shape, self.seats), self.declaration.actions
        barred, playing = self.barred, self.playing(state) if self.seat_reasons else None
        several = self.stages.several
        idle, elsewhere = self.stages.idle(state, self.seats) if several else (frozenset(), {})
        for name, flags in elsewhere.items():
            barred = {**barred, name: flags | barred.get(name, False)}
        if (
            playing is not None and not playing.all()
        ):  # seats that are out can only take the default
            barred = {field.name: ~playing | barred.get(field.name, False) for field in fields}
        points = None
        if self.peers is not None and ASSIGN not in idle:
            points = self.peers.assigning(state, playing)
        return Allowed(fields, shape, limits, barred, self.closed, points, idle)

    def observe(
        self,
        state: Arrays,
        chance: Arrays,
        decided: Mapping[str, Any] | None = None,
        world: Arrays | None = None,
    ) -> Arrays:
        """Return all seats' observations of a state, read-only; `chance` is that of the previous
        period.

        Within a sequential period, `decided` maps each action field to (n,) numbers, NaN for seats
        that have not decided. `world` is the state after the earlier stages of the period; if None,
        it is computed.
        """
        seen = self._shown(state, chance, decided, world)
        for layer in self.layers:
            seen = layer.view(seen, state, chance)
        return self.sight.observe(seen, state)

    def reason_name(self, code: Any) -> str | None:
        """Return the name for a reason code; None while a play continues."""
        return self.reasons[int(code) - 1] if int(code) else None

    # -- the parts of a step --------------------------------------------------------------

    def _shown(
        self,
        state: Arrays,
        chance: Arrays,
        decided: Mapping[str, Any] | None = None,
        world: Arrays | None = None,
    ) -> Arrays:
        """Return the observations before the layers change them."""
        batch = state["period"].shape
        if world is None:
            world = self.so_far(state, chance) if self.stages.several else state
        seen = self.view(world, chance)
        if self.peers is not None:
            seen = self.peers.view(seen, state)
        if self.stages.several:
            seen = {**seen, "stage": state["stage"]}
        return {**seen, **self.turn.shown(decided, batch)} if self.turn.fields else seen

    def _judged(self, before: Arrays, world: Arrays) -> Arrays:
        """Return the reasons why seats and the play have ended, as state fields."""
        reason = np.asarray(world["period"] >= self.horizon).astype(np.int64)
        for name, where in self.ending(world).items():
            reason = np.where(where, 1 + self.reasons.index(name), reason)
        if not self.seat_reasons:
            return {"reason": reason}
        seat_reason = self.presence.judged(before, self.seat_ending(world))
        for name, where in self.presence.nobody(seat_reason).items():
            code = 1 + self.reasons.index(name)
            reason = np.where(where & (reason <= _HORIZON), code, reason)
        return {"seat_reason": seat_reason, "reason": reason}

    def _settled(
        self,
        before: Arrays,
        used: Arrays,
        after: dict[str, Array],
        chance: Arrays,
        playing: Array | None,
        components: Arrays,
    ) -> Arrays:
        """Return the components, including those of the layers; write the layers' fields into
        `after`.
        """
        closing = (after["reason"] > 0)[..., None]
        if playing is not None:
            closing = closing | (after["seat_reason"] > 0)
        period = Settled(before, used, after, chance, playing, closing)
        for layer in self.layers:
            components, fields = layer.settle(period, components)
            after |= fields
        return components

    def _outcome(
        self, after: Arrays, observations: Arrays, components: Arrays, used: Arrays
    ) -> Outcome:
        done = after["reason"] > 0
        seat_reason = after["seat_reason"] if self.seat_reasons else None
        ended = self._nobody if seat_reason is None else seat_reason > 0
        return Outcome(
            observations=observations,
            rewards=total(components),
            components=components,
            used=used,
            seat_done=done[..., None] | ended,
            done=done,
            reason=after["reason"],
            seat_reason=seat_reason,
        )


def _choose(over: Array, before: Array, after: Array) -> Array:
    where = np.reshape(over, np.shape(over) + (1,) * (np.ndim(after) - np.ndim(over)))
    return np.asarray(np.where(where, before, after))

"""Information: what is hidden, shown, blurred, late, or limited to neighbours."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field as PydanticField

from engine.contract.arrays import masked
from engine.contract.chance import Chance
from engine.contract.declaration import Declaration
from engine.contract.rules import Rules
from engine.contract.section import parameter
from engine.contract.space import Array, Arrays, Field
from engine.layers.base import Layer, Parameters

__all__ = ["Information", "InformationParameters"]

Deviation = Annotated[float, PydanticField(gt=0, le=1e9)]
Periods = Annotated[int, PydanticField(ge=1, le=1000)]


class InformationParameters(Parameters):
    """What becomes of the observation fields."""

    hide: tuple[str, ...] = parameter((), "observation fields that are not shown")
    show: tuple[str, ...] = parameter((), "state fields that all see, as shown_<name>")
    noise: dict[str, Deviation] = parameter(
        {}, "per observation field: standard deviation of its reading"
    )
    delay: dict[str, Periods] = parameter({}, "per observation field: how many periods it is late")
    graph: Literal["ring", "complete"] | tuple[tuple[int, int], ...] | None = parameter(
        None, "who sees the numbers of whom: a name or a list of pairs of seats; empty: everybody"
    )


class Information(Layer[InformationParameters]):
    """Comes last of all layers, so that it applies to what the others show, too."""

    name = "information"
    position = 1
    order = 7
    parameters = InformationParameters

    def __init__(
        self, own: InformationParameters, rules: Rules[Any], declared: Declaration
    ) -> None:
        super().__init__(own, rules, declared)
        self.check_says_something(own, "hide", "show", "noise", "delay", "graph")
        fields = {field.name: field for field in declared.observations}
        self._check(declared, fields)
        self.late = {name: round(self.s * d) for name, d in own.delay.items()}
        for name, d in self.late.items():
            if d == 0:
                rule = f"at intensity {self.s:g} that is no whole period"
                raise self.refusal(f"delay.{name}", own.delay[name], rule)
        self.fields, self.public = fields, {f.name for f in fields.values() if _public(f)}
        self.local = [name for name, f in fields.items() if own.graph and self._of_seats(f)]
        known = {field.name: field for field in declared.state}
        self.shown = [known[name] for name in own.show]
        if own.graph:
            self.far = ~self._neighbours()
        seen = [self._changed(field) for field in declared.observations]
        seen += [self._shown(field) for field in self.shown]
        seen += [_age(name, d) for name, d in self.late.items()]
        buffers = tuple(self._buffer(fields[name], d) for name, d in self.late.items())
        state = (*declared.state, *buffers)
        self.declared = replace(declared, observations=tuple(seen), state=state)

    def _check(self, declared: Declaration, fields: dict[str, Field]) -> None:
        maskable = [name for name, field in fields.items() if field.maskable]
        self._check_names("hide", maskable, "observation that can be hidden")
        self._check_names("show", [f.name for f in declared.state], "quantity of the state")
        for key in ("hide", "show"):
            named = getattr(self.own, key)
            if len(set(named)) < len(named):
                raise self.refusal(key, named, "names a field twice")
        reals = [name for name, field in fields.items() if field.kind == "real" and not field.names]
        self._check_names("noise", reals, "observation that can be blurred")
        self._check_names("delay", list(fields), "observation")
        if self.own.graph == ():
            raise self.refusal("graph", (), "has no pairs")
        if self.own.graph and not any(map(self._of_seats, fields.values())):
            rule = f"no observation of {self.rules.id} has a number per seat"
            raise self.refusal("graph", self.own.graph, rule)

    def _check_names(self, key: str, known: list[str], what: str) -> None:
        self.check_names(self.own, key, getattr(self.own, key), known, what, self.rules.id)

    def _of_seats(self, field: Field) -> bool:
        return field.shape == (self.seats,) and field.maskable and not field.common

    def _neighbours(self) -> Array:
        """(n, n) flags: row i sees the number of seat j. The graph is undirected."""
        graph, n = self.own.graph, self.seats
        if graph == "complete":
            return np.ones((n, n), dtype=np.bool_)
        seen = np.eye(n, dtype=np.bool_)
        pairs = [(i, (i + 1) % n) for i in range(n)] if isinstance(graph, str) else graph or ()
        for i, j in pairs:
            for seat in (i, j):
                if not 0 <= seat < n:
                    rule = f"seat {seat} is not in 0 .. {n - 1}"
                    raise self.refusal("graph", (i, j), rule)
            if i == j and not isinstance(graph, str):
                raise self.refusal("graph", (i, j), "a seat is no neighbour of itself")
            seen[i, j] = seen[j, i] = True
        missing = np.flatnonzero(seen.sum(axis=1) == 1)
        if n > 1 and missing.size:
            raise self.refusal("graph", graph, f"seat {missing[0]} is in no pair")
        return seen

    # -- layouts --------------------------------------------------------------------------

    def _changed(self, field: Field) -> Field:
        if field.name in self.own.noise:
            field = replace(field, low=-np.inf, high=np.inf)
        if field.name in self.own.hide or field.name in self.local:
            field = replace(field, visibility="private")
        return field

    def _shown(self, field: Field) -> Field:
        return replace(
            field,
            name=f"shown_{field.name}",
            kind="real",
            visibility="private" if self.s < 1.0 else "public",
            maskable=True,
        )

    def _buffer(self, field: Field, periods: int) -> Field:
        """What was to be seen in the last periods, latest first."""
        shape = field.shape if _public(field) else (self.seats, *field.shape)
        return replace(
            field,
            name=f"late_{field.name}",
            meaning=f"seen later: {field.meaning}",
            shape=(periods + 1, *shape),
            visibility="hidden",
            common=True,
            bulk=field.bulk or field.kind in ("real", "flag"),
        )

    # -- a play ---------------------------------------------------------------------------

    def draw(self, chance: Chance) -> Arrays:
        drawn: dict[str, Array] = {}
        for name, deviation in self.own.noise.items():
            field = self.fields[name]
            shape = field.shape if _public(field) else (self.seats, *field.shape)
            stream = f"information.noise.{name}"
            drawn[stream] = self.s * deviation * chance(stream).normal(shape)
        for what, setting in (
            ("hide", self.own.hide),
            ("show", self.own.show),
            ("far", self.local),
        ):
            if setting:
                drawn |= self.sometimes(chance, what)
        return drawn

    def remember(self, before: Arrays | None, seen: Arrays, state: Arrays) -> Arrays:
        batch = len(np.shape(state["period"]))
        buffers = {}
        for name, periods in self.late.items():
            latest = np.expand_dims(seen[name], batch)
            if before is None:
                buffers[f"late_{name}"] = np.repeat(latest, periods + 1, axis=batch)
                continue
            kept = np.moveaxis(np.moveaxis(before[f"late_{name}"], batch, 0)[:-1], 0, batch)
            buffers[f"late_{name}"] = np.concatenate([latest, kept], axis=batch)
        return buffers

    def view(self, seen: Arrays, state: Arrays, chance: Arrays) -> Arrays:
        batch = np.shape(state["period"])
        changed = dict(seen)
        for name, periods in self.late.items():
            changed[name] = np.moveaxis(state[f"late_{name}"], len(batch), 0)[-1]
            changed[f"age_{name}"] = np.minimum(state["period"], periods)
        for name in self.own.noise:
            changed[name] = changed[name] + chance[f"information.noise.{name}"]
        for field in self.shown:
            changed[f"shown_{field.name}"] = self._opened(field, state, chance)
        public = set(self.public)
        for name in self.local:
            value = changed[name] if name not in public else changed[name][..., None, :]
            far = self.far & self.applies(chance, "far")[..., None]
            changed[name] = np.where(far, np.nan, value)
            public -= {name}
        for name in self.own.hide:
            hidden = np.broadcast_to(self.applies(chance, "hide"), (*batch, self.seats))
            changed[name] = masked(changed[name], hidden, name in public, batch)
        return changed

    def _opened(self, field: Field, state: Arrays, chance: Arrays) -> Array:
        value = state[field.name].astype(np.float64)
        if self.s >= 1.0:
            return value
        return masked(value, ~self.applies(chance, "show"), True, np.shape(state["period"]))


def _public(field: Field) -> bool:
    return field.visibility == "public"


def _age(name: str, periods: int) -> Field:
    meaning = f"how many periods old {name} is"
    return Field(f"age_{name}", meaning, "periods", kind="whole", low=0, high=periods)

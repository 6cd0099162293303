"""Information: hidden, shown, blurred and delayed observations, and graphs of neighbours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field as PydanticField

from mixed_company.engine.contract.arrays import masked, neighbours, over_seats
from mixed_company.engine.contract.chance import Chance
from mixed_company.engine.contract.declaration import Declaration, Sum
from mixed_company.engine.contract.permissions import told_by_limits
from mixed_company.engine.contract.rules import Rules
from mixed_company.engine.contract.section import parameter
from mixed_company.engine.contract.space import Array, Arrays, Field
from mixed_company.engine.layers.base import Layer, Parameters

Deviation = Annotated[float, PydanticField(gt=0, le=1e9)]
Periods = Annotated[int, PydanticField(ge=1, le=1000)]


class InformationParameters(Parameters):
    """Settings that change observation fields."""

    hide: tuple[str, ...] = parameter(
        (), "hidden observation fields; those that action limits reveal cannot be hidden"
    )
    show: tuple[str, ...] = parameter((), "state fields shown to all, as shown_<name>")
    noise: dict[str, Deviation] = parameter(
        {}, "per observation field, with the same exception: standard deviation of the error"
    )
    delay: dict[str, Periods] = parameter({}, "per observation field: its delay in periods")
    graph: Literal["ring", "complete"] | tuple[tuple[int, int], ...] | None = parameter(
        None, "pairs of seats that see each other's numbers: a name or a list; empty: all"
    )


class Information(Layer[InformationParameters]):
    """Observations hidden, shown, blurred, delayed, or limited to neighbours.

    It is the last layer, so it also applies to the observations of other layers. A group's sum adds
    up what a seat sees of the group's members, so it is hidden, blurred and delayed along with
    them.
    """

    name = "information"
    position = 1
    order = 7
    parameters = InformationParameters

    def __init__(
        self, settings: InformationParameters, rules: Rules[Any], declared: Declaration
    ) -> None:
        super().__init__(settings, rules, declared)
        self.check_says_something(settings, "hide", "show", "noise", "delay", "graph")
        fields = {field.name: field for field in declared.observations}
        self.turned = {field.name for field in rules.turn.fields}
        self._check(declared, fields)
        self.late = {name: round(self.s * d) for name, d in settings.delay.items()}
        for name, d in self.late.items():
            if d == 0:
                rule = f"rounds to 0 periods at intensity {self.s:g}"
                raise self.refusal(f"delay.{name}", settings.delay[name], rule)
        self.fields, self.public = fields, {f.name for f in fields.values() if _public(f)}
        self.unseen = self._unseen() if settings.graph else {}
        state = {field.name: field for field in declared.state}
        self.shown = [state[name] for name in settings.show]
        self.touched = {*settings.hide, *settings.noise, *settings.delay, *self.unseen}
        self.sums = {name: of for name, of in declared.sums.items() if of.of in self.touched}
        self._check_sums()
        self.declared = self._declare(declared)

    def _declare(self, declared: Declaration) -> Declaration:
        seen = [self._changed(field) for field in declared.observations]
        seen += [self._shown(field) for field in self.shown]
        seen += [_age(name, d) for name, d in self.late.items()]
        buffers = tuple(self._buffer(self.fields[name], d) for name, d in self.late.items())
        state = (*declared.state, *buffers)
        return replace(declared, observations=tuple(seen), state=state)

    def _check(self, declared: Declaration, fields: dict[str, Field]) -> None:
        hideable = [name for name, field in fields.items() if not field.open]
        self._check_names("hide", hideable, "an observation that can be hidden")
        self._check_names("show", [f.name for f in declared.state], "a quantity of the state")
        for key in ("hide", "show"):
            named = getattr(self.settings, key)
            if len(set(named)) < len(named):
                raise self.refusal(key, named, "names a field twice")
        reals = [name for name, field in fields.items() if field.kind == "real" and not field.names]
        self._check_names("noise", reals, "an observation that can be blurred")
        self._check_names("delay", list(fields), "an observation")
        self._check_told(declared, fields)
        for name in self.turned & set(self.settings.delay):
            rule = "it shows the current period's decisions, which cannot be delayed"
            raise self.refusal(f"delay.{name}", self.settings.delay[name], rule)
        if self.settings.graph == ():
            raise self.refusal("graph", (), "should contain at least one pair")
        if self.settings.graph and not any(map(self._seat_axes, fields.values())):
            rule = f"no observation of {self.rules.id} has a number per seat"
            raise self.refusal("graph", self.settings.graph, rule)

    def _check_told(self, declared: Declaration, fields: dict[str, Field]) -> None:
        revealed = told_by_limits(self.rules.config.agents, self.seats, declared.actions)
        for key in ("hide", "noise", "delay"):
            for name in getattr(self.settings, key):
                if name in revealed:
                    rule = f"the limits of {revealed[name]} reveal {name!r} to each seat"
                    if self._seat_axes(fields[name]):
                        rule += "; to hide the others' values, use graph"
                    raise self.refusal(key, getattr(self.settings, key), rule)

    def _check_sums(self) -> None:
        for name, sum_ in self.sums.items():
            if name in self.late and sum_.of in {*self.settings.noise, *self.late}:
                rule = f"it is the sum of {sum_.of}, and delayed or blurred with it; name only one"
                raise self.refusal(f"delay.{name}", self.settings.delay[name], rule)

    def _check_names(self, key: str, valid: list[str], noun: str) -> None:
        self.check_names(
            self.settings, key, getattr(self.settings, key), valid, noun, self.rules.id
        )

    def _seat_axes(self, field: Field) -> int:
        """Return the number of a field's leading axes that represent seats and are limited by a
        graph."""
        n, shape = self.seats, field.shape
        if field.name in self.turned:
            return 1
        if not field.maskable or field.common:
            return 0
        return len(shape) if shape in ((n,), (n, n)) else 0

    def _unseen(self) -> dict[str, Array]:
        """Return flags (n, *shape) for each field that the graph limits: the entries hidden from
        seat i.
        """
        far, unseen = ~self._neighbours(), {}
        for name, field in self.fields.items():
            axes = self._seat_axes(field)
            if axes:
                flags = far if axes == 1 else far[:, :, None] | far[:, None, :]
                unseen[name] = flags.reshape(flags.shape + (1,) * (len(field.shape) - axes))
        return unseen

    def in_view(self) -> Array | None:
        return self._neighbours() if self.settings.graph else None

    def _neighbours(self) -> Array:
        """Return flags (n, n): whether seat i sees the number of seat j. Raises ConfigError."""
        graph, n = self.settings.graph or (), self.seats
        for i, j in () if isinstance(graph, str) else graph:
            for seat in (i, j):
                if not 0 <= seat < n:
                    rule = f"seat {seat} is not in 0 .. {n - 1}"
                    raise self.refusal("graph", (i, j), rule)
            if i == j:
                raise self.refusal("graph", (i, j), "a seat cannot be its own neighbour")
        seen = neighbours(graph, n)
        missing = np.flatnonzero(seen.sum(axis=1) == 1)
        if n > 1 and missing.size:
            raise self.refusal("graph", graph, f"seat {missing[0]} is in no pair")
        return seen

    # -- layouts --------------------------------------------------------------------------

    def _changed(self, field: Field) -> Field:
        name = field.name
        of = self.sums[name].of if name in self.sums else name
        if name in self.settings.noise or of in self.settings.noise:
            field = replace(field, low=-np.inf, high=np.inf)
        if name in self.settings.hide:
            field = field.hideable()
        if name in self.unseen:
            field = replace(field, visibility="private")
        return replace(field, reads=tuple(self._reads(field, of)))

    def _reads(self, field: Field, of: str) -> Iterator[str]:
        """Yield a field's sources; for a sum, these are the sources of the numbers that it adds
        up."""
        late = [name for name in dict.fromkeys((field.name, of)) if name in self.late]
        yield from (f"late_{name}" for name in late)
        if not late:
            yield from field.sources
        for name in dict.fromkeys((field.name, of)):
            if name in self.settings.noise:
                yield _stream(name)

    def _shown(self, field: Field) -> Field:
        return replace(
            field,
            name=f"shown_{field.name}",
            kind="real",
            visibility="private" if self.s < 1.0 else "public",
            maskable=True,
            reads=(field.name,),
        )

    def _buffer(self, field: Field, periods: int) -> Field:
        """Return the state field that stores the last periods' observations, latest first."""
        shape = field.shape if _public(field) else (self.seats, *field.shape)
        return replace(
            field,
            name=f"late_{field.name}",
            meaning=f"seen later: {field.meaning}",
            shape=(periods + 1, *shape),
            visibility="hidden",
            common=True,
            bulk=field.bulk or field.kind in ("real", "flag"),
            reads=(),
        )

    # -- a play ---------------------------------------------------------------------------

    def draw(self, chance: Chance) -> Arrays:
        drawn: dict[str, Array] = {}
        for name, deviation in self.settings.noise.items():
            field = self.fields[name]
            shape = field.shape if _public(field) else (self.seats, *field.shape)
            stream = _stream(name)
            # a seat that knows one true number can infer its error, so errors need separate keys
            drawn[stream] = self.s * deviation * chance(stream).apart(shape).normal()
        applied = {"hide": self.settings.hide, "show": self.settings.show, "far": self.unseen}
        for event, setting in applied.items():
            if setting:
                drawn |= self.sometimes(chance, event)
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
        for field in self.shown:
            changed[f"shown_{field.name}"] = self._opened(field, state, chance)
        for name, periods in self.late.items():
            changed[name] = np.moveaxis(state[f"late_{name}"], len(batch), 0)[-1]
            changed[f"age_{name}"] = np.minimum(state["period"], periods)
        for name in self.touched - set(self.sums):
            changed[name] = self._limited(name, changed[name], chance, batch)
        for name, sum_ in self.sums.items():
            added = self._added(sum_, changed[sum_.of], batch)
            shown = changed[name] if name in self.late else added
            total = np.where(np.isnan(added) | np.isnan(changed[name]), np.nan, shown)
            changed[name] = self._limited(name, total, chance, batch)
        return changed

    def _limited(self, name: str, value: Array, chance: Arrays, batch: tuple[int, ...]) -> Array:
        """Return a field after blurring, limiting it to neighbours and hiding it, as configured."""
        public = name in self.public
        if name in self.settings.noise:
            value = value + chance[_stream(name)]
        if name in self.unseen:
            value = np.expand_dims(value, len(batch)) if public else value
            unseen, applies = self.unseen[name], self.applies(chance, "far")
            far = unseen & applies.reshape(applies.shape + (1,) * (unseen.ndim - 1))
            value, public = np.where(far, np.nan, value), False
        if name in self.settings.hide:
            hidden = np.broadcast_to(self.applies(chance, "hide"), (*batch, self.seats))
            value = masked(value, hidden, public, batch)
        return value

    def _added(self, sum_: Sum, values: Array, batch: tuple[int, ...]) -> Array:
        """Return the sums over the group members that each seat sees, shape (n,)."""
        if sum_.of not in {*self.settings.hide, *self.unseen}:
            values = np.expand_dims(values, len(batch))
        groups = np.array(sum_.groups)
        return over_seats(np.where(groups[:, None] == groups, values, 0.0))

    def alters(self, name: str, personal: bool = False) -> bool:
        settings = self.settings
        if personal:
            return name in {*settings.hide, *settings.noise, *settings.delay}
        return name in self.touched or name in self.sums

    def _opened(self, field: Field, state: Arrays, chance: Arrays) -> Array:
        value = state[field.name].astype(np.float64)
        if self.s >= 1.0:
            return value
        return masked(value, ~self.applies(chance, "show"), True, np.shape(state["period"]))


def _public(field: Field) -> bool:
    return field.visibility == "public"


def _stream(name: str) -> str:
    """Return the name of the random array that is added to a field as its noise."""
    return f"information.noise.{name}"


def _age(name: str, periods: int) -> Field:
    meaning = f"how many periods old {name} is"
    return Field(f"age_{name}", meaning, "periods", kind="whole", low=0, high=periods, open=True)

"""The hooks with which a game defines its rules; `engine.game.Game` calls them.

`id`, `version`, `Core`, `archetypes`, `horizon`, `declare`, `initial`, `transition`, `reward` and
`view` are required; every other hook does nothing by default. The last hooks support layers
(`engine.layers`); a game without such a hook rejects the layers that need it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from mixed_company.engine.contract.chance import Chance
from mixed_company.engine.contract.config import Configuration, Core
from mixed_company.engine.contract.declaration import Declaration, EventKind
from mixed_company.engine.contract.drift import Drift
from mixed_company.engine.contract.peers import Peers
from mixed_company.engine.contract.presence import Presence
from mixed_company.engine.contract.sight import Turn
from mixed_company.engine.contract.space import Array, Arrays, Field

CoreT = TypeVar("CoreT", bound=Core)


class InForce(NamedTuple, Generic[CoreT]):
    """The rules in force, after layers have changed them and before anything is declared.

    core         the parameters in force: those of the config, with the externality scaled
    externality  the factor that scales the externality, 1 without the interaction layer
    weights      (n,) the weights of the seats, None if all have the same weight
    drifts       core parameters that drift, and their change per period as a share
    shocks       state fields with shocks, and the largest change by a shock
    """

    core: CoreT
    externality: float
    weights: Array | None
    drifts: Mapping[str, float]
    shocks: Mapping[str, float] = MappingProxyType({})


class Rules(ABC, Generic[CoreT]):
    """Rules of a game under one configuration.

    `core`, `externality`, `weights`, `drifts` and `shocks` are those of InForce.
    """

    id: ClassVar[str]
    version: ClassVar[str]
    Core: ClassVar[type[Core]]
    archetypes: ClassVar[Mapping[str, Mapping[str, Any]]]
    superseded: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    """Archetypes from earlier releases: a configuration may name them, but no page offers them."""
    reference: ClassVar[str] = "lab"
    """Archetype for comparing policies and measuring speed across releases."""
    changes: ClassVar[Mapping[str, str]] = {}
    """Changes made by each version after the first ("1"), in order."""
    may_drift: ClassVar[tuple[str, ...]] = ()
    """Core parameters that may drift under the uncertainty layer; read them with `now`."""
    weighs: ClassVar[bool] = False
    """True if the game uses `weights`, which the power layer sets."""
    lasting: ClassVar[tuple[str, ...]] = ()
    """Observations with a number per seat that make a seat recognisable in other periods."""
    holding: ClassVar[str | None] = None
    """Name of the state field and observation with each seat's holdings. Costs of peer points
    cannot exceed them. With peer points, a seat sees only its own holdings, because the others'
    would reveal their spending.
    """
    own_timing: ClassVar[str | None] = None
    """Core parameter that sets the order of actions, in games that do not use `agents.timing`."""

    event_kinds: ClassVar[Mapping[str, EventKind]] = {}
    """Events that `events` returns, by name."""

    config: Configuration[Any]
    core: CoreT
    seats: int
    externality: float
    weights: Array | None
    drifts: Mapping[str, float]
    shocks: Mapping[str, float]
    peers: Peers | None
    presence: Presence
    turn: Turn
    own_observations: tuple[Field, ...]
    _drift: Drift

    @property
    @abstractmethod
    def horizon(self) -> int:
        """Maximum number of periods in a play."""

    @property
    def told_horizon(self) -> int | None:
        """Number of periods that seats are told; None if they are not told."""
        return self.horizon

    @property
    def told(self) -> CoreT:
        """Parameters that policies know, namely those stated in the instructions."""
        return self.core

    @property
    def shows_income(self) -> bool:
        """True if seats see what others earned before peer points are assigned."""
        return True

    def prepare(self) -> None:
        """Compute what the rules need from `core`, before anything is declared."""

    @abstractmethod
    def declare(self) -> Declaration:
        """Return the layouts of this game under this configuration."""

    def draw(self, chance: Chance) -> Arrays:
        """Return named random arrays for one step or, at period -1, for the reset."""
        return {}

    @abstractmethod
    def initial(self, chance: Arrays, batch: tuple[int, ...]) -> Arrays:
        """Return the state before the first period."""

    def limits(self, state: Arrays) -> Mapping[str, tuple[Any, Any]]:
        """Return bounds by action field, if this state makes them tighter than declared.

        Bounds are inclusive, and are numbers or (n,) arrays. An amount outside them is clamped; a
        choice outside them is refused. A seat that does not decide takes the field's default,
        clamped to the bounds.
        """
        return {}

    @abstractmethod
    def transition(self, state: Arrays, used: Arrays, chance: Arrays) -> Arrays:
        """Return the next state, without the contract's own fields."""

    @abstractmethod
    def reward(self, before: Arrays, used: Arrays, after: Arrays) -> Arrays:
        """Return the reward components, shape (n,) each."""

    @abstractmethod
    def view(self, state: Arrays, chance: Arrays) -> Arrays:
        """Return the declared observation fields."""

    def in_view(self) -> Array | None:
        """Return flags (n, n): whether seat i sees the numbers of seat j; None if all seats see all
        numbers.

        They also limit which earlier decisions in the same period are shown.
        """
        return None

    def ending(self, state: Arrays) -> Mapping[str, Array]:
        """Return flags () by declared reason: whether the play ends for this reason."""
        return {}

    def seat_ending(self, state: Arrays) -> Mapping[str, Array]:
        """Return flags (n,) by declared reason: the seats that end for this reason."""
        return {}

    def events(self, before: Arrays, used: Arrays, after: Arrays) -> list[dict[str, Any]]:
        """Return a period's events in one play (batch shape `()`) for the log.

        Each event has a name, `event` (one of `event_kinds`), the `seat` that it concerns, if any,
        and a few plain values.
        """
        return []

    def most(self, field: Field) -> float:
        """Return the largest amount that a seat can ever use: by default, the declared upper
        limit."""
        return field.high

    def info(self, before: Arrays, used: Arrays, after: Arrays) -> Mapping[str, Any]:
        """Return a period's declared `info` in one play (batch shape `()`) as plain JSON."""
        return {}

    def cooperation(self, before: Arrays, used: Arrays, after: Arrays) -> Array:
        """Return how cooperative each seat was, 0 to 1, shape (n,). Reputations need this hook."""
        raise NotImplementedError

    def income(self, before: Arrays, used: Arrays, after: Arrays) -> Array:
        """Return each seat's earnings in the `decide` stage, shape (n,). Peer points need this
        hook.

        `after` is the result of `transition`, before endings are judged and points take effect.
        """
        raise NotImplementedError

    def scaled(self, core: CoreT, factor: float) -> CoreT | None:
        """Return the parameters with seats' effects on each other scaled by `factor`, or None.

        A game without such a parameter returns `core` and uses `self.externality` in its rules.
        Raises ConfigError if a parameter would leave its range (`engine.contract.drift`).
        """
        return None

    def repaired(self, before: Arrays, after: Arrays) -> Arrays:
        """Recompute the state fields that depend on fields changed by a shock."""
        return {}

    @classmethod
    def known_archetypes(cls) -> dict[str, Mapping[str, Any]]:
        """Return all archetypes that configurations may name, including those of earlier
        releases."""
        return {**cls.archetypes, **cls.superseded}

    @classmethod
    def defines_cooperation(cls) -> bool:
        """Return whether the game defines cooperation."""
        return cls.cooperation is not Rules.cooperation

    # -- helpers for games ---------------------------------------------------------------

    def now(self, name: str, state: Arrays, axes: int = 0) -> Any:
        """Return a core parameter's value in this period: a number, or one per play if it drifts.

        `axes` is the number of axes to add, so the result broadcasts with an array that has this
        many axes after the batch axes.
        """
        if name not in self._drift.rates:
            return getattr(self.core, name)
        return self._drift.now(name, state["period"], axes)

    def ends(self, name: str) -> tuple[float, float]:
        """Return the smallest and the largest value of a core parameter over a play."""
        return self._drift.ends(name, self.horizon)

    def playing(self, state: Arrays) -> Array | None:
        """Return flags (n,) for the seats active in this period; None if all are always active."""
        return self.presence.playing(state)

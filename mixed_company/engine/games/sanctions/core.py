"""Parameters of the sanctions game; `engine.games.sanctions` explains them.

`endowment`, `baseline` and `share` are each either one number for all seats or a list with one
number per seat. `dependence` is either one number for every pair or a matrix: row i is how much
seat i depends on each seat.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field as PydanticField
from pydantic import ValidationInfo, field_validator, model_validator

from mixed_company.engine.contract.config import parameter
from mixed_company.engine.contract.errors import listed
from mixed_company.engine.contract.peer_core import PeerCore
from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.sanctions.design import check_design

Amount = Annotated[float, PydanticField(gt=0, le=1e6)]
Level = Annotated[float, PydanticField(ge=0, le=1e6)]
Unit = Annotated[float, PydanticField(ge=0, le=1)]

MOST_PERIODS = 10_000
"""Largest number of periods. Policies see this number if seats are not told the true number."""

_give = partial(parameter, group="Contributions and their returns")
_tell = partial(parameter, group="Options and information of players")
_loss = partial(parameter, group="Sanctions")
_trust = partial(parameter, group="Trust and reputations")


_OF_PUBLIC_GOOD = ("contributions", "framing", "others_earnings")
_OF_TRUST = ("lambda_plus", "lambda_minus", "mu_R", "delta_R", "xi")
"""Keys that have no effect if `kappa_T` is 0, because trust and reputations then never change."""
_OF_SANCTIONS = ("rho_0", "eta", "kappa", "omega", "falls_on", "form")
"""Keys that have no effect if `lambda_R` is 0."""


class SanctionsCore(PeerCore):
    """Parameters of the sanctions game."""

    later: ClassVar[tuple[str, ...]] = (
        *PeerCore.later,
        *("periods_told", "contributions", "framing", "others_earnings"),
    )

    seats: int = parameter(6, "number of seats", symbol="n", ge=2, le=100, first=True)
    periods: int = parameter(
        200, "number of periods", symbol="T", ge=1, le=MOST_PERIODS, first=True
    )

    endowment: Amount | tuple[Amount, ...] = _give(
        100.0, "points that a seat gets every period: a number or a list", unit="points", symbol="e"
    )
    baseline: Level | tuple[Level, ...] = _give(
        40.0, "expected contribution: a number or a list", unit="points", symbol="b"
    )
    dependence: Unit | tuple[tuple[Unit, ...], ...] = _give(
        0.35, "how much one seat depends on another: a number or a list of rows", symbol="D"
    )
    share: Unit | tuple[Unit, ...] | None = _give(
        None,
        "share of the synergy: a number or a list; empty: equal shares; not if public_good",
        symbol="alpha",
        validate_default=True,
    )

    production: Literal["logarithmic", "power", "public_good"] = _give(
        "logarithmic", "form of the production function"
    )
    theta: float = _give(
        20.0,
        "multiplier for what contributions produce; if logarithmic",
        symbol="theta",
        ge=0,
        le=1e6,
    )
    beta: float = _give(0.75, "exponent of the production; if power", symbol="beta", gt=0, le=1)
    mpcr: float = _give(
        0.4,
        "points that everyone gets for each point in the pool; if public_good",
        symbol="MPCR",
        ge=0,
        le=1e3,
    )
    allow_any_mpcr: bool = _give(
        False, "whether the MPCR may be outside 1/n .. 1, where there is no dilemma"
    )
    synergy: float = _give(
        0.65,
        "points per unit of the contributions' geometric mean; not if public_good",
        symbol="gamma",
        ge=0,
        le=1e3,
    )
    reward: Literal["integrated", "private", "cooperative"] = _give(
        "integrated", "how others' welfare counts: weighted by trust, not at all, or shared equally"
    )

    periods_told: bool = _tell(True, "whether seats are told the number of periods")
    contributions: Literal["any", "all_or_nothing"] = _tell(
        "any",
        "any: any amount up to the endowment; all_or_nothing: only the entire endowment or 0; if "
        "public_good",
    )
    framing: Literal["give", "take"] = _tell(
        "give",
        "wording and controls of the decision: give: players give to an empty pool; take: the "
        "pool starts with all endowments, and players take out whatever they do not contribute; "
        "if public_good",
    )
    others_earnings: Literal["hidden", "step", "seen"] = _tell(
        "step",
        "what seats see of the others' points: hidden: nothing; step: with peer points, each "
        "seat's earnings before points are assigned; seen: also each seat's earnings in every "
        "period, including the cost and effect of peer points; if public_good",
    )

    rho_0: float = _loss(0.6, "reciprocity at full dependence", symbol="rho_0", ge=0, le=1e3)
    eta: float = _loss(
        1.5, "elasticity of reciprocity with respect to dependence", symbol="eta", ge=0, le=100
    )
    kappa: float = _loss(0.8, "steepness of the response", symbol="kappa", ge=0, le=1e3)
    memory: int = _loss(
        10, "number of remembered periods", unit="periods", symbol="k", ge=1, le=10_000
    )
    lambda_R: float = _loss(
        1.8, "weight of reciprocity", unit="points", symbol="lambda_R", ge=0, le=1e6
    )
    omega: float = _loss(
        1.0, "amplification of reciprocity by dependence", symbol="omega", ge=0, le=1e3
    )
    signal: Literal["baseline", "deviation"] = _loss(
        "baseline",
        "the memory compared with the baseline, or the contribution compared with the memory",
    )
    window: Literal["inclusive", "prior", "peer", "full"] = _loss(
        "inclusive", "periods over which the memory is averaged"
    )
    falls_on: Literal["deviator", "observer"] = _loss(
        "deviator", "seat whose reward is changed by reciprocity"
    )
    form: Literal["additive", "multiplier"] = _loss(
        "additive", "whether reciprocity is added to the reward or multiplies it"
    )

    lambda_plus: float = _trust(0.1, "rate at which trust builds up", symbol="lambda_+", ge=0, le=1)
    lambda_minus: float = _trust(0.3, "rate at which trust erodes", symbol="lambda_-", ge=0, le=1)
    mu_R: float = _trust(0.6, "rate of damage to a reputation", symbol="mu_R", ge=0, le=1)
    delta_R: float = _trust(
        0.03, "rate at which damage to a reputation decays", symbol="delta_R", ge=0, le=1
    )
    xi: float = _trust(
        0.5, "additional erosion of trust because of dependence", symbol="xi", ge=0, le=1e3
    )
    kappa_T: float = _trust(1.0, "steepness of trust", symbol="kappa_T", ge=0, le=1e3)
    initial_trust: float = _trust(0.5, "trust before period 0", symbol="T_0", ge=0, le=1)
    initial_reputation: float = _trust(
        0.0, "damage to reputations before period 0", symbol="R_0", ge=0, le=1
    )

    def idle(self) -> set[str]:
        public_good = self.production == "public_good"
        idle = {"synergy", "share"} if public_good else {"mpcr", "allow_any_mpcr", *_OF_PUBLIC_GOOD}
        idle |= {"theta"} if self.production != "logarithmic" else set()
        idle |= {"beta"} if self.production != "power" else set()
        idle |= {*_OF_TRUST} if self.kappa_T == 0 else set()
        return super().idle() | idle | ({*_OF_SANCTIONS} if self.lambda_R == 0 else set())

    @field_validator("share", mode="after")
    @classmethod
    def _fill_share(cls, share: Any, info: ValidationInfo) -> Any:
        seats = info.data.get("seats")
        return 1.0 / seats if share is None and seats else share

    @model_validator(mode="after")
    def _possible(self) -> SanctionsCore:
        n = self.seats
        for name in ("endowment", "baseline", "share"):
            _check_length(name, getattr(self, name), n)
        total = float(per_seat(self.share, n).sum())
        if abs(total - 1.0) > 1e-9:
            raise ValueError(
                f"share = {listed(self.share)}: the shares of {n} seats should sum to 1, "
                f"not {total:g}"
            )
        has, owes = per_seat(self.endowment, n), per_seat(self.baseline, n)
        for seat in np.flatnonzero(owes > has):
            raise ValueError(
                f"baseline = {listed(self.baseline)}: {owes[seat]:g} is above the endowment "
                f"of seat {seat}, {has[seat]:g}"
            )
        _check_dependence(self.dependence, n)
        if self.peer != "none" and self.production != "public_good":
            raise ValueError(
                f"peer = {self.peer!r}: needs production = 'public_good', not {self.production!r}"
            )
        check_design(self)
        dilemma = 1.0 / n < self.mpcr < 1.0
        if self.production == "public_good" and not (dilemma or self.allow_any_mpcr):
            raise ValueError(
                f"mpcr = {self.mpcr:g}: should be between 1/n = {1 / n:g} and 1, exclusive; "
                f"allow_any_mpcr = true lifts this limit"
            )
        return self


def per_seat(value: Any, seats: int) -> Array:
    """Return each seat's value, shape (n,), from one number or a list."""
    return np.zeros(seats) + np.asarray(value, dtype=np.float64)


def dependence_matrix(core: SanctionsCore) -> Array:
    """Return the matrix (n, n) of how much seat i depends on seat j; 0 on the diagonal."""
    if isinstance(core.dependence, tuple):
        return np.array(core.dependence, dtype=np.float64)
    return core.dependence * (1.0 - np.eye(core.seats))


def _check_length(name: str, value: Any, seats: int) -> None:
    if isinstance(value, tuple) and len(value) != seats:
        raise ValueError(f"{name} = {listed(value)}: should be {seats} numbers, one per seat")


def _check_dependence(rows: Any, seats: int) -> None:
    if not isinstance(rows, tuple):
        return
    if len(rows) != seats or any(len(row) != seats for row in rows):
        raise ValueError(f"dependence = {listed(rows)}: should be {seats} rows of {seats} numbers")
    for seat, row in enumerate(rows):
        if row[seat] != 0:
            raise ValueError(
                f"dependence = {listed(rows)}: seat {seat} has a dependence of "
                f"{row[seat]:g} on itself; the diagonal should be 0"
            )


_LAB: Mapping[str, Any] = {
    "seats": 4,
    "periods": 20,
    "endowment": 20.0,
    "baseline": 5.0,
    "production": "public_good",
    "reward": "private",
    "memory": 2,
    "kappa": 2.5,
    "kappa_T": 0.0,
    "lambda_R": 16.0,
}

_LAB_0_7: Mapping[str, Any] = {
    "seats": 4,
    "periods": 20,
    "endowment": 20.0,
    "baseline": 10.0,
    "production": "public_good",
    "reward": "private",
    "lambda_R": 40.0,
    "lambda_minus": 0.02,
    "mu_R": 0.02,
}

_LAB_0_8: Mapping[str, Any] = {
    "seats": 4,
    "periods": 20,
    "endowment": 20.0,
    "baseline": 20.0,
    "production": "public_good",
    "reward": "private",
    "memory": 2,
    "kappa": 0.05,
    "kappa_T": 0.0,
    "lambda_R": 120.0,
}

ARCHETYPES: Mapping[str, Mapping[str, Any]] = {
    "source": {},
    "tr4": {"signal": "deviation", "window": "prior", "falls_on": "observer"},
    "coopetition_gym": {
        "signal": "deviation",
        "window": "peer",
        "falls_on": "observer",
        "form": "multiplier",
    },
    "lab": _LAB,
    "unsanctioned": {**_LAB, "lambda_R": 0.0},
    "graduated": {
        "baseline": 100.0,
        "production": "public_good",
        "reward": "private",
        "window": "full",
        "kappa": 0.01,
        "kappa_T": 0.0,
        "lambda_R": 470.0,
    },
    "reputation": {
        **_LAB_0_7,
        "layers": {
            "temporal": {"intensity": 1.0, "reputation_window": 5, "reward_delay": 2},
            "information": {
                "intensity": 1.0,
                "hide": (
                    "contribution",
                    "memory_averages",
                    "trust",
                    "reputation",
                    "reciprocity_effects",
                ),
            },
        },
    },
}

SUPERSEDED: Mapping[str, Mapping[str, Any]] = {"lab_0_7": _LAB_0_7, "lab_0_8": _LAB_0_8}

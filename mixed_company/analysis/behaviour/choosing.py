"""The people of an export who choose, as types of a population."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from mixed_company.analysis.behaviour.choosers import Chooser, choosers
from mixed_company.analysis.behaviour.correlations import of_means
from mixed_company.analysis.behaviour.decisions import PERSON
from mixed_company.analysis.behaviour.model import Model, find, models
from mixed_company.analysis.behaviour.panel import Panel
from mixed_company.analysis.data import GROUP
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.game import Game
from mixed_company.policies.populations.fitted import policy_of
from mixed_company.policies.populations.form import Spread, Type
from mixed_company.policies.sharing import Sharing

__all__ = ["Choosing"]


class Choosing:
    """People who choose, and the models by which a policy in their seats can.

    panel      all their decisions, prepared for these models
    explained  (D,) flags: those about which all these models say something
    """

    def __init__(self, keys: pd.DataFrame, panel: Panel) -> None:
        self.models = _followed(panel)
        for model in self.models:
            panel = model.prepared(panel)
        explained = np.logical_and.reduce([model.silent(panel) == "" for model in self.models])
        person = keys.groupby(PERSON, sort=False).ngroup().to_numpy()
        there = np.isin(person, person[explained])
        if not there.any():
            raise ConfigError("decisions: there is none that a model can explain")
        self.panel, self.explained = panel.take(there), explained[there]
        self.panel.person[:] = np.unique(person[there], return_inverse=True)[1]
        self.row_group = keys.groupby(GROUP, sort=False).ngroup().to_numpy()[there]
        self.count = int(self.panel.person.max()) + 1
        self.groups = len(np.unique(self.row_group))
        self.log_likelihood, self.model = 0.0, ""

    def types(self, most: int, sharing: Sharing) -> list[Type]:
        """The types of the mixture that is best by BIC, of `most` at most."""
        rest = (self.row_group, self.models, most, sharing)
        fit = choosers(self.panel, self.explained, *rest)
        self.log_likelihood = fit.log_likelihood
        self.model = ", ".join(sorted({kind.model.name for kind in fit.types}))
        called = [kind.model.name for kind in fit.types]
        names = [
            name if called.count(name) == 1 else f"{name} {called[: place + 1].count(name)}"
            for place, name in enumerate(called)
        ]
        return [
            Type(
                name=name,
                policy=kind.model.name,
                share=kind.share,
                share_error=_known(kind.share_error),
                source=f"{kind.share * self.count:.1f} of {self.count} people",
                parameters=_of(kind),
                correlation=of_means(
                    [parameter.name for parameter in kind.model.parameters], kind.correlation
                ),
            )
            for name, kind in zip(names, fit.types, strict=True)
        ]


def _known(error: float) -> float | None:
    return None if np.isnan(error) else float(error)


def _of(kind: Chooser) -> dict[str, float | Spread]:
    """The numbers of a type as parameters of its policy; the precision is the first of them."""
    first, *rest = kind.model.parameters
    spread, spread_error = float(kind.values[-1]), _known(kind.errors[-1])
    means = [
        (float(value), _known(error)) for value, error in zip(kind.values, kind.errors, strict=True)
    ]
    own: dict[str, float | Spread] = {
        first.name: _normal(*means[0], spread, spread_error, log=True)
    }
    return own | {
        parameter.name: _normal(*mean, 0.0, None)
        for parameter, mean in zip(rest, means[1:], strict=False)
    }


def _normal(
    mean: float, error: float | None, sd: float, sd_error: float | None, log: bool = False
) -> Spread:
    return Spread(mean=mean, sd=sd, mean_error=error, sd_error=sd_error, log=log)


def _followed(panel: Panel) -> list[Model]:
    """The models that a policy can follow in all these games. Raises ConfigError: there is none."""
    played = {id(faced.game): faced.game for faced in panel.faced}.values()
    why: list[str] = []
    followed = []
    for name in models(panel.faced[0].game.id):
        refused = _refused(find(name, panel.faced[0].game.id), list(played), panel.field)
        why += [refused] if refused else []
        followed += [] if refused else [find(name, panel.faced[0].game.id)]
    if not followed:
        raise ConfigError("\n".join(why))
    return followed


def _refused(model: Model, played: list[Game[Any]], field: str) -> str:
    """Why no policy follows the model in these games; empty: one does."""
    policy = policy_of(model.name, played[0].id)
    if policy is None:
        return f"{model.name}: no policy decides by it in {played[0].id}"
    for game in played:
        try:
            policy.for_game(game)
        except ConfigError as error:
            return str(error)
        if model.refuses(game, field):
            return f"{model.name}: {model.refuses(game, field)}"
    return ""

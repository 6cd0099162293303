"""Types of a population, estimated from an export of a game in which people make choices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from mixed_company.analysis.behaviour.choosers import Chooser, choosers
from mixed_company.analysis.behaviour.decisions import PERSON
from mixed_company.analysis.behaviour.model import Model, find, models
from mixed_company.analysis.behaviour.panel import Panel
from mixed_company.analysis.data import GROUP
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.game import Game
from mixed_company.policies.populations.fitted import policy_of
from mixed_company.policies.populations.form import Spread, Type
from mixed_company.policies.sharing import Sharing


class Choosing:
    """People who make choices, and the models that a policy can follow in a seat.

    panel      all their decisions, prepared for these models
    explained  (D,) flags of the decisions that every one of these models explains
    """

    def __init__(self, keys: pd.DataFrame, panel: Panel) -> None:
        self.models = _followed(panel)
        for model in self.models:
            panel = model.prepared(panel)
        explained = np.logical_and.reduce([model.silent(panel) == "" for model in self.models])
        person = keys.groupby(PERSON, sort=False).ngroup().to_numpy()
        kept = np.isin(person, person[explained])
        if not kept.any():
            raise ConfigError("no model can explain any of the decisions")
        self.panel, self.explained = panel.take(kept), explained[kept]
        self.panel.person[:] = np.unique(person[kept], return_inverse=True)[1]
        self.row_group = keys.groupby(GROUP, sort=False).ngroup().to_numpy()[kept]
        self.count = int(self.panel.person.max()) + 1
        self.groups = len(np.unique(self.row_group))
        self.log_likelihood, self.model = 0.0, ""

    def types(self, max_types: int, sharing: Sharing) -> list[Type]:
        """Return the types of the mixture with the smallest BIC, with at most `max_types` types."""
        rest = (self.row_group, self.models, max_types, sharing)
        fit = choosers(self.panel, self.explained, *rest)
        self.log_likelihood = fit.log_likelihood
        self.model = ", ".join(sorted({kind.model.name for kind in fit.types}))
        model_names = [kind.model.name for kind in fit.types]
        names = [
            name
            if model_names.count(name) == 1
            else f"{name} {model_names[: place + 1].count(name)}"
            for place, name in enumerate(model_names)
        ]
        return [
            Type(
                name=name,
                policy=kind.model.name,
                share=kind.share,
                share_error=_known(kind.share_error),
                source=f"{kind.share * self.count:.1f} of {self.count} people",
                parameters=_of(kind),
                correlation=kind.correlations(
                    [parameter.name for parameter in kind.model.parameters]
                ),
            )
            for name, kind in zip(names, fit.types, strict=True)
        ]


def _known(error: float) -> float | None:
    return None if np.isnan(error) else float(error)


def _of(kind: Chooser) -> dict[str, float | Spread]:
    """Return a type's estimates as parameters of its policy, with the precision first."""
    names = [parameter.name for parameter in kind.model.parameters]
    *means, sd = kind.values.tolist()
    *errors, sd_error = map(_known, kind.errors)
    parameters: dict[str, float | Spread] = {
        name: Spread(mean=mean, sd=0.0, mean_error=error)
        for name, mean, error in zip(names, means, errors, strict=True)
    }
    precision = {"mean": means[0], "sd": sd, "mean_error": errors[0], "sd_error": sd_error}
    return parameters | {names[0]: Spread(**precision, log=True)}


def _followed(panel: Panel) -> list[Model]:
    """Return the models that a policy can follow in all these games. Raises ConfigError if there
    are none."""
    played = [game for game, _ in panel.by_game()]
    reasons: list[str] = []
    followed = []
    for name in models(played[0].id):
        model = find(name, played[0].id)
        refused = _refused(model, played, panel.field)
        if refused:
            reasons.append(refused)
        else:
            followed.append(model)
    if not followed:
        raise ConfigError("\n".join(reasons))
    return followed


def _refused(model: Model, played: list[Game[Any]], field: str) -> str:
    """Return the reason why no policy can follow the model in these games; an empty string if one
    can."""
    policy = policy_of(model.name, played[0].id)
    if policy is None:
        return f"{model.name}: no policy can follow this model in {played[0].id}"
    for game in played:
        try:
            policy.for_game(game)
        except ConfigError as error:
            return str(error)
        if model.refuses(game, field):
            return f"{model.name}: {model.refuses(game, field)}"
    return ""

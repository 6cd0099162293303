"""Models of how people decide: they are fitted by maximum likelihood and compared, and known
parameters can be recovered.

    from mixed_company.analysis import behaviour
    behaviour.models("sanctions")                            the models of a game
    behaviour.fitted(data, "conditional_cooperation")        one row per person
    behaviour.compared(data, per="treatment")                all models, on the same decisions
    behaviour.predicted(data)                                scores on held-out groups
    behaviour.punishing(data)                                who punishes whom, and how much
    behaviour.calibrated(data)                               a population of types, to save
    behaviour.calibrated(data, moving=True)                  types that change between periods
    people = behaviour.simulated_people("quantal_response", {"precision": 0.4}, "sanctions",
                                        groups=10, seed=1, archetype="lab")
    behaviour.recovery("quantal_response", "sanctions", [{"precision": 0.4}], groups=10, seed=1,
                       repetitions=5, archetype="lab")       recovery of known parameters

`data` is an `analysis.Data`. docs/behaviour.md explains the assumptions of each model in plain
words.

    families     the models, one class each
    model        the base class of models, and their registry
    panel        decisions as arrays
    decisions    an export's decisions, and the reasons why models do not explain some of them
    worth        the expected points of an action, under the engine's rules
    fitting      maximum likelihood, standard errors, intervals
    estimates    `fitted` and `compared`
    predicting   comparison of the models' predictions for held-out groups
    lines        types of people: a mixture of straight lines
    moving       types of people who change with experience: a hidden Markov mixture of lines
    chains       recursions for chains of types
    choosers     types of people: a mixture of choice models
    mixtures     code that all mixtures share: searches, errors, types, integrals
    calibrating  a population of types from an export
    punishing    who punishes whom, in games with peer points
    simulating   simulated people who decide as a model says, and parameter recovery
"""

from __future__ import annotations

from mixed_company.analysis.behaviour.calibrating import calibrated
from mixed_company.analysis.behaviour.estimates import compared, fitted
from mixed_company.analysis.behaviour.model import Model, Parameter, find, models
from mixed_company.analysis.behaviour.predicting import predicted
from mixed_company.analysis.behaviour.punishing import punishing, punishing_pairs
from mixed_company.analysis.behaviour.simulating import recovery, simulated_people

__all__ = [
    "Model",
    "Parameter",
    "calibrated",
    "compared",
    "find",
    "fitted",
    "models",
    "predicted",
    "punishing",
    "punishing_pairs",
    "recovery",
    "simulated_people",
]

"""Models of how people decide: fitted by maximum likelihood, compared, tried on simulated people.

    from mixed_company.analysis import behaviour
    behaviour.models("sanctions")                            what there is for a game
    behaviour.fitted(data, "conditional_cooperation")        one row per person
    behaviour.compared(data, per="treatment")                all models on the same decisions
    behaviour.predicted(data)                                who predicts held-out groups best
    behaviour.calibrated(data)                               a population of types, to be written
    people = behaviour.simulated_people("quantal_response", {"precision": 0.4}, "sanctions",
                                        groups=10, seed=1, archetype="lab")
    behaviour.recovery("quantal_response", "sanctions", [{"precision": 0.4}], groups=10, seed=1,
                       repetitions=5, archetype="lab")       is what went in found again?

`data` is an `analysis.Data`. docs/behaviour.md says in plain words what each model takes for
granted.

    families    the models, each a class
    model       what a model is, and how they are found
    panel       decisions as arrays
    decisions   from the tables to the decisions to be explained, and those that are not, with why
    worth       what an action makes one expect, by the rules of the engine
    fitting     maximum likelihood, standard errors, intervals
    estimates   `fitted` and `compared`
    predicting  the contest on groups that are held out
    lines       types of people: a mixture of straight lines
    choosers    types of people: a mixture of models of a choice
    mixtures    what both share: searches, errors, types, integrals
    calibrating from an export to a population of types
    choosing    the same, where people choose
    simulating  people who decide by a model, and recovery
"""

from __future__ import annotations

from mixed_company.analysis.behaviour.calibrating import calibrated
from mixed_company.analysis.behaviour.estimates import compared, fitted
from mixed_company.analysis.behaviour.model import Model, Parameter, find, models
from mixed_company.analysis.behaviour.predicting import predicted
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
    "recovery",
    "simulated_people",
]

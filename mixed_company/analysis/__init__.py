"""From an export to checked tables, measures, tests and a report.

    data = analysis.load("export.zip")          the tables of one game, as pandas frames
    data.decisions, data.periods, data.groups   one row per seat and period, per period, per group
    data.problems                               what was found wrong, by row; the rest is there
    analysis.check("export.zip")                every group recomputed, every number compared

    data        the tables, and the games they were played by
    reading     an export opened, its manifest and its columns compared
    gathering   the rows of a file put together as a table, part by part
    simulated   plays of policies as the same tables, without a server
    treatments  what sets groups apart: the one name and order of treatments
    choices     which decisions people chose
    kept        which groups can be measured, and which are left out
    audit       every group replayed, every number compared
    games       what is a game's own, one file or folder per game
    measures    one row per group, person and period: what is known of them
    statistics  tests and intervals, with the group as the unit of independence
    counterfactual  groups played again with a policy in the place of a person
    power       how many groups an experiment needs, by simulation
    behaviour   models of how people decide, fitted
    report      all of it as one page to read and print
    patterns    classic patterns, reproduced with policies
    sample/     a rehearsed export of each game, to try all this with

A group is (`session`, `group`), a seat (`session`, `group`, `seat`); seats and periods count from
0. Times are milliseconds since 1970.
"""

from __future__ import annotations

from mixed_company.analysis.audit import check
from mixed_company.analysis.data import GROUP, PERIOD, SEAT, Data, Problem, joined
from mixed_company.analysis.files import ExportError
from mixed_company.analysis.reading import load
from mixed_company.analysis.simulated import simulated
from mixed_company.analysis.writing import save

__all__ = [
    "GROUP",
    "PERIOD",
    "SEAT",
    "Data",
    "ExportError",
    "Problem",
    "check",
    "joined",
    "load",
    "save",
    "simulated",
]

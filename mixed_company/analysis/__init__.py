"""Analyse exports: load and check the tables, compute measures, run tests and write a report.

    data = analysis.load("export.zip")          the tables of one game, as pandas frames
    data.decisions, data.periods, data.groups   one row per seat and period, per period, per group
    data.problems                               faults found in the file, row by row; all other rows
                                                are loaded
    analysis.check("export.zip")                every group recomputed, every number compared

    data        the tables, and the game of each group
    reading     the tables of an export, with checks of its manifest and columns
    gathering   a table built from the rows of a file, part by part
    importing   the same tables, made from another experiment's table
    simulated   the same tables from plays of policies, without a server
    treatments  the names and order of treatments, and how they differ
    writing     saving data as an export, and joining several exports of the same game
    kept        groups that can be measured, and groups that are left out
    audit       replay of every group, and comparison of every number
    games       code that only one game needs, in one file or folder per game
    ranges      the smallest and largest possible values of measures
    measures    one row per group, person and period
    statistics  tests and intervals, with the group as the unit of independence
    counterfactual  groups replayed with a policy in place of a person
    power       the number of groups an experiment needs, by simulation
    behaviour   fitted models of how people decide
    report      all results on one page, to read or print
    patterns    well-known experimental findings, reproduced with policies
    sample/     a rehearsal export of each game, for trying all of this out

A group is (`session`, `group`), a seat (`session`, `group`, `seat`); seats and periods count from
0. Times are milliseconds since 1970.
"""

from __future__ import annotations

from mixed_company.analysis.audit import check
from mixed_company.analysis.data import GROUP, PERIOD, SEAT, Data, Problem
from mixed_company.analysis.files import ExportError
from mixed_company.analysis.reading import load
from mixed_company.analysis.simulated import simulated
from mixed_company.analysis.writing import joined, save

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

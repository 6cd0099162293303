"""Experiments as files (`plans/NAME.toml`): treatments, participants, hypotheses and their tests.

    plan        the schema of the file
    blocks      the part of the schema about several plays in a row
    matching    who is grouped with whom in these blocks
    reading     loading one plan file, or listing a folder of them
    treatments  the setup of each treatment, checked like that of a session
    checking    whether a plan may change these keys, and whether its blocks can follow each other
    assignment  assigning people to treatments
    planned     the part of a plan that a session stores
    sealing     fixing a plan before data are collected, with a hash and a time

    plan = experiment.reading.find("commons_governance", Path("plans"))

This package uses neither oTree nor a database. The server makes a session config from each plan,
and the analysis compares an export with the plan.
"""

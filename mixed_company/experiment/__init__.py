"""Experiments described in files (`plans/NAME.toml`): treatments, participants, hypotheses and
their tests.

    plan        the schema of the file
    blocks      the part of the schema about several plays in a row
    reading     loading a plan file, or listing a folder of plan files
    treatments  the setup of each treatment, checked like a session's setup
    checking    rejecting keys that a plan cannot change, and blocks that cannot follow each other
    assignment  assigning people to treatments, and to groups in each block
    planned     the part of a plan that a session stores
    sealing     fixing a plan before data are collected, with a hash and a time

    plan = experiment.reading.find("commons_governance", Path("plans"))

This package uses neither oTree nor a database. The server creates a session config from each plan,
and the analysis compares an export with its plan.
"""

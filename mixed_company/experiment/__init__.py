"""Experiments as files, `plans/NAME.toml`: comparisons, participants and tests.

    plan        the schema of the file
    blocks      the part of the schema about several plays in a row
    matching    the groups of people in these blocks
    reading     the file, and all files of a folder
    treatments  setups of each treatment, checked like a session's
    checking    checks of changes, and of blocks that follow each other
    assignment  of people to treatments
    planned     the part of a plan that a session stores
    sealing     plans fixed before data are collected, with a hash and a time

    plan = experiment.reading.find("commons_governance", Path("plans"))

This package uses neither oTree nor a database. The server makes a session config from each plan,
and the analysis compares an export with the plan.
"""

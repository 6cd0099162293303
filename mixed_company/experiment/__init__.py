"""Experiments as files, `plans/NAME.toml`: comparisons, participants and tests.

    plan        the schema of the file
    blocks      its part on several plays in a row
    matching    the groups of people in these blocks
    reading     the file, and all files of a folder
    treatments  setups of each treatment, checked like a session; checking: what may differ
    assignment  treatments of people
    planned     the data that a session keeps of its plan
    sealing     the plan fixed before the data: a hash and a time

    plan = experiment.reading.find("commons_governance", Path("plans"))

There is no oTree and no database here: the server makes a session config of each plan, and the
analysis compares an export with it.
"""

"""An experiment as a file, `plans/NAME.toml`: what is compared, with whom, and how it is judged.

    plan        the schema of the file
    blocks      the part of it that is about several plays in a row
    matching    who meets whom in them
    reading     the file, and all files of a folder
    treatments  what is played in each treatment, checked as a session is; checking: what may differ
    assignment  which person is of which treatment
    planned     what a session keeps of its plan
    sealing     the plan fixed before the data: a hash and a time

    plan = experiment.reading.find("commons_governance", Path("plans"))

No oTree and no database here: the server makes a session config of each plan, and the analysis
compares an export with it.
"""

"""The command `mixed`: one door to everything in the project that is a command.

    command     what a command is, and how commands are found: one module each in `cli.commands`
    page        the page of `mixed --help`
    arguments   arguments that several commands take; values: what their texts stand for
    refusal     errors as one sentence and an exit code
    project     the folder of an oTree project that some commands work in

Commands import what they need when they run, so that the page is there at once and needs no other
library. The other rooms never import this one.
"""

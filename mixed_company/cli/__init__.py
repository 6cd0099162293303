"""The command-line interface `mixed`.

    command     what a command is, how commands are found (one module each in `cli.commands`), and
                the page of `mixed --help`
    arguments   arguments that several commands take, and the values of their texts
    needed      the arguments of `mixed power` for a computation
    refusal     errors as one sentence and an exit code
    project     the folder of an oTree project that some commands work in, and a server of it

Commands import libraries when they run, because the page must be there at once, and without any
library. The other rooms never import this one.
"""

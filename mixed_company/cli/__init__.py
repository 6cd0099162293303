"""The command-line interface `mixed`.

    command     the interface of a command, how commands are found (one module each in
                `cli.commands`), and the page of `mixed --help`
    arguments   arguments that several commands take, and how their texts are parsed
    needed      the arguments of `mixed power` for a computation
    refusal     errors as one sentence and an exit code
    project     the folder of an oTree project that some commands work in, and a server of it

Commands import libraries when they run, so that the page appears at once and without any library.
The other packages never import this one.
"""

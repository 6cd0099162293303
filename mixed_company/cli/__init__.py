"""The command-line interface `mixed`.

    command     the interface of a command, the search for commands (one module each in
                `cli.commands`), and the page of `mixed --help`
    arguments   arguments that several commands share, and the parsing of their values
    needed      the arguments of `mixed power` for computing a number of groups
    refusal     conversion of errors to a message and an exit code
    project     the folder of the oTree project that some commands work in, and its server

Commands import libraries only when they run, so `mixed --help` is fast and needs no library. The
other packages never import this one.
"""

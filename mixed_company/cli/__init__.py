"""The command-line interface `mixed`.

    command     the interface of a command, the search for commands (one module each in
                `cli.commands`), and the page of `mixed --help`
    arguments   arguments that several commands share, and parsing of their values
    needed      the arguments with which `mixed power` computes a number of groups
    refusal     conversion of errors to a message and an exit code
    project     the folder of the oTree project in which some commands work, and its server

Commands import libraries only when they run, so `mixed --help` is fast and works without them. The
other packages never import this one.
"""

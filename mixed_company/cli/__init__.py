"""The `mixed` command-line interface.

    command     the interface of a command, the search for commands (one module each in
                `cli.commands`), and the page of `mixed --help`
    arguments   arguments that several commands share, and how their values are parsed
    needed      arguments that `mixed power` uses to compute the number of groups
    refusal     conversion of errors into a message and an exit code
    project     the oTree project folder that some commands run in, and its server

Commands import libraries only when they run, so `mixed --help` is fast and works without them. The
other packages never import this one.
"""

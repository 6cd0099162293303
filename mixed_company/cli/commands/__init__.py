"""The commands, one module each; `cli.command.Command` describes such a module."""

"""The commands, one module each; `cli.command.Command` describes their interface."""

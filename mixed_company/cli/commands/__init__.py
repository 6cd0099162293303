"""The commands, one module each; `cli.command.Command` says what is in one."""

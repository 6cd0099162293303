"""The commands, one module each; `mixed.command.Command` says what is in one."""

"""The commands, one a file, each imported when it is called."""

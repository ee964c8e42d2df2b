"""The index file: the only SQL of the program."""

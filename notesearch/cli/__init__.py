"""The command line: a thin skin over NoteLibrary, and the way into the window."""

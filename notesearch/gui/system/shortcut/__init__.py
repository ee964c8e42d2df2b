"""The global shortcut of quick search, as each desktop wants it."""

"""The global shortcut of quick search, one implementation per platform."""

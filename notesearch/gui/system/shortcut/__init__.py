"""The global shortcut of quick search, with an implementation for each platform."""

"""The preview: one section as its author sees it."""

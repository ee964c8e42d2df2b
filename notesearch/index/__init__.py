"""The write path: file changes to the store."""

"""Quick search and the tray."""

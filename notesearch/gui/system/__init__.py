"""Everything that touches the desktop or the system: shortcuts, editors, start at login."""

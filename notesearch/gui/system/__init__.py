"""What the desktop and the operating system offer: other programs, shortcuts, start at login."""

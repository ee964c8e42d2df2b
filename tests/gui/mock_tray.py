"""A mock of the desktop's tray: offscreen there is none, and Qt only asks whether there is one."""


class MockTray:
    """The tray of a desktop, which a test may take away and bring back."""

    def __init__(self) -> None:
        self.is_available = True

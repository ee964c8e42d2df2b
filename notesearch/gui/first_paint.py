"""The window as it is first painted, before the other parts are imported."""

from notesearch.config import Paths, Settings
from notesearch.gui.session.preferences import Preferences
from notesearch.gui.widgets.message_page import choose_folder_message, start_message
from notesearch.gui.window.appearance import Appearance
from notesearch.gui.window.main_window import MainWindow, VaultSwitcher
from notesearch.gui.window.status_bar import no_folder


class FirstPaint:
    """The parts that the first paint shows; nothing else is imported or created before it."""

    def __init__(self, settings: Settings, paths: Paths) -> None:
        self.paths = paths
        self.preferences = Preferences(settings, paths)
        self.appearance = Appearance(self.preferences)
        self.window = MainWindow(self.appearance.theme)
        self.switcher = VaultSwitcher(self.preferences, self.appearance.theme)
        self.window.add_switcher(self.switcher)
        self.appearance.style(self.window)
        if settings.vault:
            self.window.page.show_page(start_message())
        else:
            self.window.page.show_page(choose_folder_message())
            self.window.field.set_enabled(False)
            self.window.folder.hide()
            self.window.status.set_line(no_folder())
        self.window.restore_place(paths.data)

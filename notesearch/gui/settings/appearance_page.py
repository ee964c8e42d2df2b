"""The Appearance page of the settings."""

from PySide6.QtGui import QFontDatabase

from notesearch.gui.session.preferences import Preferences
from notesearch.gui.settings.settings_page import CheckSetting, SettingsPage
from notesearch.gui.translation import translate

_SIZES = (75, 90, 100, 110, 125, 150, 175, 200, 250, 300)


class AppearancePage(SettingsPage):
    """The look of both windows; every change takes effect at once."""

    def __init__(self, preferences: Preferences) -> None:
        super().__init__(preferences)
        themes = [
            ("system", translate("Match system")),
            ("light", translate("Light")),
            ("dark", translate("Dark")),
        ]
        self.add_choice(translate("Colours"), "theme", themes)
        sizes = [(size, _percent(size)) for size in _SIZES]
        hint = translate("Relative to your system’s text size.")
        self.add_choice(translate("Text size"), "text_size", sizes, other=_percent, hint=hint)
        rows = [("comfortable", translate("Comfortable")), ("compact", translate("Compact"))]
        text = translate("Show some text below each heading")
        snippets = CheckSetting(preferences, "snippets", text)
        self.add_choice(translate("Result rows"), "density", rows, snippets)
        fonts = [
            ("", translate("Same as the rest")),
            ("serif", translate("Serif")),
            *((f, f) for f in QFontDatabase.families() if not QFontDatabase.isPrivateFamily(f)),
        ]
        self.add_choice(translate("Preview font"), "preview_font", fonts)


def _percent(size: int) -> str:
    return f"{size} %"

"""The Appearance page of the settings."""

from PySide6.QtGui import QFontDatabase

from notesearch.gui.session.preferences import Preferences
from notesearch.gui.settings.setting_controls import CheckSetting, ChoiceSetting
from notesearch.gui.settings.settings_page import SettingsPage
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
        theme = ChoiceSetting(preferences, "theme", themes)
        sizes = [(size, _percent(size)) for size in _SIZES]
        size = ChoiceSetting(preferences, "text_size", sizes, _percent)
        rows = [
            ("comfortable", translate("Comfortable")),
            ("compact", translate("Compact")),
        ]
        density = ChoiceSetting(preferences, "density", rows)
        snippets = CheckSetting(
            preferences, "snippets", translate("Show some text below each heading")
        )
        fonts = [
            ("", translate("Same as the rest")),
            ("serif", translate("Serif")),
            *((f, f) for f in QFontDatabase.families() if not QFontDatabase.isPrivateFamily(f)),
        ]
        font = ChoiceSetting(preferences, "preview_font", fonts)
        self.add_setting(translate("Colours"), theme)
        hint = translate("Relative to your system’s text size.")
        self.add_setting(translate("Text size"), size, hint=hint)
        self.add_setting(translate("Result rows"), density, snippets)
        self.add_setting(translate("Preview font"), font)


def _percent(size: int) -> str:
    return f"{size} %"

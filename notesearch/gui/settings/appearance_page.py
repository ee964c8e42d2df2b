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
        super().__init__(preferences, translate("settings", "Appearance"))
        themes = [
            ("system", translate("settings", "Match system")),
            ("light", translate("settings", "Light")),
            ("dark", translate("settings", "Dark")),
        ]
        theme = ChoiceSetting(preferences, "theme", themes)
        sizes = [(size, _percent(size)) for size in _SIZES]
        size = ChoiceSetting(preferences, "text_size", sizes, _percent)
        rows = [
            ("comfortable", translate("settings", "Comfortable")),
            ("compact", translate("settings", "Compact")),
        ]
        density = ChoiceSetting(preferences, "density", rows)
        snippets = CheckSetting(
            preferences, "snippets", translate("settings", "Show some text below each heading")
        )
        fonts = [
            ("", translate("settings", "Same as the rest")),
            ("serif", translate("settings", "Serif")),
            *((f, f) for f in QFontDatabase.families() if not QFontDatabase.isPrivateFamily(f)),
        ]
        font = ChoiceSetting(preferences, "preview_font", fonts)
        self.add_setting(translate("settings", "Colours"), theme)
        hint = translate("settings", "Relative to your system’s text size.")
        self.add_setting(translate("settings", "Text size"), size, hint=hint)
        self.add_setting(translate("settings", "Result rows"), density, snippets)
        self.add_setting(translate("settings", "Preview font"), font)


def _percent(size: int) -> str:
    return f"{size} %"

"""What the preview offers to copy: the selection, or the address of a web link."""

from functools import partial

from PySide6.QtCore import QPoint
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QTextBrowser

from notesearch.gui.translation import translate


def copy_menu(browser: QTextBrowser, place: QPoint) -> QMenu:
    """Return a menu to copy the selection or the address of the web link at ``place``."""
    menu = QMenu(browser)
    menu.addAction(translate("preview", "Copy"), browser.copy).setEnabled(
        browser.textCursor().hasSelection()
    )
    address = browser.anchorAt(place)
    if address.startswith(("http://", "https://", "mailto:")):
        menu.addAction(
            translate("preview", "Copy link"),
            partial(QGuiApplication.clipboard().setText, address),
        )
    menu.addSeparator()
    menu.addAction(translate("preview", "Select all"), browser.selectAll)
    return menu

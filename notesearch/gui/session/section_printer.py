"""From the preview to paper: a PDF file, or a printer."""

from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QIODevice, QMarginsF, QObject, QSaveFile, QTimer, Slot
from PySide6.QtGui import QPagedPaintDevice, QPageLayout, QPainter, QPdfWriter
from PySide6.QtWidgets import QDialog, QFileDialog, QWidget

from notesearch.gui.preview.printed_section import PrintedSection
from notesearch.gui.session.pane_actions import PaneActions
from notesearch.gui.session.preferences import Preferences
from notesearch.gui.session.preview_controller import PreviewController
from notesearch.gui.session.search_controller import PaneWindow
from notesearch.gui.translation import translate

_MARGINS = QMarginsF(18, 18, 18, 18)
_UNSAFE = str.maketrans(dict.fromkeys('<>:"/\\|?*', "-"))
_MAX_NAME = 100


class SectionPrinter(QObject):
    """Prints what the preview shows. Dialogs are open beside the window; no page waits for all.

    Args:
        window: The window of the preview.
        actions: Its actions.
        preview: What it shows.
        preferences: The settings.
    """

    def __init__(
        self,
        window: PaneWindow,
        actions: PaneActions,
        preview: PreviewController,
        preferences: Preferences,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window, self._actions = window, actions
        self._preview, self._preferences = preview, preferences
        self._pages: Iterator[bool] | None = None
        self._file: QSaveFile | None = None  # the one that is written, if any
        actions.export_pdf.triggered.connect(self.export)
        actions.print_section.triggered.connect(self.print_section)

    @Slot()
    def export(self) -> None:
        """Ask for a file, and write the section into it."""
        if self._preview.content is None:
            return
        name = self._preview.content.text.heading.translate(_UNSAFE).strip(" .")[:_MAX_NAME]
        title = translate("window", "Export as PDF")
        dialog = QFileDialog(_widget(self._window), title, str(Path.home() / f"{name}.pdf"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilter("PDF (*.pdf)")
        dialog.setDefaultSuffix("pdf")
        dialog.fileSelected.connect(self.write)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    @Slot(str)
    def write(self, path: str) -> None:
        """Write the section into the file at ``path``, which is replaced when all is written."""
        content = self._preview.content
        if content is None:
            return
        file = QSaveFile(path)
        if not file.open(QIODevice.OpenModeFlag.WriteOnly):
            self._fail(file.errorString())
            return
        writer = QPdfWriter(file)
        writer.setTitle(content.text.heading)
        writer.setCreator("notesearch")
        self._begin(writer, file)

    @Slot()
    def print_section(self) -> None:
        """Ask for a printer, and print the section."""
        if self._preview.content is None:
            return
        from PySide6.QtPrintSupport import QPrintDialog, QPrinter

        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        printer.setDocName(self._preview.content.text.heading)
        dialog = QPrintDialog(printer, _widget(self._window))
        dialog.accepted.connect(self._on_printer_chosen)
        dialog.finished.connect(dialog.deleteLater)
        self._printer = printer
        QDialog.open(dialog)  # its own asks for the name of a slot

    @Slot()
    def _on_printer_chosen(self) -> None:
        self._begin(self._printer, None)

    def _begin(self, device: QPagedPaintDevice, file: QSaveFile | None) -> None:
        content = self._preview.content
        if content is None or self._pages is not None:
            return
        device.setPageMargins(_MARGINS, QPageLayout.Unit.Millimeter)
        section = PrintedSection(content, device, self._preferences.settings.preview_font)
        self._file, self._pages = file, _painted(section, device)
        QTimer.singleShot(0, self, self._paint_next)

    @Slot()
    def _paint_next(self) -> None:
        """Paint one page and return to the window before the next."""
        if self._pages is None:
            return
        if next(self._pages, False):
            QTimer.singleShot(0, self, self._paint_next)
            return
        self._pages, file, self._file = None, self._file, None
        if file is None:
            return
        if file.commit():
            name = Path(file.fileName()).name
            self._window.flash(translate("window", "Written to {file}").format(file=name))
        else:
            self._fail(file.errorString())

    def _fail(self, reason: str) -> None:
        text = translate("window", "The PDF was not written: {reason}. Choose another place.")
        self._window.notice.show_message(
            text.format(reason=reason.rstrip(".")), [self._actions.export_pdf]
        )


def _painted(section: PrintedSection, device: QPagedPaintDevice) -> Iterator[bool]:
    """Paint the pages of ``section``; yield after each."""
    with QPainter(device) as painter:
        for page in range(section.pageCount() if painter.isActive() else 0):
            if page:
                device.newPage()
            section.paint_page(painter, page)
            yield True


def _widget(window: PaneWindow) -> QWidget | None:
    return window if isinstance(window, QWidget) else None

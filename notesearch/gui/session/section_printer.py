"""Prints the section in the preview, or exports it as PDF, black on white."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QIODevice,
    QMarginsF,
    QObject,
    QRectF,
    QSaveFile,
    QSizeF,
    QTimer,
    QUrl,
    Slot,
)
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QGuiApplication,
    QPagedPaintDevice,
    QPageLayout,
    QPainter,
    QPalette,
    QPdfWriter,
    QTextBlockFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)
from PySide6.QtWidgets import QDialog, QFileDialog

from notesearch.gui.preview.backdrop import Backdrop
from notesearch.gui.preview.document import PreviewContent, blocks_from, in_view
from notesearch.gui.preview.document_images import DocumentImages
from notesearch.gui.preview.layout import correct_layout, deferred_layout
from notesearch.gui.preview.preview_style import DisplayFormat, apply_style
from notesearch.gui.session.actions import PaneActions
from notesearch.gui.session.pane_window import PaneWindow
from notesearch.gui.session.preferences import Preferences
from notesearch.gui.session.preview_controller import PreviewController
from notesearch.gui.translation import translate
from notesearch.gui.widgets.theme import LIGHT, Role, palette, points

if TYPE_CHECKING:
    from PySide6.QtPrintSupport import QPrinter

_MARGINS = QMarginsF(18, 18, 18, 18)
_UNSAFE = str.maketrans(dict.fromkeys('<>:"/\\|?*', "-"))
_MAX_NAME = 60
"""In characters: a file name may have 255 bytes, and an emoji has four."""
_POINTS = 10.5
_SHARPNESS = 3.0
"""How many pixels a picture or formula has on paper for each pixel on the screen."""
_ARROW = " › "


class SectionPrinter(QObject):
    """Prints the section in the preview, or exports it as PDF.

    It is the section for which the user asked, even if the preview shows another one, or none, when
    a file or printer is chosen.
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
        self._window = window
        self._actions = actions
        self._preview = preview
        self._preferences = preferences
        self._jobs: list[Iterator[bool]] = []
        actions.export_pdf.triggered.connect(self.export)
        actions.print_section.triggered.connect(self.print_section)

    @Slot()
    def export(self) -> None:
        """Ask for a file, and write the section into it as PDF."""
        content = self._preview.content
        if content is None:
            return
        text = content.text
        names = (name.translate(_UNSAFE).strip(" .") for name in (text.heading, text.title))
        name = next(filter(None, names), "notesearch")[:_MAX_NAME].strip(" .")
        title = translate("Export as PDF")
        dialog = QFileDialog(self._window.preview.window(), title, str(Path.home() / f"{name}.pdf"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilter("PDF (*.pdf)")
        dialog.setDefaultSuffix("pdf")
        dialog.fileSelected.connect(partial(self.write, content))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def write(self, content: PreviewContent, path: str) -> None:
        """Write ``content`` as PDF. A file at ``path`` is replaced once all pages are painted."""
        file = QSaveFile(path)
        if not file.open(QIODevice.OpenModeFlag.WriteOnly):
            self._fail(file.errorString())
            return
        writer = QPdfWriter(file)
        writer.setTitle(content.text.heading)
        writer.setCreator("notesearch")
        self._begin(content, writer, partial(self._finish, file))

    @Slot()
    def print_section(self) -> None:
        """Ask for a printer, and print the section."""
        content = self._preview.content
        if content is None:
            return
        from PySide6.QtPrintSupport import QPrintDialog, QPrinter

        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        printer.setDocName(content.text.heading)
        dialog = QPrintDialog(printer, self._window.preview.window())
        finish = partial(self._finish_printing, printer)
        dialog.accepted.connect(lambda: self._begin(content, printer, finish))
        dialog.finished.connect(dialog.deleteLater)
        QDialog.open(dialog)  # QPrintDialog.open would need the name of a slot

    def _begin(
        self, content: PreviewContent, device: QPagedPaintDevice, finish: Callable[[], None]
    ) -> None:
        device.setPageMargins(_MARGINS, QPageLayout.Unit.Millimeter)
        section = PrintedSection(content, device, self._preferences.settings.preview_font)
        self._jobs.append(_paint_pages(section, device, finish))
        if len(self._jobs) == 1:
            QTimer.singleShot(0, self, self._paint_next)

    @Slot()
    def _paint_next(self) -> None:
        """Paint the next page of the first job, so that the window can react between pages."""
        job = self._jobs.pop(0)  # so that a bug here does not prevent the next job
        try:
            if next(job, False):
                self._jobs.insert(0, job)
        finally:
            if self._jobs:
                QTimer.singleShot(0, self, self._paint_next)

    def _finish(self, file: QSaveFile) -> None:
        if file.commit():
            self._say_written(file.fileName())
        else:
            self._fail(file.errorString())

    def _finish_printing(self, printer: "QPrinter") -> None:
        if printer.printerState() == printer.PrinterState.Error:
            text = translate("Nothing was printed. Choose another printer or file.")
            self._window.notice.show_message(text, [self._actions.print_section])
        elif printer.outputFileName():
            self._say_written(printer.outputFileName())
        else:
            self._say_done(translate("Sent to the printer"))

    def _say_written(self, path: str) -> None:
        self._say_done(translate("Written to {file}", file=Path(path).name))

    def _say_done(self, text: str) -> None:
        self._window.notice.hide()  # it may say that an earlier attempt failed
        self._window.flash(text)

    def _fail(self, reason: str) -> None:
        text = translate("The PDF was not written: {reason}. Choose another place.")
        self._window.notice.show_message(
            text.format(reason=reason.rstrip(".")), [self._actions.export_pdf]
        )


class PrintedSection(QTextDocument):
    """A section, as the preview shows it, laid out in pages for paper.

    The page of ``device``, a printer or a PDF, has its size and margins already. ``family`` is the
    font family of the text; empty for the program's own.
    """

    def __init__(self, content: PreviewContent, device: QPagedPaintDevice, family: str) -> None:
        super().__init__()
        self._theme = replace(LIGHT, preview_font=family)
        dots = QGuiApplication.primaryScreen().logicalDotsPerInch()
        inches = device.pageLayout().paintRect(QPageLayout.Unit.Inch).size()
        self._page = QSizeF(inches.width() * dots, inches.height() * dots)
        self._scale = device.logicalDpiX() / dots
        html = _headed(content)
        self._images = DocumentImages(content.pictures)
        apply_style(self, self._theme, round(100 * _POINTS / points(Role.BODY)))
        width = int(self._page.width())
        self._format = DisplayFormat(self._theme, self.defaultFont(), width, _SHARPNESS)
        self.setUndoRedoEnabled(False)
        self.setHtml(html)
        with deferred_layout(self):
            reserved_size = partial(self._images.reserved_size, self._format)
            correct_layout(self, html, width, reserved_size, on_paper=True)
        self.setPageSize(self._page)
        self._break_pages()
        self._backdrop = Backdrop(self, self._theme)

    def _break_pages(self) -> None:
        """Let no line be cut: Qt may put the first line below a table across the end of a page."""
        layout = self.documentLayout()
        height = self._page.height()
        later = QTextBlockFormat()
        later.setPageBreakPolicy(QTextFormat.PageBreakFlag.PageBreak_AlwaysBefore)
        for block in blocks_from(self.begin()):
            if not block.layout().lineCount():
                layout.documentSize()  # lays out what is below the last page break
            top = layout.blockBoundingRect(block).top()
            line = block.layout().lineAt(0)
            if not line.isValid():
                continue
            is_text = line.height() < height / 2  # else it is a picture
            is_cut = (top + 1) // height != (top + line.height() - 1) // height
            if is_text and is_cut and QTextCursor(block).currentTable() is None:
                QTextCursor(block).mergeBlockFormat(later)

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Return the picture with the address ``name`` as it was read for the preview, or None."""
        if QTextDocument.ResourceType(kind) != QTextDocument.ResourceType.ImageResource:
            return None
        address = bytes(QUrl(name).toEncoded().data()).decode("ascii", "replace")
        return self._images.image(address, self._format)

    def paint_page(self, painter: QPainter, page: int) -> None:
        """Paint the page with the number ``page``, from 0, at the resolution of the paper."""
        height = self._page.height()
        area = QRectF(0, page * height, self._page.width(), height)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(self._scale, self._scale)
        painter.translate(0, -area.top())
        painter.setClipRect(area)
        view = in_view(self, area)
        self._backdrop.paint(painter, view.first, view.span)
        context = QAbstractTextDocumentLayout.PaintContext()
        context.palette = QPalette(palette(self._theme))
        context.clip = area
        self.documentLayout().draw(painter, context)
        painter.restore()


def _headed(content: PreviewContent) -> str:
    """Return the HTML of a section, below the note's title, the parent headings and the path."""
    text = content.text
    above = text.section_path[:-1] if text.section_path[-1:] == (text.heading,) else ()
    names = [text.title, *(name for name in above if name != text.title)]
    origin = f'<p class="more">{escape(_ARROW.join(names))}<br>{escape(text.path)}</p>'
    return content.html.replace("<body>", f"<body>{origin}", 1)


def _paint_pages(
    section: PrintedSection, device: QPagedPaintDevice, finish: Callable[[], None]
) -> Iterator[bool]:
    """Paint the pages of ``section`` on ``device``, then ``finish``; yield True after each page."""
    with QPainter(device) as painter:
        for page in range(section.pageCount() if painter.isActive() else 0):
            if page:
                device.newPage()
            section.paint_page(painter, page)
            yield True
    finish()

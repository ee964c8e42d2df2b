"""Fonts and measures of the result rows, taken from the application's current font."""

from dataclasses import dataclass
from typing import Self

from PySide6.QtGui import QFont, QFontMetrics

from notesearch.gui.results.results_rows import CaptionRow, HeaderRow, ResultRow, Row
from notesearch.gui.widgets.theme import Role, font, px


@dataclass(frozen=True, slots=True)
class RowMetrics:
    """Measured once for each font, because rows are painted often. Lengths are in pixels.

    Attributes:
        row, strong, snippet, more, meta: The fonts.
        line_height, snippet_height: Heights of the first and the second line of a row.
        padding, line_gap: Space above and below the lines of a row, and between them.
        first_header, header, section, section_without_snippet, single_line: Heights of rows.
        ground_left, header_left, text_left: Left edges of the selection, of headers and of rows.
        right: Space at the right of all text, with or without a scroll bar.
        below_header: Space below the text of a header.
        meta_drop: Offset that puts small text on the baseline of the first line.
        radius: Corners of the selection.
        overhang: How far the selection reaches beyond the text.
        bar: Width of the bar at the left of the selected row.
        gap: Space between parts of a line.
        date_gap: Space before the date of a header.
        min_folder: A folder name with less space is left out.
        single_line_top: Space above the text of a "more" row.
        pill_left, pill_right, pill_icon: Padding and icon of the "Related" pill.
        small_gap: Padding of the pill and of the digits.
        digit_bottom: Space below a digit.
    """

    row: QFont
    strong: QFont
    snippet: QFont
    more: QFont
    meta: QFont
    line_height: int
    snippet_height: int
    padding: int
    line_gap: int
    first_header: int
    header: int
    section: int
    section_without_snippet: int
    single_line: int
    ground_left: int
    header_left: int
    text_left: int
    right: int
    below_header: int
    meta_drop: int
    radius: int
    overhang: int
    bar: int
    gap: int
    date_gap: int
    min_folder: int
    single_line_top: int
    pill_left: int
    pill_right: int
    pill_icon: int
    small_gap: int
    digit_bottom: int

    @classmethod
    def measure(cls, *, flat: bool = False, compact: bool = False) -> Self:
        """Measure the current font.

        Args:
            flat: There are no headers, so that rows are not indented.
            compact: Rows have less space.
        """
        row, strong, snippet = font(Role.ROW), font(Role.ROW_STRONG), font(Role.SNIPPET)
        meta, strong_metrics = font(Role.META), QFontMetrics(strong)
        line_height = max(QFontMetrics(row).height(), strong_metrics.height())
        snippet_height = QFontMetrics(snippet).height()
        padding, line_gap = (px(4), px(1)) if compact else (px(7), px(3))
        return cls(
            row=row,
            strong=strong,
            snippet=snippet,
            more=font(Role.MORE),
            meta=meta,
            line_height=line_height,
            snippet_height=snippet_height,
            padding=padding,
            line_gap=line_gap,
            first_header=line_height + px(11 if compact else 13),
            header=line_height + px(14 if compact else 20),
            section=padding + line_height + line_gap + snippet_height + padding,
            section_without_snippet=padding + line_height + padding,
            single_line=snippet_height + px(10),
            ground_left=px(10 if flat else 8),
            header_left=px(20 if flat else 18),
            text_left=px(20 if flat else 28),
            right=px(25),
            below_header=px(6),
            meta_drop=strong_metrics.ascent() - QFontMetrics(meta).ascent(),
            radius=px(6),
            overhang=px(7),
            bar=px(3),
            gap=px(8),
            date_gap=px(12),
            min_folder=px(24),
            single_line_top=px(5),
            pill_left=px(7),
            pill_right=px(6),
            pill_icon=px(9),
            small_gap=px(4),
            digit_bottom=px(5),
        )

    def height(self, row: Row) -> int:
        """Return the height of ``row``."""
        match row:
            case ResultRow(result):
                has_snippet = result.snippet.text or not result.cut
                return self.section if has_snippet else self.section_without_snippet
            case HeaderRow(first=first):
                return self.first_header if first else self.header
            case CaptionRow():
                return self.first_header
            case _:
                return self.single_line

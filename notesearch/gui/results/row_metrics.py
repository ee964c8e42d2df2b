"""Fonts, heights and distances of result rows, all from the font the application has now."""

from dataclasses import dataclass
from typing import Self

from PySide6.QtGui import QFont, QFontMetrics

from notesearch.gui.results.results_rows import CaptionRow, HeaderRow, Row, SectionRow
from notesearch.gui.widgets.theme import Role, font, px


@dataclass(frozen=True, slots=True)
class RowMetrics:
    """Measured once per font, used for every row.

    Attributes:
        line, second: Heights of a row's first and second line.
        pad, gap: Above and below the lines; between them.
        first_header, header, section, hollow, quiet: Heights of rows: the header that opens the
            list, the others, a section, a section without text, a "more" row.
        ground, inset, text: Where the selection, a header and a row's text begin.
        end: How far from the view's right edge text ends: scroll bar or not.
        under: Below a header's text.
        raised: How far small text moves down to stand on the baseline of the first line.
    """

    row: QFont
    strong: QFont
    snippet: QFont
    more: QFont
    meta: QFont
    line: int
    second: int
    pad: int
    gap: int
    first_header: int
    header: int
    section: int
    hollow: int
    quiet: int
    ground: int
    inset: int
    text: int
    end: int
    under: int
    raised: int
    px3: int
    px4: int
    px5: int
    px6: int
    px7: int
    px8: int
    px9: int
    px12: int
    px24: int

    @classmethod
    def measure(cls, *, flat: bool = False, compact: bool = False) -> Self:
        """Measure the application's font.

        Args:
            flat: The list has no headers to be inset from.
            compact: Rows stand closer.
        """
        row, strong, snippet = font(Role.ROW), font(Role.ROW_STRONG), font(Role.SNIPPET)
        meta, strong_metrics = font(Role.META), QFontMetrics(strong)
        line = max(QFontMetrics(row).height(), strong_metrics.height())
        second = QFontMetrics(snippet).height()
        pad, gap = (px(4), px(1)) if compact else (px(7), px(3))
        return cls(
            row=row,
            strong=strong,
            snippet=snippet,
            more=font(Role.MORE),
            meta=meta,
            line=line,
            second=second,
            pad=pad,
            gap=gap,
            first_header=line + px(11 if compact else 13),
            header=line + px(14 if compact else 20),
            section=pad + line + gap + second + pad,
            hollow=pad + line + pad,
            quiet=second + px(10),
            ground=px(10 if flat else 8),
            inset=px(20 if flat else 18),
            text=px(20 if flat else 28),
            end=px(25),
            under=px(6),
            raised=strong_metrics.ascent() - QFontMetrics(meta).ascent(),
            **{f"px{n}": px(n) for n in (3, 4, 5, 6, 7, 8, 9, 12, 24)},
        )

    def height(self, row: Row) -> int:
        """Return the height of ``row``."""
        match row:
            case SectionRow(result):
                return self.section if result.snippet.text or not result.cut else self.hollow
            case HeaderRow(first=first):
                return self.first_header if first else self.header
            case CaptionRow():
                return self.first_header
            case _:
                return self.quiet

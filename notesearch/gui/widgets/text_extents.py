"""Where letters stand in a line that is laid out, whichever way each script runs."""

from collections.abc import Iterator

from PySide6.QtGui import QTextLine

_BESIDE = 0.5
"""What stands nearer than that to one another is one."""


def extents(line: QTextLine, start: int, end: int) -> Iterator[tuple[float, float]]:
    """Yield where the letters from ``start`` to ``end`` begin and end, from left to right.

    Of one direction they are one stretch. What a cursor's places say is not enough: where a script
    that runs the other way begins it has two, and Qt tells the one at the letters before.
    """
    runs = list(line.glyphRuns(start, end - start))
    boxes = sorted((run.boundingRect().left(), run.boundingRect().right()) for run in runs)
    gap = _BESIDE if len({run.isRightToLeft() for run in runs}) > 1 else float("inf")
    while boxes:
        left, right = boxes.pop(0)
        while boxes and boxes[0][0] - right <= gap:
            right = max(right, boxes.pop(0)[1])
        yield left, right

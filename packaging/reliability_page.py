"""Writes docs/reliability.md from the markers of the tests.

    python packaging/reliability_page.py [--print]

``@pytest.mark.fault("A2", fault="…", outcome="…")`` gives a fault's number, the fault itself, and
the program's response. Further tests of the same fault carry ``@pytest.mark.fault("A2")``. One row
describes several faults if one of their tests names it: ``row="A1 to A3"``. An attack also has
``tries``, the number of attempts.
"""

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "tests"
PAGE = ROOT / "docs" / "reliability.md"

GROUPS = {
    "A": "Watcher and file system",
    "B": "Text and encodings",
    "C": "Structure of notes",
    "D": "The index file",
    "E": "The built-in model",
    "F": "Queries",
    "G": "What a note may try in the preview",
    "H": "Between programs",
    "I": "Resources",
    "J": "Lifecycle",
    "K": "Attacks",
}

_HEAD = """# Reliability

The index is a cache of your folder. Whatever happens to the folder, the computer or the program,
the index ends up equal to one built from scratch, and no note is ever changed.

A file event only says where to look. The program compares the whole folder with the index at the
start, after sleep, when events were lost, when a folder appears or disappears, and every quarter of
an hour. If all notes are gone at once, the index forgets them only if the same folder contains
other notes, had ten notes at most, or is empty in two comparisons.

Tests provoke each fault below on a real file system, watcher and SQLite file; most compare the
index with a new one. A test that needs a missing right is skipped, and says why.
`grep -rn '"A2"' tests` finds those of A2; `make attack` runs table K in full.
"""

_FAULTS = "fault | outcome\n---|---"
_ATTACKS = "attack | tries | result\n---|---|---"

_FOOT = """
## Known limits

* The first 8 million characters of a note are read as Markdown, as many again as plain text. Its
  first 5,000 headings become sections, its first 1,500 passages (225,000 words) get vectors. The
  window, `stats` and `index` list each note beyond a limit. A huge note waits for other changes,
  and its vectors may take a minute more than its words (K8).
* If a file is written twice within one tick of the file system's clock (up to 4 ms) and keeps its
  length, only `notesearch doctor` finds the second change.
* If the disk stores a page in the wrong place, a search may answer wrongly until
  `notesearch doctor --repair` (K7). If another program writes a valid but wrong number into the
  index, such as the line of a section, only a new index corrects it.
* While a disk does not answer, the system may keep a process that waits for it; another start works
  (K10). A server that waits for four notes of such a disk answers no request until then.
* File systems that ignore case or rewrite accents could not be mounted here: A21 and A23 test the
  rule.
* Not run yet: portals of Linux desktops; on Windows and macOS, access lists, finding the place of
  an open file, pipes and global shortcuts.
"""


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault, or several: one row of the page."""

    name: str
    fault: str
    outcome: str
    tries: str = ""


def page() -> str:
    """Return the page in Markdown."""
    faults = sorted(rows(), key=lambda fault: _order(fault.name))
    lines = [_HEAD]
    for letter, title in GROUPS.items():
        lines += [f"## {letter}. {title}\n", _ATTACKS if letter == "K" else _FAULTS]
        lines += [_row(fault) for fault in faults if fault.name.startswith(letter)]
        lines.append("")
    return "\n".join(lines).rstrip() + "\n" + _FOOT


def rows() -> list[Fault]:
    """Return the rows that the markers of all tests describe."""
    described = [(name, dict(texts)) for name, texts in _markers() if texts]
    return [Fault(texts.pop("row", name), **texts) for name, texts in described]


def marked() -> set[str]:
    """Return the names that the markers of all tests carry, such as ``A1`` and ``A4 to A6``."""
    return {name for name, _ in _markers()}


def numbers(name: str) -> set[int]:
    """Return the numbers that a name such as ``A4, A5`` or ``A14 to A18`` stands for."""
    first, *rest = map(int, re.findall(r"\d+", name))
    return set(range(first, rest[0] + 1)) if " to " in name else {first, *rest}


@cache
def _markers() -> tuple[tuple[str, dict[str, str]], ...]:
    files = sorted(TESTS.rglob("test_*.py"))
    return tuple(marker for file in files for marker in _of(ast.parse(file.read_text("utf-8"))))


def _of(module: ast.Module) -> Iterator[tuple[str, dict[str, str]]]:
    for node in ast.walk(module):
        if not isinstance(node, ast.FunctionDef | ast.ClassDef):
            continue
        for mark in node.decorator_list:
            if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.fault":
                texts = {
                    word.arg: ast.literal_eval(word.value) for word in mark.keywords if word.arg
                }
                yield ast.literal_eval(mark.args[0]), texts


def _order(name: str) -> tuple[str, int]:
    return name[0], min(numbers(name))


def _row(fault: Fault) -> str:
    cells = [f"{fault.name} {fault.fault}", fault.tries, fault.outcome]
    return " | ".join(filter(None, cells)).replace("*", "\\*")


if __name__ == "__main__":
    if "--print" in sys.argv:
        sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
        print(page(), end="")
    else:
        PAGE.write_text(page(), "utf-8")

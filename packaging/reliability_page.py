"""Writes docs/reliability.md from the markers of the tests.

    python packaging/reliability_page.py [--print]

``@pytest.mark.fault("A2", fault="…", outcome="…")`` gives a fault's number, the fault itself, and
the program's response. Further tests of the same fault carry ``@pytest.mark.fault("A2")``. An
attack also has ``tries``, the number of attempts.
"""

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
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
start, when events were lost, after sleep, when a folder appears or disappears, when a thread of the
watcher dies, and every quarter of an hour. If all notes are gone at once, the index keeps them
until it is clear that they were deleted on purpose: the folder is still the same one, and it
contains other notes, or it held ten notes at most, or a second comparison finds it empty, too.

The tests provoke each fault below on a real file system, watcher and SQLite file, and most compare
the index with a new one at the end. A test is skipped, and says why, if the machine lacks a right
that it needs. `grep -rn '"A2"' tests` finds the tests of fault A2. This page is generated from them
(`packaging/reliability_page.py`).

`make test-isolated` runs the suite without a network and with read-only notes, `make load` tests
with thousands of notes, and `make attack` the attacks of table K in full.
"""

_FAULTS = "fault | what the program does\n---|---"
_ATTACKS = "attack | tries | result\n---|---|---"

_FOOT = """
## Known limits

* The first 8 million characters of a note are read as Markdown, and as many again as plain text.
  Its first 5,000 headings become sections, and its first 1,500 passages (225,000 words) get
  vectors. The window, `stats` and `index` list each note beyond such a limit. Other changes are
  indexed before the next huge note. Its vectors may take a minute more than its words (K8).
* If a file is written twice within one tick of the file system's clock (up to 4 ms) and keeps its
  length, only `notesearch doctor` finds the second change.
* If the disk stores a page in the wrong place, a search may answer wrongly until
  `notesearch doctor --repair` (K7). If another program writes a valid but wrong number into the
  index, such as the line of a section, only a new index corrects it.
* While a disk does not answer, the system may keep a process that waits for it. The window is
  closed, and another start works (K10). A server that waits for four notes of such a disk answers
  no request until then.
* File systems that ignore case or rewrite accents could not be mounted here, so A21 and A23 test
  the deciding rule.
* These parts were written from documentation and have not been run: portals of Linux desktops; and,
  on Windows and macOS, access lists, finding the place of an open file, pipes and global shortcuts.
"""


@dataclass(slots=True)
class Fault:
    """A fault: one row of the page."""

    name: str
    fault: str = ""
    outcome: str = ""
    tries: str = ""


def page() -> str:
    """Return the page in Markdown."""
    faults = sorted(collected().values(), key=lambda fault: _order(fault.name))
    lines = [_HEAD]
    for letter, title in GROUPS.items():
        lines += [f"## {letter}. {title}\n", _ATTACKS if letter == "K" else _FAULTS]
        lines += [_row(fault) for fault in faults if fault.name.startswith(letter)]
        lines.append("")
    return "\n".join(lines).rstrip() + "\n" + _FOOT


def collected() -> dict[str, Fault]:
    """Return the faults by name, from the markers of all tests.

    Raises:
        ValueError: A fault is described twice, or never.
    """
    found: dict[str, Fault] = {}
    for file in sorted(TESTS.rglob("test_*.py")):
        for name, texts in _markers(ast.parse(file.read_text("utf-8"))):
            fault = found.setdefault(name, Fault(name))
            if texts and fault.fault:
                raise ValueError(f"{name} is described twice")
            if texts:
                fault.fault, fault.outcome = texts["fault"], texts["outcome"]
                fault.tries = texts.get("tries", "")
    if bare := [name for name, fault in found.items() if not fault.fault]:
        raise ValueError(f"No test describes {bare}")
    return found


def numbers(name: str) -> set[int]:
    """Return the numbers that a name such as ``A4, A5`` or ``A14 to A18`` stands for."""
    first, *rest = map(int, re.findall(r"\d+", name))
    return set(range(first, rest[0] + 1)) if " to " in name else {first, *rest}


def _markers(module: ast.Module) -> Iterator[tuple[str, dict[str, str]]]:
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

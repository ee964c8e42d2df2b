"""Writes docs/reliability.md from the markers of the tests.

    python packaging/reliability_page.py [--print]

``@pytest.mark.fault("A2", fault="…", outcome="…")`` names a fault, what goes wrong and what the
program does about it. Further tests of the same fault carry ``@pytest.mark.fault("A2")``. An attack
also has its number of ``tries``.
"""

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
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
the index comes to equal one built from scratch, and no note is ever written.

Each fault below is provoked on a real file system, watcher and SQLite file. A test skips and says
why if the machine lacks a right that it needs. Most tests end by comparing the notes, sections,
words and passages with those of a second index, built from scratch (`tests/oracle.py`). Their
markers make this page (`packaging/reliability_page.py`), which names one test of each fault, below
`tests/`.

Events are hints, and comparing the folder is the truth. It is compared at the start, when events
were lost, after sleep, when a folder comes or goes, when a thread of the watcher dies, and every
quarter of an hour. If all notes are gone at once, nothing is deleted unless the folder is still the
same one and either other notes are there, it held ten notes at most, or a second comparison finds
it empty, too.

`make test-isolated` runs the suite without a network and with read-only notes, `make load` long
stages with thousands of notes, and `make attack` the harm of table K as often as the table says;
the usual suite does it less often.
"""

_FAULTS = "fault | what the program does | test\n---|---|---"
_ATTACKS = "attack | tries | result | test\n---|---|---|---"

_FOOT = """
## Known limits

* Of a note, the first 8 million characters are read as Markdown and as many again as text. Its
  first 5,000 headings make sections, and its first 1,500 passages are embedded, 225,000 words
  (`notesearch/markdown/bounds.py`). The window, `stats` and `index` list each note beyond a bound.
  Other changes are indexed before a huge note, by words and by meaning.
* A second write of the same length within one tick of the file system's clock (up to 4 ms) leaves
  the same state. Only `notesearch doctor` finds it.
* A page that the disk stores in the wrong place keeps its checksum: a search may answer wrongly
  until `notesearch doctor --repair` (K7). A valid but wrong number that another program writes into
  the index, such as the line of a section, is found by nothing but a new index.
* The words of any note are found within 20 s. Its vectors may take a minute more; other notes
  are found meanwhile (K8).
* File systems that ignore case or rewrite accents could not be mounted here, so A21 and A23 test
  the deciding rule.
* Access lists, the place of an open file, portals, pipes and global shortcuts of Windows and macOS
  follow their documentation and have not been run.
"""


@dataclass(slots=True)
class Fault:
    """One row of the page."""

    name: str
    fault: str = ""
    outcome: str = ""
    tries: str = ""
    tests: list[str] = field(default_factory=list)


def page() -> str:
    """Return the page."""
    faults = sorted(collected().values(), key=lambda fault: _order(fault.name))
    lines = [_HEAD]
    for letter, title in GROUPS.items():
        lines += [f"## {letter}. {title}\n", _ATTACKS if letter == "K" else _FAULTS]
        lines += [_row(fault) for fault in faults if fault.name.startswith(letter)]
        lines.append("")
    return "\n".join(lines).rstrip() + "\n" + _FOOT


def collected() -> dict[str, Fault]:
    """Return the faults by their names, as the markers of all tests tell them.

    Raises:
        ValueError: A fault is described twice, or never.
    """
    found: dict[str, Fault] = {}
    for file in sorted(TESTS.rglob("test_*.py")):
        place = file.relative_to(TESTS).as_posix()
        for test, name, texts in _markers(ast.parse(file.read_text("utf-8"))):
            fault = found.setdefault(name, Fault(name))
            fault.tests.append(f"{place}::{test}")
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


def _markers(module: ast.Module) -> Iterator[tuple[str, str, dict[str, str]]]:
    for node in ast.walk(module):
        if not isinstance(node, ast.FunctionDef | ast.ClassDef):
            continue
        for mark in node.decorator_list:
            if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.fault":
                texts = {
                    word.arg: ast.literal_eval(word.value) for word in mark.keywords if word.arg
                }
                yield node.name, ast.literal_eval(mark.args[0]), texts


def _order(name: str) -> tuple[str, int]:
    return name[0], min(numbers(name))


def _row(fault: Fault) -> str:
    test = min(fault.tests, key=lambda test: not test.startswith("faults/"))
    cells = [f"{fault.name} {fault.fault}", fault.tries, fault.outcome, f"`{test}`"]
    return " | ".join(filter(None, cells)).replace("*", "\\*")


if __name__ == "__main__":
    if "--print" in sys.argv:
        sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
        print(page(), end="")
    else:
        PAGE.write_text(page(), "utf-8")

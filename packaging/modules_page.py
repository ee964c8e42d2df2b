"""Writes docs/modules.md from the modules' own first sentences.

python packaging/modules_page.py [--print]
"""

import ast
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "modules.md"

_HEAD = """# Modules

What each module is for, in its own words. [Architecture](architecture.md) tells how they stand to
each other. `python packaging/modules_page.py` writes this page.
"""


def page() -> str:
    """Return the page."""
    return "\n".join([_HEAD, *_described()])


def _described() -> Iterator[str]:
    modules = sorted(
        (path for path in (ROOT / "notesearch").rglob("*.py") if path.stem != "__init__"),
        key=lambda path: (path.parent.as_posix(), path.name),
    )
    for folder, inside in groupby(modules, key=lambda path: path.parent):
        yield f"## {folder.relative_to(ROOT).as_posix()}/\n\n| module | what it is for |\n|---|---|"
        for module in inside:
            yield f"| `{module.name}` | {_sentence(module)} |"
        yield ""


def _sentence(module: Path) -> str:
    text = ast.get_docstring(ast.parse(module.read_text(encoding="utf-8"))) or ""
    return " ".join(text.split("\n\n")[0].split()).replace("|", "\\|")


if __name__ == "__main__":
    if "--print" in sys.argv:
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
        sys.stdout.write(page())
    else:
        PAGE.write_text(page(), encoding="utf-8")

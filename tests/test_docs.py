"""Everything that the documentation names exists, and everything is named there."""

import json
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from notesearch.cli.main import main
from notesearch.config import Settings

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
WRITTEN = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")
ROW = re.compile(r"^`(\w+)` \| `([^`]*)` \|", re.MULTILINE)
DESCRIBED = dict(ROW.findall((ROOT / "docs" / "settings.md").read_text(encoding="utf-8")))


def test_links_lead_somewhere() -> None:
    links = ((page, one) for page in PAGES for one in LINK.findall(page.read_text("utf-8")))
    assert [(page, one) for page, one in links if not (page.parent / one).exists()] == []


def test_every_setting_is_described_and_no_other() -> None:
    assert set(DESCRIBED) == {one.name for one in fields(Settings)}


def test_defaults_are_as_described() -> None:
    for name, described in DESCRIBED.items():
        default = getattr(Settings(), name)
        shown = list(default) if isinstance(default, tuple) else default
        assert json.loads(described) == shown, name


@pytest.mark.parametrize("page", ["commands", "reliability"])
def test_a_page_made_from_the_program_is_up_to_date(page: str) -> None:
    command = [sys.executable, str(ROOT / "packaging" / f"{page}_page.py"), "--print"]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True)
    assert done.stdout == (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")


def test_no_other_command_is_named() -> None:
    named = re.findall(r"^notesearch ([a-z]+)(?= |$)", WRITTEN, re.MULTILINE)
    assert set(named) <= set(main.commands)


SHORT_PAGES = [
    *((ROOT / "docs" / name, 800) for name in ("performance.md", "models.md")),
    (ROOT / "docs/quality.md", 1500),
    *((page, 300) for page in sorted((ROOT / "docs/decisions").glob("*.md"))),
]


@pytest.mark.parametrize(
    ("page", "limit"), SHORT_PAGES, ids=lambda value: getattr(value, "stem", "")
)
def test_a_page_is_short(page: Path, limit: int) -> None:
    assert len(page.read_text("utf-8").split()) <= limit


def test_all_pages_together_are_short() -> None:
    pages = (ROOT / "docs").rglob("*.md")
    assert sum(len(page.read_text("utf-8").split()) for page in pages) <= 25_000

"""docs/requirements.md names tests that exist, or a reason."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent
PAGE = TESTS.parent / "docs" / "requirements.md"
ROWS = re.findall(r"^([A-E]\d+) \| ([^|]+) \| (.+)$", PAGE.read_text("utf-8"), re.MULTILINE)
MODULES = {file.stem: file for file in TESTS.rglob("test_*.py")}


def test_every_design_has_its_rows() -> None:
    numbers = {letter: [int(n[1:]) for n, _, _ in ROWS if n[0] == letter] for letter in "ABCDE"}
    assert all(of == list(range(1, len(of) + 1)) for of in numbers.values())
    assert len(ROWS) >= 95


@pytest.mark.parametrize(("number", "asked", "shown"), ROWS, ids=[row[0] for row in ROWS])
def test_each_row_names_a_test_or_a_reason(number: str, asked: str, shown: str) -> None:
    named = re.fullmatch(r"`(test_\w+)::(test_\w+)`", shown)
    if named is None:
        assert "::" not in shown, number
        assert len(shown.split()) > 3, asked
    else:
        source = MODULES[named[1]].read_text("utf-8")
        assert re.search(rf"\bdef {named[2]}\(", source), shown

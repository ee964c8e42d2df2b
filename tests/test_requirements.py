"""docs/requirements.md names tests that exist, or a reason; tests/kinds.md names tests."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent
PAGE = TESTS.parent / "docs" / "requirements.md"
ROWS = re.findall(r"^([A-E]\d+) \| ([^|]+) \| (.+)$", PAGE.read_text("utf-8"), re.MULTILINE)
KINDS = (TESTS / "kinds.md").read_text("utf-8")
NAMED = re.findall(r"^\| [^|]+ \| .+ \| `(test_\w+)::(test_\w+)` \|$", KINDS, re.MULTILINE)
MODULES = {file.stem: file for file in TESTS.rglob("test_*.py")}


def test_every_design_has_its_rows() -> None:
    numbers = {letter: [int(n[1:]) for n, _, _ in ROWS if n[0] == letter] for letter in "ABCDE"}
    assert all(of == list(range(1, len(of) + 1)) for of in numbers.values())
    assert len(ROWS) >= 95


def test_each_row_names_a_test_or_a_reason() -> None:
    for number, asked, shown in ROWS:
        named = re.fullmatch(r"`(test_\w+)::(test_\w+)`", shown)
        if named is None:
            assert "::" not in shown, number
            assert len(shown.split()) > 3, asked
        else:
            source = MODULES[named[1]].read_text("utf-8")
            assert re.search(rf"\bdef {named[2]}\(", source), shown


@pytest.mark.parametrize(("module", "name"), NAMED)
def test_each_kind_of_notes_names_a_test(module: str, name: str) -> None:
    assert re.search(rf"\bdef {name}\(", MODULES[module].read_text("utf-8"))


def test_no_row_of_the_kinds_is_left_out() -> None:
    assert len(NAMED) == KINDS.count("\n| ") - 1

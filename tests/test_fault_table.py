"""The table of faults is complete, and every test that it names is there."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent
TABLE = TESTS.parent / "docs" / "reliability.md"
GROUPS = {"A": 35, "B": 11, "C": 14, "D": 24, "E": 14, "F": 9, "G": 16, "H": 15, "I": 9, "J": 14}

_FAULT = re.compile(r"([A-J])(\d+)")
_NAMES = re.compile(r"\b(?:test_\w+|Test[A-Z]\w+)\b")


def rows() -> list[list[str]]:
    lines = TABLE.read_text("utf-8").splitlines()
    cells = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in lines
        if line.startswith("| ")
    ]
    return [row for row in cells if _FAULT.match(row[0])]


def numbers(heading: str) -> set[int]:
    """Return the faults a row is about: ``A4, A5`` or ``A14 to A18``."""
    first, *rest = [int(number) for _, number in _FAULT.findall(heading)]
    if rest and re.match(r"[A-J]\d+ to [A-J]\d+", heading):
        return {*range(first, rest[0] + 1), *rest[1:]}
    return {first, *rest}


def test_no_fault_is_missing() -> None:
    found: dict[str, set[int]] = {}
    for row in rows():
        found.setdefault(row[0][0], set()).update(numbers(row[0]))
    assert found == {group: set(range(1, count + 1)) for group, count in GROUPS.items()}


@pytest.mark.parametrize("row", rows(), ids=lambda row: row[0].split()[0])
def test_each_fault_has_a_test_that_exists(row: list[str]) -> None:
    assert len(row) == 4
    assert "open" not in row[3]
    if row[3] == "measured":
        assert (TABLE.parent.parent / row[2]).exists()
        return
    named = _NAMES.findall(row[2])
    assert named or row[2] == "the same"
    code = "\n".join(file.read_text("utf-8") for file in TESTS.rglob("test_*.py"))
    files = {file.stem for file in TESTS.rglob("test_*.py")}
    for name in named:
        assert name in files or re.search(rf"(?:def|class) {name}\b", code), name

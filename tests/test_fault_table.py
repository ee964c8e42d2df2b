"""Every fault of the table has a test, and only faults of the table have markers."""

import pytest

from reliability_page import GROUPS, collected, numbers

COUNTS = {
    "A": 35,
    "B": 11,
    "C": 14,
    "D": 26,
    "E": 14,
    "F": 9,
    "G": 16,
    "H": 16,
    "I": 11,
    "J": 14,
    "K": 11,
}


@pytest.fixture(scope="module")
def names() -> list[str]:
    return list(collected())


@pytest.mark.parametrize("group", GROUPS)
def test_each_fault_of_a_group_has_a_test(group: str, names: list[str]) -> None:
    tested = [numbers(name) for name in names if name.startswith(group)]
    assert set().union(*tested) == set(range(1, COUNTS[group] + 1))


def test_no_fault_has_two_rows(names: list[str]) -> None:
    seen = [(name[0], number) for name in names for number in numbers(name)]
    assert len(seen) == len(set(seen))

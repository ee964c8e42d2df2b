"""Numbers in properties, as people in several countries write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notesearch.markdown.sections.written_values import amount

NUMBERS = [
    ("5", 5), ("-5", -5), ("\u22125", -5), ("+3", 3), ("007", 7), ("3.5", 3.5), ("1.250", 1.25),
    ("1e6", 1e6), ("1E-3", 0.001), ("3,5", 3.5), ("12,50", 12.5), ("0,125", 0.125),
    ("1,250", 1250), ("12,345", 12345), ("1,234,567.8", 1234567.8), ("1.234.567,8", 1234567.8),
    ("1 250", 1250), ("1\u202f250,5", 1250.5), ("1'250.50", 1250.5), ("1_000", 1000),
    ("1,25,000", 125000), ("1.250.000", 1250000), ("١٬٢٥٠", 1250), ("٣٫٥", 3.5), ("５０", 50),
    ("€5000", 5000), ("€ 5.000,50", 5000.5), ("US$1,250.75", 1250.75), ("-€50", -50),
    ("1.250 €", 1250), ("€1.250", 1250), ("R$ 10", 10), ("CHF 20.50", 20.5), ("kr 500", 500),
    ("500 kr", 500), ("5000 zł", 5000), ("5 000 Kč", 5000), ("1000円", 1000), ("₹ 1,00,000", 1e5),
    ("50%", 50), ("50 %", 50), ("1,250%", 1250), ("20 °C", 20), ("72 kg", 72), ("8GB", 8),
    ("5 km/h", 5), ("12 m²", 12), ("5 m", 5), ("90 min", 90),
    ("★★★", 3), ("⭐⭐⭐⭐", 4), ("★★☆☆☆", 2), ("⭐\ufe0f⭐\ufe0f", 2), ("★★★/5", 3),
    ("7/10", 7), ("3.5 / 5", 3.5), ("4,5/5", 4.5),
]  # fmt: skip


@pytest.mark.parametrize(("text", "number"), NUMBERS)
def test_a_number(text: str, number: float) -> None:
    assert amount(text) == number
    assert amount(f" {text} ") == number


@pytest.mark.parametrize(
    "text",
    [
        *("", "-", "€", "%", "cheap", "nan", "inf", "1e999", "1 2", "12 34", "1,2,3", "1,234,56"),
        *("1.10.200", "1..2", "10:30", "3/4", "2026-04-12", "12.4.2026", "ISO 9001", "12 monkeys"),
        *("5k", "5M", "2 Mio", "2 million", "(5)", "5-10", "5+", "~5", "#5", "9" * 41),
        *("☆", "★ good", "a★"),
    ],
)
def test_no_number(text: str) -> None:
    assert amount(text) is None


@given(st.floats(min_value=-1e12, max_value=1e12).map(lambda number: round(number, 2)))
def test_every_way_to_group_means_the_same(number: float) -> None:
    english = f"{number:,.2f}"
    german = english.translate(str.maketrans(",.", ".,"))
    for text in (f"{number:.2f}", english, german, german.replace(".", " "), f"{german} €"):
        assert amount(text) == pytest.approx(number)


@given(st.text(alphabet="0123456789.,' -+€%ekM\u202f٣", max_size=45))
def test_any_text_has_a_finite_number_or_none(text: str) -> None:
    number = amount(text)
    assert number is None or abs(number) < 1e140

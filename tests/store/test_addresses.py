"""Addresses as they are compared."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notesearch.store.addresses import LONGEST, leads_to, normal


@pytest.mark.parametrize(
    ("written", "compared"),
    [
        ("https://Example.org/Some/Path", "example.org/some/path"),
        ("http://www.example.org/", "example.org"),
        ("//example.org", "example.org"),
        ("www.example.org/a/", "example.org/a"),
        ("https://example.org/?x=1#y", "example.org?x=1#y"),
        ("https://example.org/a/?x=1", "example.org/a?x=1"),
        ("https://example.org/a#", "example.org/a"),
        ("mailto:Miss.Orme@Example.org?subject=x", "miss.orme@example.org"),
        ("https://fr.example.org/wiki/Caf%C3%A9", "fr.example.org/wiki/café"),
        ("https://xn--mnchen-3ya.example/", "münchen.example"),
        ("https://xn--" + "a" * 300, "xn--" + "a" * 124),
        ("https://xn--\x80.example", "xn--\x80.example"),
        ("zotero://select/items/1", "zotero://select/items/1"),
        ("https://example.org/a b\nc", "example.org/abc"),
        ("https://", ""),
        ("", ""),
    ],
)
def test_an_address_is_compared_by_host_and_path(written: str, compared: str) -> None:
    assert normal(written)[:100] == compared[:100]


@pytest.mark.parametrize(
    ("address", "asked", "begun", "leads"),
    [
        ("example.org/a/b", "example.org/a/b", False, True),
        ("example.org/a/b", "example.org/a", False, True),
        ("example.org/a/b", "example.org", False, True),
        ("example.org/a?x=1", "example.org/a", False, True),
        ("example.org:8080/a", "example.org", False, True),
        ("doc.example.org/a", "example.org", False, True),
        ("orme@example.org", "example.org", False, True),
        ("orme@example.org", "orme@example.org", False, True),
        ("example.org/abc", "example.org/a", False, False),
        ("example.org/a-b", "example.org/a", False, False),
        ("example.org/abc", "example.org/a", True, True),
        ("example.org", "example.o", True, True),
        ("example.org", "example.o", False, False),
        ("myexample.org", "example.org", False, False),
        ("example.org.uk", "example.org", False, False),
        ("other.net/example.org", "example.org", False, False),
        ("a.example.org.example.org", "example.org", False, True),
        ("example.org", "example.org/a", True, False),
    ],
)
def test_where_an_address_leads(address: str, asked: str, begun: bool, leads: bool) -> None:
    assert leads_to(address, asked, begun=begun) is leads


@given(st.text(max_size=400))
def test_any_text_is_bounded_and_leads_to_itself(text: str) -> None:
    found = normal(text)
    assert len(found) <= LONGEST
    assert found == normal(f" {text}\n")
    assert not found or leads_to(found, found, begun=False) or found[0] in "/?#"


@given(
    st.from_regex(r"[a-z0-9-]{1,20}(\.[a-z]{2,5}){1,3}(/[a-zA-Z0-9_.-]{0,20}){0,4}", fullmatch=True)
)
def test_how_it_is_written_does_not_matter(address: str) -> None:
    ways = ("https://", "HTTP://", "//", "https://www.", "www.", "")
    assert len({normal(f"{way}{address}{end}") for way in ways for end in ("", "/")}) == 1


def test_long_ones_are_told_apart() -> None:
    one, other = (normal(f"https://example.org/{'x' * 400}{end}") for end in "ab")
    assert len(one) == len(other) == LONGEST
    assert one != other
    assert normal("https://example.org/" + "x" * 1_000_000) == normal(
        "https://example.org/" + "x" * 900_000
    )

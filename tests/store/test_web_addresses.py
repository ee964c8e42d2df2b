"""Web and mail addresses in the form by which they are compared."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notesearch.store.web_addresses import LONGEST_ADDRESS, leads_to, normalized_address


@pytest.mark.parametrize(
    ("written", "normal"),
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
def test_an_address_is_compared_by_host_and_path(written: str, normal: str) -> None:
    assert normalized_address(written)[:100] == normal[:100]


@pytest.mark.parametrize(
    ("address", "target", "begun", "leads"),
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
def test_an_address_leads_to_its_host_and_every_part_above_it(
    address: str, target: str, begun: bool, leads: bool
) -> None:
    assert leads_to(address, target, begun) is leads


@given(st.text(max_size=400))
def test_a_normal_form_is_short_and_leads_to_itself(text: str) -> None:
    found = normalized_address(text)
    assert len(found) <= LONGEST_ADDRESS
    assert found == normalized_address(f" {text}\n")
    assert not found or leads_to(found, found, False) or found[0] in "/?#"


@given(
    st.from_regex(r"[a-z0-9-]{1,20}(\.[a-z]{2,5}){1,3}(/[a-zA-Z0-9_.-]{0,20}){0,4}", fullmatch=True)
)
def test_all_ways_to_write_an_address_have_one_normal_form(address: str) -> None:
    ways = ("https://", "HTTP://", "//", "https://www.", "www.", "")
    assert (
        len({normalized_address(f"{way}{address}{end}") for way in ways for end in ("", "/")}) == 1
    )


def test_long_addresses_differ_by_their_ends() -> None:
    one, other = (normalized_address(f"https://example.org/{'x' * 400}{end}") for end in "ab")
    assert one != other
    longest = normalized_address("https://example.org/" + "x" * 1_000_000)
    assert len(longest) == LONGEST_ADDRESS
    assert longest == normalized_address("https://example.org/" + "x" * 900_000)

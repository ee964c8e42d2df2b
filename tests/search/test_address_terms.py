"""Queries that are addresses: they find links that lead there."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from notesearch.library import NoteLibrary
from notesearch.results import SectionResult
from notesearch.store.links import LinkReader
from tests.search.conftest import LibraryOf, ReaderOf

ADDRESS = "https://www.Example.org/Some/path?x=1#y"
NOTES = {
    "linking.md": f"# Linking\n\nIt rains.\n\nRead [what they say]({ADDRESS}) about weather.\n",
    "saying.md": "# Saying\n\nIt is at https://example.org/some/path?x=1#y since May.\n",
    "other.md": "# Other\n\nAn example of some path of an organisation.\n",
}


@pytest.fixture
def library(library_of: LibraryOf) -> NoteLibrary:
    """Give three notes: one with a link, one with the address as text, one with its words."""
    return library_of(NOTES)


def paths(library: NoteLibrary, query: str) -> list[str]:
    return [section.path for section in library.search(query).sections]


def marked(section: SectionResult) -> list[str]:
    return [section.snippet.text[start:end] for start, end in section.snippet.marks]


def test_the_snippet_shows_and_marks_the_text_of_the_link(library: NoteLibrary) -> None:
    said, linked = library.search("example.org/some/path").sections
    assert (said.path, linked.path) == ("saying.md", "linking.md")
    assert marked(linked) == ["what they say"]
    assert linked.snippet.text.endswith("Read what they say about weather.")
    assert linked.why.fields == ("links",)
    assert not linked.by_meaning_alone
    assert said.why.fields == ("body",)


def test_other_words_of_the_query_are_marked_too(library: NoteLibrary) -> None:
    (first, *_) = library.search("weather example.org/some/path").sections
    assert first.path == "linking.md"
    assert marked(first) == ["what they say", "weather"]
    assert first.why.fields == ("body", "links")


@pytest.mark.parametrize(
    ("query", "matches"),
    [
        ("example.org/some/path", ["what they say"]),
        (ADDRESS, ["what they say"]),
        ("weather example.org", ["what they say", "weather"]),
        ("example.org/other", []),
        ("weather", ["weather"]),
    ],
)
def test_a_link_in_a_previewed_text_matches(
    library: NoteLibrary, query: str, matches: list[str]
) -> None:
    text = "Read what they say about weather, or here."
    links = [((5, 18), ADDRESS), ((37, 41), "https://elsewhere.net/example.org")]
    assert [text[start:end] for start, end in library.matches(query, text, links)] == matches
    without = [text[start:end] for start, end in library.matches(query, text)]
    assert without == [match for match in matches if match == "weather"]


BARE = "example.org/some/path?x=1#y"


@pytest.mark.parametrize("typed", [BARE[:end] for end in range(len("example.o"), len(BARE) + 1)])
def test_an_unfinished_address_finds_it(library: NoteLibrary, typed: str) -> None:
    assert "linking.md" in paths(library, typed)
    assert paths(library, typed)[0] == "saying.md" or typed == "example.o"  # as in "example of"


@pytest.mark.parametrize("end", range(3, len(BARE) + 1))
def test_an_unfinished_address_with_its_scheme_finds_it(library: NoteLibrary, end: int) -> None:
    assert "linking.md" in paths(library, f"https://{BARE[:end]}")
    assert "linking.md" in paths(library, f"https://www.{BARE[:end]}")


@pytest.mark.parametrize(
    "query",
    [
        "EXAMPLE.org/some/path?x=1#y",
        "http://example.org/some/path/?x=1#y",
        "<https://example.org/some/path?x=1#y>",
        "(https://example.org/some/path),",
        "https://example.org/some/path.",
        "example.org/some/path/",
        "www.example.org",
        '"https://example.org/some/path"',
        "rain OR example.org/some/path",
        "https://example.org/some/path?x=1&utm_source=feed#y",
        "https://example.org/some/path#:~:text=said",
        "example.org/some*",
    ],
)
def test_every_way_to_write_the_address_finds_it(library: NoteLibrary, query: str) -> None:
    assert "linking.md" in paths(library, query)


@pytest.fixture
def written_otherwise(library_of: LibraryOf) -> NoteLibrary:
    """Give a text with an address, and links to it and to other pages of the site."""
    return library_of(
        {
            "text.md": "# Text\n\nGo to https://example.org/some/path/ and look.\n",
            "link.md": "# Link\n\n[their page](http://example.org/some/path)\n",
            "film.md": "# Film\n\nSee https://www.films.example/watch?v=AAA in the evening.\n",
            "films.md": "# Films\n\n[b](https://films.example/watch?v=BBB) is a film.\n",
            "local.md": "# Local\n\n[mine](http://localhost:8080/admin)\n",
            "user.md": "# User\n\n[one](https://app.example.net/#/users/1)\n",
        }
    )


@pytest.mark.parametrize(
    "query",
    [
        "https://example.org/some/path/",
        "http://www.example.org/some/path",
        "https://www.example.org/some/path/",
        "www.example.org/some/path",
        "www.example.org",
        '"http://www.example.org/some/path"',
        "https://example.org/some/path?utm_source=feed&utm_medium=mail",
        "https://example.org/some/path/#place",
    ],
)
def test_the_scheme_in_a_text_may_differ(written_otherwise: NoteLibrary, query: str) -> None:
    assert paths(written_otherwise, query)[:2] == ["text.md", "link.md"]


@pytest.mark.parametrize("query", ["localhost:8080", "localhost:8080/admin", "Localhost:80"])
def test_a_local_server_is_an_address(written_otherwise: NoteLibrary, query: str) -> None:
    assert paths(written_otherwise, query)[:1] == ["local.md"]


def test_query_parameters_that_select_the_page_are_kept(written_otherwise: NoteLibrary) -> None:
    assert paths(written_otherwise, "https://films.example/watch?v=AAA")[0] == "film.md"
    film = written_otherwise.search("https://films.example/watch?v=AAA&si=share").sections
    assert film[0].path == "film.md"
    others = [
        *written_otherwise.search("https://films.example/watch?v=CCC").sections,
        *written_otherwise.search("https://app.example.net/#/users/2").sections,
    ]
    assert [section for section in others if "links" in section.why.fields] == []
    assert "films.md" in paths(written_otherwise, "film -https://films.example/watch?v=CCC")
    assert "films.md" not in paths(written_otherwise, "film -https://films.example/watch?v=BBB")


@pytest.mark.parametrize(
    "query",
    [
        "example.org/so ",
        "xample.org",
        "example.org/other",
        "https://example.or ",
        "some/path",
        "example.org.uk",
        "weather -example.org",
        "weather -https://example.org/some/path?x=1#y",
        "path:saying example.org/some/path",
    ],
)
def test_other_addresses_do_not_find_it(library: NoteLibrary, query: str) -> None:
    found = library.search(query).sections
    assert [s for s in found if s.path == "linking.md" and "links" in s.why.fields] == []
    assert not query.startswith("weather -") or "linking.md" not in paths(library, query)


def test_a_linked_address_is_not_missing(library: NoteLibrary) -> None:
    assert not library.search("example.org/some/path nowhere").missing[1:]
    assert library.search("example.org/some/path").missing == ()
    assert library.search('"example.org/some/path"').missing == ()


@contextmanager
def _links_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def fail(*_: object) -> object:
        raise AssertionError("An ordinary query asks for links.")

    with monkeypatch.context() as patch:
        patch.setattr(LinkReader, "sections_linking_to", fail)
        yield


@pytest.mark.parametrize(
    "query",
    ["rain", "some path", "3.5 kg", "2.13.1", "v1.2", "and/or", "e.g. rain", ".env", "c++", "50%",
     "@somebody", "#tag", "path:other", "10:30", "rain.", "a.1"],
)  # fmt: skip
def test_other_queries_do_not_look_up_links(
    library: NoteLibrary, monkeypatch: pytest.MonkeyPatch, query: str
) -> None:
    with _links_are_left_alone(monkeypatch):
        library.search(query)


def test_a_dotted_name_without_any_link_finds_its_words(library_of: LibraryOf) -> None:
    library = library_of(
        {
            "calls.md": "# Calls\n\nSet `app.config`, then call `app.mount`.\n",
            "maps.md": "# Maps\n\n[Maps](https://app.mountains.example.org/)\n",
            "app.md": "# An app\n\nIt can mount.\n",
        }
    )
    assert paths(library, "app.mount ") == ["calls.md"]
    assert paths(library, "app.config") == ["calls.md"]
    assert paths(library, "app.m")[0] == "calls.md"


def test_all_links_of_a_host_are_found_among_many_texts(library_of: LibraryOf) -> None:
    notes = {f"{n}.md": f"# {n}\n\n[x](https://host.example.org/{n})\n" for n in range(40)}
    notes |= {f"said{n}.md": f"# S{n}\n\nhost.example.org has it\n" for n in range(5)}
    library = library_of(notes)
    found = library.search("host.example.org", limit=100).sections
    assert len(found) == 45
    assert [s.path.startswith("said") for s in found] == [True] * 5 + [False] * 40


def test_the_closest_address_ranks_first(library_of: LibraryOf) -> None:
    library = library_of(
        {
            "deep.md": "# Deep\n\n[x](https://example.org/a/very/deep/page/of/it)\n",
            "home.md": "# Home\n\n[y](https://example.org/)\n",
        }
    )
    assert paths(library, "example.org") == ["home.md", "deep.md"]


def test_links_change_with_the_note(library_of: LibraryOf, vault: Path) -> None:
    library = library_of({"a.md": "# A\n\n[x](https://one.example.org/)\n"})
    assert paths(library, "one.example.org") == ["a.md"]
    (vault / "a.md").write_text("# A\n\n[x](https://two.example.org/) and more\n")
    library.refresh()
    assert paths(library, "two.example.org") == ["a.md"]
    assert "links" not in str([s.why for s in library.search("one.example.org").sections])
    (vault / "a.md").unlink()
    library.refresh()
    assert paths(library, "two.example.org") == []
    assert library.check().problems == ()


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=300), st.text(max_size=60), st.sampled_from(["", "https://", "mailto:"]))
@example("a" * 900, ".b/" + "%41" * 300, "https://")
@example("xn--" + "ß" * 80, "", "https://")
def test_any_address_is_stored_and_found(
    reader_of: ReaderOf, one: str, other: str, scheme: str
) -> None:
    from notesearch.results import Mode
    from notesearch.search.presentation import SearchRun
    from notesearch.search.search import search

    reader = reader_of(f"# N\n\n[words]({scheme}{one}) <a href='{scheme}{other}'>x</a>\n")
    for query in (f"{scheme}{one}", f"{scheme}{other}", f"{one}.{other}/x", f'"{one}@{other}"'):
        search(reader, query, Mode.WORDS, SearchRun(5, 5), None)

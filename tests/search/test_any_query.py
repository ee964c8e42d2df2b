"""Any string is a query, and every word of a note finds it."""

import re
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from notesearch.library import NoteLibrary
from notesearch.results import SearchResult
from tests.indexed import indexed
from tests.limits import processor_seconds

NOTES = {
    "code.md": """# Code

Use c++ and C#, Node.js 20.04, state-of-the-art x86_64; don't panic: see foo:bar or a/b/c.md.

Mail to someone@example.org about https://example.org/a?b=c&d=[e], #tag and [[text]].

Prices: 5% of $1,000.50 -- or "half" as (much)* ^1 {x} <y> ~z AND, OR, NOT, NEAR.
""",
    "wide.md": """# 日本語 and others

東京都の食べ物。ｶﾞﾗｽのコップ、한국어 책, ภาษาไทยทำอาหาร, 𠀀𠀁𠀂。

Café naïve Ångström ﬁne ½ km² Kindle™ co\u00adoperate, Привет Ёлка, Ελλάδα, عربى, हिन्दी, שלום.

👩‍👩‍👧 family 🍜 noodles… “quoted” — dashed ‘text’.
""",
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NoteLibrary]:
    with indexed(tmp_path_factory.mktemp("any"), NOTES) as library:
        yield library


def check(result: SearchResult) -> None:
    """Fail if a result cannot be shown."""
    for section in result.sections:
        for marked in (section.snippet, *section.breadcrumb):
            ends = [0]
            for start, end in marked.marks:
                assert ends[-1] <= start < end <= len(marked.text)
                ends.append(end)
        assert section.why.fields or section.why.words_rank is None


@pytest.mark.fault("F7")
@pytest.mark.fault("F5")
@pytest.mark.fault("F4")
@pytest.mark.fault("F1, F2")
@pytest.mark.parametrize(
    "query",
    [
        # the language of FTS5
        '"', "'", "(", ")", "*", "^", "a*", "^a", "a AND", "AND", "NOT x", "a NOT", "NEAR(", "OR",
        "NEAR(a b, 2)", "{title}: a", "title:a", "- title : a", "a + b", '"a" "b', '"a""b"', "a:b",
        "body : (", '""""', '" "', "\"a' OR 1=1 --", "; drop table note", "%", "_", "\\", "?1",
        # signs and empty strings
        "", " ", "\t\n", "\0", "a\0b", "\ud800", "a\udfffb", "\ufffe", "\u202e", "\u200b", "\x1b[m",
        "…", "—", "。", "🍜", "👩‍👩‍👧", "\u0301", "ـ", "\u3000", "\U000e0001", "\u0345",
        # single characters, long words, many words
        "東", "ท", "한", "ｶﾞ", "ﾞ", "a", "я", "1", "ﷺ", "㋿", "e" + "\u0301" * 3000,
        "a" * 5000, "東" * 5000, "a.b." * 1000, "- " * 1000, "-a " * 1000, '"a ' * 1000, "(" * 2000,
        "a OR " * 5000, "x" * 2_000_000, "a b " * 500_000,
    ],
    ids=lambda query: ascii(query[:12]),
)  # fmt: skip
def test_strings_that_break_other_programs(library: NoteLibrary, query: str) -> None:
    with processor_seconds(2):
        check(library.search(query, limit=100, per_note=100))
        library.matches(query, NOTES["code.md"])


@pytest.mark.fault("F3")
@pytest.mark.fault("F1, F2")
@pytest.mark.parametrize(
    ("query", "path"),
    [
        *((word, "code.md") for word in re.findall(r"\S*\w\S*", NOTES["code.md"])[1:]),
        *((word, "wide.md") for word in re.findall(r"\S*\w\S*", NOTES["wide.md"])),
        ("食", "wide.md"),
        ("ทำ", "wide.md"),
        ("ガラス", "wide.md"),
        ("cooperate", "wide.md"),
        ("angstrom", "wide.md"),
    ],
)
def test_each_word_finds_its_note_and_is_marked(
    library: NoteLibrary, query: str, path: str
) -> None:
    for typed in (query, f"{query} ", f'"{query.replace(chr(34), "")}"'):
        result = library.search(typed)
        assert path in [note.path for note in result.notes]
        assert result.missing == ()
        section = next(s for s in result.sections if s.path == path)
        assert section.why.fields
        check(result)


@pytest.mark.fault("F9")
def test_every_prefix_of_a_word_finds_it(library: NoteLibrary) -> None:
    for word in (
        "cooperate",
        "state-of-the-art",
        "naïve",
        "noodles",
        "Kindle™",
        "食べ物",
        "Ελλάδα",
    ):
        for end in range(1, len(word) + 1):
            paths = [note.path for note in library.search(word[:end]).notes]
            assert set(paths) & {"code.md", "wide.md"}, word[:end]


_WORDS = st.sampled_from(
    ["AND", "OR", "NOT", "NEAR(", '"', "-", "*", "^", "(", ")", ":", "+", ",", "{", "}", "title",
     "code", "c++", "東", "食べ", "ｶﾞ", "\0", "\ud800", "\u0301", "\u00ad", "½", "™", "…", " ",
     "a", "-code", "OR", "tag:a", "path:code", "section:code", "prop:a=b", "prop:a>1", "has:link",
     "task:todo", "lang:de", "before:7d", "after:x", "file:*", "-tag:", 'path:"', "-(", "wor*",
     '-"a b"', "ﬁ", "e\u0301", "\u202e", "the"]
)  # fmt: skip
_QUERIES = st.one_of(
    st.text(max_size=50),
    st.lists(_WORDS, max_size=12).map("".join),
    st.lists(_WORDS, max_size=12).map(" ".join),
)


@pytest.mark.fault("F6")
@given(query=_QUERIES)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_string_is_a_query(library: NoteLibrary, query: str) -> None:
    check(library.search(query, limit=100, per_note=100))


@pytest.mark.fault("F1, F2")
def test_every_pair_of_signs_is_a_query(library: NoteLibrary) -> None:
    signs = [chr(code) for code in range(32, 127) if not chr(code).isalnum()]
    for first in signs:
        for second in signs:
            library.search(f"{first}a{second}", limit=1)

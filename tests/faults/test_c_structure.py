"""Group C in the index: which lines are headings, and very many of them."""

from pathlib import Path

import pytest

from notesearch.config import Settings
from notesearch.library import NoteLibrary
from notesearch.markdown.bounds import SECTIONS
from tests.folders import write
from tests.limits import processor_seconds


def headings(vault: Path, settings: Settings, text: str) -> list[str]:
    """Index ``text`` as a note and return the headings of its sections."""
    write(vault, {"note.md": text})
    with NoteLibrary.open(vault, settings=settings) as library:
        library.refresh()
        assert not library.status().unread
        assert library.search("needle").sections, "all text is found"
        return [link.heading for link in library.sections("note.md")]


@pytest.mark.fault(
    "C1", fault="# in code, comments, HTML, front matter, quotes, lists", outcome="No section"
)
@pytest.mark.parametrize(
    "source",
    [
        "```\n# no\n```",
        "~~~ sh\n# no\n~~~",
        "    # no",
        "<!--\n# no\n-->",
        "<pre>\n# no\n\n</pre>",
        "\\# no",
        "#no",
        "> # no",
        "- # no",
    ],
    ids=lambda source: source.split("\n")[0],
)
def test_c01_text_that_is_not_a_heading(vault: Path, words_only: Settings, source: str) -> None:
    text = f"# Yes\n\n{source}\n\nneedle\n"
    assert headings(vault, words_only, text) == ["Yes"]


@pytest.mark.fault("C1")
def test_c01_front_matter_is_not_a_heading(vault: Path, words_only: Settings) -> None:
    assert headings(vault, words_only, "---\n# no\nkey: value\n---\n# Yes\n\nneedle") == ["Yes"]


@pytest.mark.fault(
    "C2", fault="A fence or comment without an end", outcome="The rest is one section"
)
@pytest.mark.parametrize("fence", ["```", "~~~~", "<!--"])
def test_c02_unclosed_fences(vault: Path, words_only: Settings, fence: str) -> None:
    if fence == "<!--":
        text = "# Yes\n\nneedle\n\n<!-- never closed\n# no\n"
    else:
        text = f"# Yes\n\n{fence}\nneedle\n# no\n## no\n"
    assert headings(vault, words_only, text) == ["Yes"]


@pytest.mark.fault(
    "C3", fault="Headings of any shape", outcome="Sections; long headings are shortened"
)
def test_c03_headings_of_any_shape(vault: Path, words_only: Settings) -> None:
    long = "long " * 2000
    text = (
        f"First\n=====\n\nSecond\n------\n\n# Same\n\n# Same\n\n#\n\n###### Deep\n\n# {long}\n\n"
        "## After\n\nneedle\n"
    )
    found = headings(vault, words_only, text)
    assert found[:4] == ["First", "Second", "Same", "Same"]
    assert found[5] == "Deep"
    assert found[-1] == "After"
    assert max(map(len, found)) < 1000


@pytest.mark.fault("C3")
@pytest.mark.parametrize("heading", ["# {}", "{}\n---", "{}\nand more\n==="])
@pytest.mark.parametrize("length", [80, 3000])
def test_c03_every_word_of_a_long_heading_is_found(
    vault: Path, words_only: Settings, heading: str, length: int
) -> None:
    """A paragraph right above a line of dashes is a heading, too."""
    long = f"{'long ' * length}needle #sharp"
    assert len(headings(vault, words_only, f"{heading.format(long)}\n\nText.\n")) == 1


@pytest.mark.fault(
    "C4",
    fault="100,000 headings",
    outcome="5,000 sections; the note is listed",
)
@pytest.mark.parametrize(
    ("count", "over"),
    [
        (20_000, "note_headings_over"),
        pytest.param(100_000, "note_lines_over", marks=pytest.mark.slow),
    ],
)
def test_c04_a_hundred_thousand_headings(
    vault: Path, words_only: Settings, count: int, over: str
) -> None:
    """By default a fifth of the full number; tests in markdown/ also check the time."""
    text = "".join(f"# Heading {n}\nWords.\n" for n in range(count)) + "needle"
    write(vault, {"note.md": text})
    with NoteLibrary.open(vault, settings=words_only) as library:
        with processor_seconds(count / 5_000):
            library.refresh()
        status = library.status()
        assert status.sections == SECTIONS
        assert [one.reason.code for one in status.unread] == [over]
        assert library.search("needle").sections[0].section == f"Heading {SECTIONS - 1}"


BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{chr(98 + n)}: &{chr(98 + n)} [{','.join([f'*{chr(97 + n)}'] * 9)}]\n" for n in range(8)
)
TREES = {
    "bomb": BOMB,
    "program": "a: !!python/object/apply:os.system [echo]\n",
    "megabyte": "a: b\n" * 200_000,
    "dates": "date: 2024-02-30\nother: 9999-12-31T99:99:99\n",
    "twice": "title: One\ntitle: Two\n",
    "deep": "a: " + "[" * 5000 + "\n",
    "broken": "a: 'b\n",
    "keys of any kind": "? [1, 2]\n: 3\n1: 2\nnull: x\n",
}


@pytest.mark.fault(
    "C12",
    fault="Hostile front matter: bombs, programs, a megabyte",
    outcome="Limited, or plain text",
)
@pytest.mark.parametrize("name", TREES)
def test_c12_front_matter_of_any_kind(vault: Path, words_only: Settings, name: str) -> None:
    text = f"---\n{TREES[name]}---\n# Yes\n\nneedle\n"
    with processor_seconds(10):
        assert headings(vault, words_only, text)[-1] == "Yes"


@pytest.mark.fault("C13", fault="Notes that embed each other", outcome="Shown one level deep")
def test_c13_notes_that_embed_each_other(vault: Path, words_only: Settings) -> None:
    write(vault, {"A.md": "![[B]] needle", "B.md": "![[A]] needle", "C.md": "![[C]]"})
    with NoteLibrary.open(vault, settings=words_only) as library:
        library.refresh()
        assert {note.path for note in library.search("needle").notes} == {"A.md", "B.md"}
        assert library.read_at("C.md", 1).text == "![[C]]"
        assert library.status().words < 20

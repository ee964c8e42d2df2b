"""Finding notes and sections by the names that people and programs use."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notesearch.errors import NoteMissingError, SectionMissingError
from notesearch.markdown.sections.note_parser import parse_note
from notesearch.markdown.sections.section_lookup import NoteOutline, find_note, find_section

NOTES = (
    ("River.md", "River"),
    ("hills/peak.md", "The peak"),
    ("hills/view.md", "View"),
    ("town/view.md", "View"),
    ("town/Caf\u00e9.markdown", "Caf\u00e9"),
    ("v1.2.md", "v1.2"),
)


@pytest.mark.parametrize(
    ("asked", "path"),
    [
        ("River.md", "River.md"),
        ("river", "River.md"),
        ("RIVER.MD", "River.md"),
        ("hills/peak.md", "hills/peak.md"),
        ("hills/peak", "hills/peak.md"),
        ("Peak", "hills/peak.md"),
        ("the  peak", "hills/peak.md"),
        ("town/view", "town/view.md"),
        ("cafe\u0301", "town/Caf\u00e9.markdown"),
        ("v1.2", "v1.2.md"),
    ],
)
def test_a_note_is_found_by_path_name_or_title(asked: str, path: str) -> None:
    assert find_note(asked, NOTES) == path


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ("view", "2 notes are called “view”: town/view.md, hills/view.md. Give the path."),
        ("ills/view", "No note is called “ills/view”. Did you mean hills/view.md?"),
        ("hills/paek", "No note is called “hills/paek”. Did you mean hills/peak.md?"),
        ("Teh peak", "No note is called “Teh peak”. Did you mean hills/peak.md?"),
        ("Hills/", "No note is called “Hills/”. Did you mean hills/peak.md, hills/view.md?"),
        ("pea", "No note is called “pea”. Did you mean hills/peak.md?"),
        ("peak hills", "No note is called “peak hills”. Did you mean hills/peak.md?"),
        ("vi", "No note is called “vi”. Did you mean hills/view.md, town/view.md?"),
        ("ak", "No note is called “ak”. Search for a word that it contains."),
        ("Lake", "No note is called “Lake”. Search for a word that it contains."),
        ("", "No note is called “”. Search for a word that it contains."),
        (".md", "No note is called “.md”. Search for a word that it contains."),
    ],
)
def test_a_failed_lookup_says_why(asked: str, message: str) -> None:
    with pytest.raises(NoteMissingError) as raised:
        find_note(asked, NOTES)
    assert str(raised.value) == message


def test_a_path_wins_over_a_title() -> None:
    assert find_note("a", [("a.md", "First"), ("b.md", "a"), ("c/a.md", "Third")]) == "a.md"


def outlined(text: str, path: str) -> NoteOutline:
    """Return the outline of a note."""
    return NoteOutline.of(parse_note(text, path))


NOTE = outlined(
    """\
Before all headings.

# Install
## Linux
### Packages
## Windows
### Packages
# Use
## Install
## TCP/IP and UDP
## Überblick
## `quoted` **words**
## Troubleshooting and more
# Log
## Monday
## Monday
""",
    "guide/Manual.md",
)


@pytest.mark.parametrize(
    ("wanted", "line"),
    [
        ("Linux", 4),
        ("  linux ", 4),
        ("## Linux", 4),
        *(("Linux (lines 4-5; 12 words)", 4), ("lines 4-5", 4), ("4-5", 4), ("line 7", 7)),
        ("tcp-ip-and-udp", 10),
        ("Manual", 1),  # the text before the first heading goes by the title
        ("Linux/Packages", 5),
        ("install / windows / packages", 7),
        ("Manual/Install/Windows/Packages", 7),
        ("Install › Linux › Packages", 5),
        ("Install > Linux > Packages", 5),
        ("Install", 3),  # at the top; the other is Use/Install
        ("Use/Install", 9),
        ("TCP/IP and UDP", 10),
        ("use/tcp/ip and udp", 10),
        ("U\u0308BERBLICK", 11),
        ("quoted words", 12),
        ("Trouble", 13),  # the only one that has it
        ("more trouble", 13),
        ("more-trouble", 13),
        ("udp-tcp", 10),
        ("Troubelshooting and mroe", 13),  # clearly closest
        ("Windwos", 6),
        ("Windwos/Pakages", 7),
        ("Manaul/Instal", 3),
    ],
)
def test_a_section_is_found_by_heading_or_path(wanted: str, line: int) -> None:
    assert NOTE.sections[find_section(NOTE, wanted)].line == line


@pytest.mark.parametrize(
    "heading",
    ["[Link](a/b.md)", "[[Ann Lee|Ann]]'s **plan**", "With id {#my-id}", "Foot[^1]", "`x` ==y=="],
)
def test_a_section_is_found_by_the_markdown_of_its_heading(heading: str) -> None:
    note = outlined(f"# Top\n\n## {heading}\n\nText.\n\n[^1]: Note.\n", "a.md")
    assert find_section(note, heading) == find_section(note, f"## {heading}") == 1


@pytest.mark.parametrize(
    ("wanted", "line"),
    [
        ("Cast off and sail", 1),
        ("Cast sail off", 0),
        ("One to two to three", 2),
        ("One to three", 0),
        ("Now we sail / Mooring", 4),
        ("Wait for tide", 0),
        ("Plan for oak / Keel", 8),
        ("Plan for oak", 7),
        ("a" * 200, 0),
    ],
)
def test_an_ellipsis_in_a_heading_stands_for_words(wanted: str, line: int) -> None:
    note = outlined(
        "# Cast off…sail\n# One … two … three\n# Now … sail\n## Mooring\n# Wait ... tide\n"
        f"# {'…a' * 60}b\n# Plan for …\n## Keel\n",
        "a.md",
    )
    if not line:
        with pytest.raises(SectionMissingError):
            find_section(note, wanted)
    else:
        assert note.sections[find_section(note, wanted)].line == line


def test_sections_of_one_name_are_listed_with_their_lines() -> None:
    note = outlined("# Log\n## Rope\na\n## Sail\n## Rope\nb\n", "a.md")
    with pytest.raises(SectionMissingError, match=r"Log; Rope \(line 2\); Sail; Rope \(line 5\)$"):
        find_section(note, "Keel")


@pytest.mark.parametrize("wanted", ["Log of 2025", "Log of 20234"])
def test_a_misspelt_name_close_to_two_headings_names_neither(wanted: str) -> None:
    note = outlined("# Log of 2023\n# Log of 2024\n# Costs\n", "a.md")
    with pytest.raises(SectionMissingError, match=r"Log of 2023; Log of 2024; Costs$"):
        find_section(note, wanted)


@pytest.mark.parametrize(
    "wanted",
    [
        *("Networking", "x", "in", "Linux/Use", "/", "Windows/Linux"),
        *("Linux/x", "x/Linux", "Install/Linux/x", "Windows/Packages/y"),
    ],
)
def test_a_missing_section_lists_the_sections(wanted: str) -> None:
    with pytest.raises(SectionMissingError) as raised:
        find_section(NOTE, wanted)
    message = str(raised.value)
    assert message.startswith(f"guide/Manual.md has no section “{wanted}”. Its sections: ")
    assert "; Install / Linux / Packages; " in message


@pytest.mark.parametrize(
    ("wanted", "listed"),
    [
        ("Packages", "Install / Linux / Packages (line 5); Install / Windows / Packages (line 7)"),
        ("Monday", "Log / Monday (line 15); Log / Monday (line 16)"),
    ],
)
def test_an_ambiguous_section_lists_the_choices(wanted: str, listed: str) -> None:
    with pytest.raises(SectionMissingError) as raised:
        find_section(NOTE, wanted)
    expected = f"guide/Manual.md has more than one section “{wanted}”."
    assert str(raised.value) == f"{expected} Choose one of these names: {listed}"


def test_a_long_list_is_cut() -> None:
    note = outlined("".join(f"# Heading {n}\n" for n in range(100)), "a.md")
    with pytest.raises(SectionMissingError, match=r"Heading 39; and 60 more\Z"):
        find_section(note, "nothing like it")


@given(st.text())
def test_any_text_can_be_a_name(wanted: str) -> None:
    try:
        assert 0 <= find_section(NOTE, wanted) < len(NOTE.sections)
    except SectionMissingError as error:
        assert wanted in str(error)  # noqa: PT017 - it need not be raised
    try:
        assert find_note(wanted, NOTES)
    except NoteMissingError as error:
        assert wanted in str(error)  # noqa: PT017


@pytest.mark.parametrize("line", [15, 16])
def test_a_line_distinguishes_sections_of_the_same_path(line: int) -> None:
    for wanted in (f"Log / Monday (line {line})", f"monday (lines {line}-{line})"):
        assert NOTE.sections[find_section(NOTE, wanted)].line == line


def test_a_heading_that_ends_like_a_line_keeps_its_name() -> None:
    note = outlined("# Error (line 3)\n# Error\n# Error\n", "a.md")
    assert find_section(note, "Error (line 3)") == 0
    assert note.sections[find_section(note, "Error (line 2)")].line == 2


@pytest.mark.parametrize("wanted", ["preamble", "(Preamble)", "(preamble) Manual"])
def test_the_preamble_is_found_as_outlines_list_it(wanted: str) -> None:
    assert find_section(NOTE, wanted) == 0
    with pytest.raises(SectionMissingError):
        find_section(outlined("# One\n# Two\n", "a.md"), wanted)
    headed = outlined("Above.\n# Preamble\n", "a.md")
    assert headed.sections[find_section(headed, "preamble")].line == 2


def test_a_note_without_sections_is_reported_as_empty() -> None:
    with pytest.raises(SectionMissingError, match=r"no section “x”. The note is empty\.\Z"):
        find_section(outlined("", "a.md"), "x")


def test_every_listed_path_finds_its_section() -> None:
    for section in NOTE.sections[:-2]:
        assert NOTE.sections[find_section(NOTE, " / ".join(section.path))] == section

"""Group A, names: unusual names of notes, and other things with the name of a note."""

import os
import unicodedata
from pathlib import Path

import pytest

from notesearch.config import Settings
from notesearch.errors import NoteMissingError
from notesearch.index import note_files
from notesearch.library import NoteLibrary
from tests.folders import write
from tests.watched_vault import WatchedVault


def library_of(vault: Path, settings: Settings) -> NoteLibrary:
    library = NoteLibrary.open(vault, settings=settings)
    library.refresh()
    return library


@pytest.mark.fault(
    "A21",
    fault="A note is renamed in case only",
    outcome="The same note, spelt as in the folder",
)
class TestA21CaseOnlyRenames:
    def test_is_the_same_note(self, watched: WatchedVault) -> None:
        write(watched.vault, {"a.md": "# Title\n\nWords.\n"})
        watched.start_and_wait()
        (watched.vault / "a.md").rename(watched.vault / "A.md")
        watched.listener.until(watched.converged)
        assert watched.indexed_digests().keys() == {"A.md"}
        watched.assert_like_new()
        assert watched.listener.reports[-1].moved == ("A.md",)

    @pytest.mark.parametrize(
        ("hinted", "existing"),
        [
            (["a.md"], {"a.md": False, "A.md": True}),
            (["A.md"], {"A.md": True}),
            (["a.md", "A.md"], {"a.md": False, "A.md": True}),
            (["folder/é.md"], {"folder/é.md": False, "folder/e\u0301.md": True}),
            (["folder/É.md"], {"folder/É.md": False, "folder/e\u0301.md": True}),
            (["gone.md", "nowhere/x.md"], {"gone.md": True, "nowhere/x.md": True}),
        ],
    )
    def test_the_listing_decides_where_case_is_ignored(
        self, vault: Path, hinted: list[str], existing: dict[str, bool]
    ) -> None:
        write(vault, {"A.md": "", "folder/e\u0301.md": ""})
        assert note_files.existing_spellings(vault, hinted) == existing


@pytest.mark.fault(
    "A22",
    row="A22, A23",
    fault="Names that differ only in case or Unicode form (NFC, NFD)",
    outcome="Kept as on disk; an inexact name finds both",
)
def test_a22_two_notes_differ_only_in_case(vault: Path, words_only: Settings) -> None:
    write(vault, {"x/Note.md": "Upper.", "y/note.md": "Lower.", "Same.md": "S.", "same.md": "s."})
    with library_of(vault, words_only) as library:
        assert library.status().notes == 4
        assert library.read("Note").text == "Upper."
        assert library.read("note").text == "Lower."
        assert library.read("same.md").text == "s."
        with pytest.raises(NoteMissingError, match="2 notes are called “NOTE”"):
            library.read("NOTE")


COMPOSED, DECOMPOSED = (unicodedata.normalize(form, "Café über") for form in ("NFC", "NFD"))


@pytest.mark.fault("A23")
class TestA23FormsOfAnAccent:
    @pytest.mark.parametrize("on_disk", [COMPOSED, DECOMPOSED])
    @pytest.mark.parametrize("asked", [COMPOSED, DECOMPOSED])
    def test_a_note_is_found_by_either(
        self, vault: Path, words_only: Settings, on_disk: str, asked: str
    ) -> None:
        write(vault, {f"d/{on_disk}.md": "# One\n\nWords.\n"})
        with library_of(vault, words_only) as library:
            for name in (asked, f"{asked}.md", f"d/{asked}.md"):
                assert library.read(name, "One").path == f"d/{on_disk}.md"
            assert library.search(asked).notes[0].path == f"d/{on_disk}.md"

    def test_both_at_once_are_indexed_and_reported(self, vault: Path, words_only: Settings) -> None:
        write(vault, {f"{COMPOSED}.md": "One.", f"{DECOMPOSED}.md": "Two."})
        with library_of(vault, words_only) as library:
            assert library.status().notes == 2
            assert {item.path for item in library.status().unread} == {
                f"{COMPOSED}.md", f"{DECOMPOSED}.md"
            }  # fmt: skip
            assert library.read(f"{COMPOSED}.md").text == "One."
            assert library.read(f"{DECOMPOSED}.md").text == "Two."


@pytest.mark.fault(
    "A24",
    row="A24, A28, A35",
    fault="Names that are not valid Unicode; pipes, devices; a terabyte",
    outcome="Listed, not read",
)
def test_a24_names_that_are_not_unicode(watched: WatchedVault) -> None:
    write(watched.vault, {"a.md": "Words."})
    watched.start_and_wait()
    name = os.fsdecode(b"caf\xe9.md")
    (watched.vault / name).write_text("Cannot be named.")
    (watched.vault / os.fsdecode(b"d\xe9")).mkdir()  # a new folder: everything is compared
    watched.listener.until(
        lambda: any(
            note.path == r"caf\udce9.md" and "not valid Unicode" in note.reason
            for report in watched.listener.reports
            for note in report.unread
        )
    )
    assert watched.indexed_digests().keys() == {"a.md"}
    assert not watched.listener.errors


@pytest.mark.fault(
    "A25, A26",
    fault="Symbolic links, also to the folder itself",
    outcome="Listed; with follow_links, each note is indexed once",
)
def test_a25_links_are_reported_and_not_followed(vault: Path, words_only: Settings) -> None:
    write(vault.parent, {"outside/secret.md": "Secret."})
    write(vault, {"a.md": "Words."})
    (vault / "note.md").symlink_to(vault.parent / "outside/secret.md")
    (vault / "folder").symlink_to(vault.parent / "outside")
    with library_of(vault, words_only) as library:
        assert not library.search("secret").sections
        assert {item.path for item in library.status().unread} == {"note.md", "folder"}


@pytest.mark.fault(
    "A27",
    fault="A hard link to a file outside",
    outcome="Indexed like any file",
)
def test_a27_a_hard_link_is_a_note_like_any_other(vault: Path, words_only: Settings) -> None:
    write(vault.parent, {"outside.md": "Linked words."})
    os.link(vault.parent / "outside.md", vault / "inside.md")
    with library_of(vault, words_only) as library:
        assert library.search("linked").notes[0].path == "inside.md"


STRANGE = ["line\nbreak.md", "-rf.md", "100%25.md", "a#b?c.md", "it's \"so\".md", "\u202efdp.md",
           " .md.md", "$(x);&.md", "[[x]].md", "日本語.md", "🦭.md", f"{'x' * 252}.md"]  # fmt: skip


@pytest.mark.fault(
    "A34",
    fault="Strange, long, hostile names",
    outcome="Found and read; control characters are spelt out",
)
@pytest.mark.parametrize("name", STRANGE)
def test_a34_a_strange_name_is_found_read_and_listed(
    vault: Path, words_only: Settings, name: str
) -> None:
    write(vault, {f"d/{name}": "# Heading\n\nWords.\n"})
    with library_of(vault, words_only) as library:
        assert library.search("words").notes[0].path == f"d/{name}"
        assert library.read(f"d/{name}", "Heading").line == 1
        assert library.file(f"d/{name}").is_file()
        assert not library.status().unread


@pytest.mark.fault("A34")
def test_a34_a_path_longer_than_the_systems_limit(watched: WatchedVault) -> None:
    folder = "/".join(["x" * 200] * 15)
    write(watched.vault, {f"{folder}/a.md": "Deep."})
    watched.start_and_wait()
    write(watched.vault, {f"{folder}/a.md": "Deeper."})
    watched.assert_like_new()

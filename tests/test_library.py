"""NoteLibrary, the Python API."""

import contextlib
import os
import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest

from notesearch.config import Settings
from notesearch.errors import (
    IndexDamagedError,
    IndexFileError,
    ModelError,
    NoteMissingError,
    SearchCancelledError,
    SectionMissingError,
    VaultMissingError,
)
from notesearch.library import NoteLibrary, has_folder
from notesearch.results import Mode, Scope
from notesearch.status import Phase, Progress
from tests.folders import snapshot, write
from tests.indexed import indexed
from tests.indexing_listener import IndexingListener

if TYPE_CHECKING:
    from notesearch.embedding.embedder import Embedder

NOTES: dict[str, str | bytes] = {
    "river.md": "---\ntags: [water]\ncategory: land\naliases: [Stream]\n---\n# River\n\n"
    "Water flows to the sea.\n\n## Banks\n\nReeds grow there.\n\n### Reeds\n\nThey bend.\n\n"
    "## Fish\n\nTrout and salmon swim upstream in autumn.\n",
    "kitchen/Bread.md": "# Bread\n\n## Dough\n\nKnead flour, water and salt.\n\n"
    "## Baking\n\nHalf an hour in a hot oven.\n",
    "kitchen/Soup.md": "Leeks, potatoes and cream.\n\n# Winter\n\nWith chestnuts.\n\n"
    "# Summer\n\nCold, with cucumber.\n",
    "plan.md": "# Plan\n\n## Monday\n\n### Morning\n\nWrite.\n\n"
    "## Tuesday\n\n### Morning\n\nRest.\n",
    ".obsidian/app.json": "{}",
    "picture.png": b"\x89PNG",
}


@pytest.fixture(scope="module")
def library(
    tmp_path_factory: pytest.TempPathFactory, embedder: "Embedder"
) -> Iterator[NoteLibrary]:
    """Four notes, indexed by words and meaning; tests must not change them."""
    with indexed(tmp_path_factory.mktemp("library"), NOTES, embedder) as library:
        yield library


@pytest.fixture
def small(vault: Path, words_only: Settings) -> Iterator[NoteLibrary]:
    """The same notes in a folder of the test, by words only, not indexed yet."""
    write(vault, NOTES)
    with NoteLibrary.open(vault, settings=words_only) as library:
        yield library


class TestOpening:
    def test_does_nothing_yet(self, tmp_path: Path) -> None:
        with NoteLibrary.open(tmp_path / "not there", home=tmp_path / "home") as library:
            assert library.vault == tmp_path / "not there"
            assert not library.indexed
        assert not (tmp_path / "home").exists()

    def test_finds_its_own_folders(self, small: NoteLibrary, home: Path) -> None:
        small.refresh()
        assert list((home / "data" / "indexes").glob("vault-*.sqlite"))

    def test_accepts_a_tilde_in_the_path(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("HOME", str(tmp_path))
        monkeypatch.chdir(tmp_path)
        (tmp_path / "link").symlink_to("notes")
        for name in ("~/notes", "notes", "./x/../notes", "link", str(tmp_path / "notes")):
            with NoteLibrary.open(name) as library:
                assert library.vault == tmp_path / "notes"
        with NoteLibrary.open("~nobody-of-that-name/notes") as library:
            assert not library.vault.exists()

    def test_reads_the_settings_file(self, vault: Path, home: Path) -> None:
        write(home, {"config/settings.toml": 'suffixes = [".txt"]\n'})
        write(vault, {"a.txt": "Otters.", "b.md": "Otters."})
        with NoteLibrary.open(vault) as library:
            assert library.refresh().added == ("a.txt",)

    def test_loads_nothing_heavy(self) -> None:
        code = (
            "import sys; from notesearch.library import NoteLibrary; NoteLibrary.open('.');"
            "print({'numpy', 'onnxruntime', 'tokenizers', 'markdown_it'} & set(sys.modules))"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
        assert done.stdout.strip() == b"set()"


class TestBeforeTheFirstRefresh:
    def test_without_an_index_it_raises(self, small: NoteLibrary) -> None:
        for ask in (lambda: small.search("x"), small.status, lambda: small.matches("x", "x")):
            with pytest.raises(IndexFileError, match="are not indexed yet"):
                ask()

    def test_notes_can_be_read_by_their_path(self, small: NoteLibrary) -> None:
        assert small.read("kitchen/Bread.md", "Dough").line == 3
        with pytest.raises(NoteMissingError, match="No note is called “Bread”"):
            small.read("Bread")


class TestRefresh:
    def test_reports_and_tells_its_progress(self, vault: Path, embedder: "Embedder") -> None:
        write(vault, NOTES)
        told: list[Progress] = []
        with NoteLibrary.open(vault, embedder=embedder) as library:
            report = library.refresh(told.append)
            assert report.added == ("kitchen/Bread.md", "kitchen/Soup.md", "plan.md", "river.md")
            assert report.embedded == library.status().passages > 0
            assert report.seconds > 0
            assert not library.refresh()
        phases = [progress.phase for progress in told]
        assert phases == sorted(phases, key=[*Phase].index)
        assert set(phases) == {Phase.SCAN, Phase.WORDS, Phase.MEANING}
        assert all(0 <= progress.done <= progress.total for progress in told)

    def test_a_missing_folder_raises(self, tmp_path: Path) -> None:
        with (
            NoteLibrary.open(tmp_path / "gone") as library,
            pytest.raises(VaultMissingError, match="is missing"),
        ):
            library.refresh()
        assert not library.indexed

    @pytest.mark.fault("J10")
    def test_two_vaults_are_independent(
        self, small: NoteLibrary, tmp_path: Path, words_only: Settings
    ) -> None:
        write(tmp_path / "other" / "vault", {"x.md": "Otters swim."})
        small.refresh()
        with NoteLibrary.open(tmp_path / "other" / "vault", settings=words_only) as other:
            other.refresh()
            assert other.search("otters").sections
            assert not other.search("reeds").sections
        assert not small.search("otters").sections


class TestSearch:
    @pytest.mark.parametrize("mode", [*Mode, "words", "meaning", "hybrid"])
    def test_has_notes_and_sections(self, library: NoteLibrary, mode: Mode | str) -> None:
        found = library.search("fish that swim in a river", mode=mode)
        assert (found.query, found.mode) == ("fish that swim in a river", Mode(mode))
        assert found.took_ms > 0
        assert found.total >= len(found.sections) > 0
        assert found.meaning is (found.mode is not Mode.WORDS)
        best = found.sections[0]
        assert (best.path, best.title, best.section) == ("river.md", "River", "Fish")
        assert (best.section_path, best.level, best.line, best.end_line) == (("Fish",), 2, 18, 20)
        assert (best.chunk_index, best.total_chunks) == (0, 1)
        assert best.passage == "Trout and salmon swim upstream in autumn."
        assert best.score == max(section.score for section in found.sections)
        assert "".join(crumb.text for crumb in best.breadcrumb) == "Fish"
        assert "salmon" in best.snippet.text
        group = found.notes[0]
        assert (group.path, group.title) == ("river.md", "River")
        assert group.score == max(note.score for note in found.notes)
        assert (group.tags, group.category, group.page_word_count) == (("water",), "land", 17)
        assert group.modified == pytest.approx(library.file("river.md").stat().st_mtime)
        assert sum(len(note.sections) for note in found.notes) == len(found.sections)

    def test_says_why_by_words(self, library: NoteLibrary) -> None:
        best = library.search("reeds", mode="words").sections[0]
        assert best.why.words_rank == 1
        assert best.why.meaning_rank is None
        assert best.why.fields == ("headings",)
        assert not best.by_meaning_alone

    def test_says_why_by_meaning(self, library: NoteLibrary) -> None:
        best = library.search("recipe for a loaf", mode="meaning").sections[0]
        assert best.path == "kitchen/Bread.md"
        assert best.why.words_rank is None
        assert best.why.meaning_rank is not None
        assert best.by_meaning_alone

    def test_marks_what_matched(self, library: NoteLibrary) -> None:
        snippet = library.search("salmon", mode="words").sections[0].snippet
        assert [snippet.text[start:end] for start, end in snippet.marks] == ["salmon"]
        assert library.matches("salmons", "A Salmon swims") == ((2, 8),)

    @pytest.mark.parametrize("limit", [1, 2, 5])
    @pytest.mark.parametrize("per_note", [1, 2, 5])
    def test_is_bounded(self, library: NoteLibrary, limit: int, per_note: int) -> None:
        found = library.search("water reeds fish morning", limit=limit, per_note=per_note)
        assert len(found.sections) <= limit
        for note in found.notes:
            assert 0 < len(note.sections) <= per_note
        assert found.sections[0].path == found.notes[0].path

    @pytest.mark.parametrize(("limit", "per_note"), [(0, 0), (-1, -1), (10**9, 10**9)])
    def test_takes_any_bounds(self, library: NoteLibrary, limit: int, per_note: int) -> None:
        assert library.search("reeds", limit=limit, per_note=per_note).sections

    def test_an_empty_query_finds_nothing(self, library: NoteLibrary) -> None:
        for text in ("", "  ", "***", "\0", "\ud800", '"', "-"):
            assert library.search(text).sections == ()

    def test_can_be_cancelled(self, library: NoteLibrary) -> None:
        with pytest.raises(SearchCancelledError):
            library.search("reeds water morning", cancelled=lambda: True)
        assert library.search("reeds", cancelled=lambda: False).sections

    def test_an_unknown_mode_raises(self, library: NoteLibrary) -> None:
        with pytest.raises(ValueError, match="magic"):
            library.search("x", mode="magic")

    def test_works_without_the_model(self, small: NoteLibrary) -> None:
        small.refresh()
        found = small.search("reeds")
        assert found.sections
        assert not found.meaning
        status = small.status()
        assert not status.meaning
        assert status.meaning_problem.endswith(".")
        with pytest.raises(ModelError) as raised:
            small.related("river.md")
        assert str(raised.value) == status.meaning_problem


class TestReading:
    @pytest.mark.parametrize(
        "path",
        ["kitchen/Bread.md", "./kitchen/Bread.md", "kitchen/../kitchen/Bread.md", "bread",
         "BREAD.md", "kitchen/bread", "Bread"],
    )  # fmt: skip
    def test_finds_the_note(self, library: NoteLibrary, path: str) -> None:
        found = library.read(path)
        assert (found.path, found.title, found.line) == ("kitchen/Bread.md", "Bread", 1)
        assert found.text + "\n" == NOTES["kitchen/Bread.md"]
        assert library.read(str(library.file(found.path))) == found

    def test_takes_the_number_of_a_passage(self, library: NoteLibrary) -> None:
        passages = library.passages("water", limit=20, per_note=20).passages
        assert max(found.chunk_index for found in passages) > 1
        for found in passages:
            read = library.read(f"{found.path}::chunk_{found.chunk_index}")
            assert (read.line, read.section_path) == (found.line, found.section_path)
            near = library.related(f"{found.path}::chunk_{found.chunk_index}", limit=3)
            assert near == library.related(f"{found.path}:{found.line}", limit=3)
        whole = library.read("river.md")
        assert library.read("river.md::chunk_99") == whole

    @pytest.mark.parametrize(
        ("section", "line", "end_line"),
        [
            ("River", 6, 20), ("banks", 10, 17), ("Banks/Reeds", 14, 17), ("Bnaks", 10, 17),
            ("", 6, 20), (None, 6, 20),
        ],
    )  # fmt: skip
    def test_finds_the_full_section(
        self, library: NoteLibrary, section: str | None, line: int, end_line: int
    ) -> None:
        found = library.read("river", section)
        assert (found.line, found.end_line) == (line, end_line)
        lines = str(NOTES["river.md"]).splitlines()
        assert found.text == "\n".join(lines[line - 1 : end_line])

    def test_an_ambiguous_heading_raises(self, library: NoteLibrary) -> None:
        with pytest.raises(SectionMissingError, match=r"Monday / Morning .*Tuesday / Morning"):
            library.read("plan", "morning")
        assert "Rest." in library.read("plan", "tuesday/morning").text

    def test_lists_what_there_is(self, library: NoteLibrary) -> None:
        with pytest.raises(
            SectionMissingError, match="Its sections: River; Banks; Banks / Reeds; "
        ):
            library.read("river", "Sharks")

    @pytest.mark.parametrize(
        "path",
        ["lake", "", "..", "../secret.md", "/etc/passwd", "kitchen", ".obsidian/app.json",
         "picture.png", "a\0b", "\ud800", "x" * 5000, "~/x.md", "river.md/x"],
    )  # fmt: skip
    def test_other_files_are_not_read(self, library: NoteLibrary, path: str) -> None:
        for ask in (library.read, library.sections):
            with pytest.raises(NoteMissingError):
                ask(path)

    @pytest.mark.parametrize("half", ["\ud800", "a\udfff"])
    def test_half_a_character_names_nothing(self, library: NoteLibrary, half: str) -> None:
        with pytest.raises(NoteMissingError):
            library.last_known(half, 1, Scope.NOTE)
        with pytest.raises(NoteMissingError):
            library.links("river.md").link_position(half)
        assert library.complete_filter(f"links:{half}") == ()
        assert library.links("river.md").embedded(half) is None

    def test_shows_the_file_as_it_is_now(self, small: NoteLibrary, vault: Path) -> None:
        small.refresh()
        write(vault, {"river.md": "# River\n\n## Ice\n\nIt froze.\n"})
        assert small.read("river", "ice").text == "## Ice\n\nIt froze."
        assert small.read_at("river.md", 3).heading == "Ice"
        assert small.read_at("river.md", 3, Scope.NOTE).line == 1
        assert [link.heading for link in small.sections("river")] == ["River", "Ice"]
        write(vault, {"river.md": "# River\n\n## Melts…\n\n## Freezes…\n\nOn Monday.\n"})
        small.refresh()
        write(vault, {"river.md": "# River\n\n## Freezes…\n\nOn Monday.\n"})
        assert [link.heading for link in small.sections("river")] == ["River", "Freezes…"]
        assert small.read("river", "freezes").heading == "Freezes…"
        (vault / "river.md").unlink()
        with pytest.raises(NoteMissingError, match="moved or deleted since the last update"):
            small.read("river")
        with pytest.raises(NoteMissingError, match="moved or deleted since the last update"):
            small.read_at("river.md", 3)

    def test_relates_to_sections_of_other_notes(self, library: NoteLibrary) -> None:
        own = library.related("bread", "Dough", other_notes_only=False)
        assert {section.path for section in own} == {"kitchen/Bread.md"}
        assert library.related("bread", "Dough") == ()


class TestStatus:
    def test_counts_what_is_indexed(self, library: NoteLibrary) -> None:
        status = library.status()
        assert (status.notes, status.sections, status.passages) == (4, 15, 15)
        assert status.words == sum(
            link.words for path in NOTES if path.endswith(".md") for link in library.sections(path)
        )
        assert status.note_bytes == sum(
            len(text) for path, text in NOTES.items() if path.endswith(".md")
        )
        assert (status.vault, status.vault_missing) == (str(library.vault), False)
        assert status.pending == 0
        assert status.unread == ()
        assert status.index_bytes >= Path(status.index_path).stat().st_size
        assert status.model == Settings().model
        assert status.meaning
        assert (status.meaning_problem, status.rebuilt) == ("", "")
        assert status.last_scan > 1.7e9

    def test_lists_what_could_not_be_read(self, small: NoteLibrary, vault: Path) -> None:
        write(vault, {"bad.md": b"\xff", "binary.md": bytes(99)})
        (vault / "link.md").symlink_to("river.md")
        small.refresh()
        assert [note.path for note in small.status().unread] == ["bad.md", "binary.md", "link.md"]
        assert all(note.reason.endswith(".") for note in small.status().unread)
        assert [note.path for note in small.status().unread if note.remark] == ["bad.md"]
        assert small.status().notes == 5

    def test_outlives_the_folder(self, small: NoteLibrary, vault: Path) -> None:
        small.refresh()
        vault.rename(vault.with_name("away"))
        assert small.status().vault_missing
        assert small.search("reeds").sections


class TestWatch:
    def test_indexes_and_follows(self, small: NoteLibrary, vault: Path) -> None:
        listener = IndexingListener()
        watch = small.watch(listener)
        listener.until_idle()
        write(vault, {"new.md": "Otters swim."})
        listener.until(lambda: bool(small.search("otters").sections))
        watch.close()

    def test_needs_no_listener_and_ends_with_the_library(
        self, vault: Path, words_only: Settings
    ) -> None:
        with NoteLibrary.open(vault, settings=words_only) as library:
            library.watch()
            library.watch().close()


class TestThreads:
    def test_search_while_another_indexes(self, small: NoteLibrary, vault: Path) -> None:
        small.refresh()
        done = threading.Event()
        failures: list[BaseException] = []
        answers = [0, 0]

        def search(number: int) -> None:
            try:
                while not done.is_set() or not answers[number]:
                    for text in ("reeds", "otters", "number"):
                        for section in small.search(text, limit=50, per_note=50).sections:
                            assert section.section
                    assert small.search("reeds").sections[0].path == "river.md"
                    small.status()
                    answers[number] += 1
            except BaseException as error:  # noqa: BLE001 - told by the test itself
                failures.append(error)

        threads = [threading.Thread(target=search, args=(n,)) for n in range(2)]
        for thread in threads:
            thread.start()
        for version in range(2):
            text = f"# Otters\n\nNumber {version}.\n"
            write(vault, {f"{n}.md": text for n in range(version, version + 8)})
            (vault / "kitchen" / f"Soup{version or ''}.md").rename(
                vault / "kitchen" / f"Soup{version + 1}.md"
            )
            small.refresh()
        done.set()
        for thread in threads:
            thread.join()
        assert failures == []
        assert min(answers) > 0

    @pytest.mark.skipif(sys.platform != "linux", reason="counts open files as Linux does")
    def test_ended_threads_release_their_files(self, small: NoteLibrary) -> None:
        small.refresh()
        for _ in range(20):
            thread = threading.Thread(target=small.search, args=("reeds",))
            thread.start()
            thread.join()
        index = os.stat(small.status().index_path)  # noqa: PTH116
        opened = 0
        for descriptor in os.listdir("/proc/self/fd"):  # noqa: PTH208
            with contextlib.suppress(OSError):
                opened += os.path.samestat(os.fstat(int(descriptor)), index)
        assert opened <= 2


QUERIES = ("reeds", "number 7", "many words", "morning")


@pytest.mark.fault("D2")
class TestADamagedIndex:
    @pytest.mark.parametrize("seed", range(12))
    def test_costs_nothing_but_time(
        self, small: NoteLibrary, vault: Path, words_only: Settings, seed: int
    ) -> None:
        write(vault, {f"{n}.md": f"# Number {n}\n\n{'Many words. ' * n}\n" for n in range(100)})
        small.refresh()
        expected = [small.search(text).sections for text in QUERIES]
        before = snapshot(vault)
        index = Path(small.status().index_path)
        small.close()
        damage(index, random.Random(seed))
        with NoteLibrary.open(vault, settings=words_only) as library:
            for _ in range(2):
                for text in QUERIES:
                    with contextlib.suppress(IndexFileError):
                        library.search(text)
                    with contextlib.suppress(IndexFileError):
                        library.status()
                library.refresh()
            assert [library.search(text).sections for text in QUERIES] == expected
            assert library.status().notes == 104
        assert snapshot(vault) == before

    def test_is_set_aside_only_once(
        self, small: NoteLibrary, vault: Path, words_only: Settings
    ) -> None:
        small.refresh()
        with NoteLibrary.open(vault, settings=words_only) as other:
            index = Path(small.status().index_path)

            def meet_it_and_make_it_again() -> NoReturn:
                index.write_bytes(b"x" * 10_000)
                with pytest.raises(IndexDamagedError):
                    other.search("reeds")
                other.refresh()
                raise IndexDamagedError("index_replaced")

            with pytest.raises(IndexDamagedError), small._index.reading():
                meet_it_and_make_it_again()
            assert other.search("reeds").sections
            aside = index.parent.glob("*-aside-*[0-9]")
            assert [file.stat().st_size for file in aside] == [10_000]
            assert (other.rebuilt != "", small.rebuilt) == (True, "")

    def test_is_kept_and_named(self, small: NoteLibrary) -> None:
        small.refresh()
        index = Path(small.status().index_path)
        small.close()
        index.write_bytes(b"x" * 10_000)
        with pytest.raises(IndexDamagedError, match="Your notes are not affected"):
            small.search("reeds")
        assert not small.indexed
        assert [file.read_bytes() for file in index.parent.glob("*.set-aside-*")] == [b"x" * 10_000]
        assert "was damaged and is being rebuilt" in small.rebuilt
        small.refresh()
        assert small.status().rebuilt == small.rebuilt


def damage(index: Path, chance: random.Random) -> None:
    """Overwrite some pages of the index, or truncate it."""
    content = bytearray(index.read_bytes())
    if chance.random() < 0.3:
        del content[chance.randrange(len(content)) :]
    for _ in range(chance.randrange(1, 8)):
        at = chance.randrange(0, max(1, len(content)), 4096)
        content[at : at + 4096] = chance.randbytes(len(content[at : at + 4096]))
    index.write_bytes(content)


@pytest.mark.parametrize(
    ("path", "exists"),
    [
        ("reisen/Munchen/", True),
        ("REISEN/MÜNCHEN", True),
        ("/Reisen", True),
        ("Reise", False),
        ("Reisen/Munchen/Plan.md", False),
        ("Munchen", False),
        ("/", False),
        ("..", False),
    ],
)
def test_folders_are_known_without_case_and_accents(
    tmp_path: Path, path: str, exists: bool
) -> None:
    write(tmp_path, {"Reisen/München/Plan.md": "A quokka."})
    assert has_folder(tmp_path, path) is exists
    assert not has_folder(tmp_path / "missing", path)


def test_no_note_is_ever_written(vault: Path, embedder: "Embedder") -> None:
    write(vault, NOTES)
    (vault / "link.md").symlink_to("river.md")
    before = snapshot(vault)
    listener = IndexingListener()
    with NoteLibrary.open(vault, embedder=embedder) as library:
        library.refresh()
        watch = library.watch(listener)
        listener.until_idle()
        watch.close()
        library.search("reeds")
        library.related("river.md", "Banks")
        for path in ("river.md", "plan.md"):
            library.read(path)
            for link in library.sections(path):
                library.read_at(path, link.line)
        library.status()
    assert snapshot(vault) == before


def test_results_are_frozen(library: NoteLibrary) -> None:
    found = library.search("reeds")
    for thing in (found, found.notes[0], found.sections[0], library.status(), library.read("plan")):
        with pytest.raises(AttributeError):
            setattr(thing, fields(thing)[0].name, None)

"""NoteLibrary, the Python API."""

import contextlib
import os
import random
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
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
from notesearch.results import Mode, Scope, SearchResult, SectionResult
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
def fresh(vault: Path, words_only: Settings) -> Iterator[NoteLibrary]:
    """The same notes for one test, which may change them; by words alone and not indexed yet."""
    write(vault, NOTES)
    with NoteLibrary.open(vault, settings=words_only) as library:
        yield library


class TestOpening:
    def test_creates_no_file(self, tmp_path: Path) -> None:
        with NoteLibrary.open(tmp_path / "not there", home=tmp_path / "home") as library:
            assert library.vault == tmp_path / "not there"
            assert not library.indexed
        assert not (tmp_path / "home").exists()

    def test_keeps_the_index_among_the_files_of_the_program(
        self, fresh: NoteLibrary, home: Path
    ) -> None:
        fresh.refresh()
        assert list((home / "data" / "indexes").glob("vault-*.sqlite"))

    @pytest.mark.parametrize("name", ["~/notes", "notes", "./x/../notes", "link", "{folder}/notes"])
    def test_finds_a_folder_by_its_name(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
    ) -> None:
        monkeypatch.setenv("HOME", str(tmp_path))
        monkeypatch.chdir(tmp_path)
        (tmp_path / "link").symlink_to("notes")
        with NoteLibrary.open(name.format(folder=tmp_path)) as library:
            assert library.vault == tmp_path / "notes"

    def test_takes_the_home_of_an_unknown_person_for_a_missing_folder(self) -> None:
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
    @pytest.mark.parametrize(
        "call",
        [
            lambda library: library.search("x"),
            lambda library: library.status(),
            lambda library: library.matches("x", "x"),
        ],
    )
    def test_nothing_can_be_searched(
        self, fresh: NoteLibrary, call: Callable[[NoteLibrary], object]
    ) -> None:
        with pytest.raises(IndexFileError, match="are not indexed yet"):
            call(fresh)

    def test_notes_can_be_read_by_their_path(self, fresh: NoteLibrary) -> None:
        assert fresh.read("kitchen/Bread.md", "Dough").line == 3
        with pytest.raises(NoteMissingError, match="No note is called “Bread”"):
            fresh.read("Bread")


class TestRefresh:
    def test_reports_what_changed(self, vault: Path, embedder: "Embedder") -> None:
        write(vault, NOTES)
        with NoteLibrary.open(vault, embedder=embedder) as library:
            report = library.refresh()
            assert report.added == ("kitchen/Bread.md", "kitchen/Soup.md", "plan.md", "river.md")
            assert report.embedded == library.status().passages > 0
            assert report.seconds > 0
            assert not library.refresh()

    def test_shows_its_progress_in_three_phases(self, vault: Path, embedder: "Embedder") -> None:
        write(vault, NOTES)
        shown: list[Progress] = []
        with NoteLibrary.open(vault, embedder=embedder) as library:
            library.refresh(shown.append)
        phases = [progress.phase for progress in shown]
        assert phases == sorted(phases, key=[*Phase].index)
        assert set(phases) == {Phase.SCAN, Phase.WORDS, Phase.MEANING}
        assert all(0 <= progress.done <= progress.total for progress in shown)

    def test_a_missing_folder_raises(self, tmp_path: Path) -> None:
        with (
            NoteLibrary.open(tmp_path / "gone") as library,
            pytest.raises(VaultMissingError, match="is missing"),
        ):
            library.refresh()
        assert not library.indexed

    @pytest.mark.fault("J10")
    def test_two_vaults_are_independent(
        self, fresh: NoteLibrary, tmp_path: Path, words_only: Settings
    ) -> None:
        write(tmp_path / "other" / "vault", {"x.md": "Otters swim."})
        fresh.refresh()
        with NoteLibrary.open(tmp_path / "other" / "vault", settings=words_only) as other:
            other.refresh()
            assert other.search("otters").sections
            assert not other.search("reeds").sections
        assert not fresh.search("otters").sections


@pytest.fixture(scope="module", params=[*Mode, "words", "meaning", "hybrid"], ids=str)
def answer(library: NoteLibrary, request: pytest.FixtureRequest) -> SearchResult:
    """The answer to a query whose best section is “Fish”, for each way to search and its name."""
    answer = library.search("fish that swim in a river", mode=request.param)
    assert answer.mode is Mode(request.param)
    return answer


class TestAnswer:
    def test_says_how_it_was_found(self, answer: SearchResult) -> None:
        assert answer.query == "fish that swim in a river"
        assert answer.meaning is (answer.mode is not Mode.WORDS)
        assert answer.took_ms > 0
        assert answer.total >= len(answer.sections) > 0

    def test_begins_with_the_best_section(self, answer: SearchResult) -> None:
        best = answer.sections[0]
        assert (best.path, best.title, best.section) == ("river.md", "River", "Fish")
        assert (best.section_path, best.level, best.line, best.end_line) == (("Fish",), 2, 18, 20)
        assert "".join(crumb.text for crumb in best.breadcrumb) == "Fish"
        assert best.score == max(section.score for section in answer.sections)

    def test_holds_the_text_of_a_section(self, answer: SearchResult) -> None:
        best = answer.sections[0]
        assert (best.chunk_index, best.total_chunks) == (0, 1)
        assert best.passage == "Trout and salmon swim upstream in autumn."
        assert "salmon" in best.snippet.text

    def test_describes_the_best_note(self, library: NoteLibrary, answer: SearchResult) -> None:
        best = answer.notes[0]
        assert (best.path, best.title) == ("river.md", "River")
        assert best.score == max(note.score for note in answer.notes)
        assert (best.tags, best.category, best.page_word_count) == (("water",), "land", 17)
        assert best.modified == pytest.approx(library.file("river.md").stat().st_mtime)

    def test_has_each_section_below_its_note(self, answer: SearchResult) -> None:
        assert sum(len(note.sections) for note in answer.notes) == len(answer.sections)


class TestSearch:
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

    @pytest.mark.parametrize("text", ["", "  ", "***", "\0", "\ud800", '"', "-"])
    def test_finds_nothing_without_a_word(self, library: NoteLibrary, text: str) -> None:
        assert library.search(text).sections == ()

    def test_can_be_cancelled(self, library: NoteLibrary) -> None:
        with pytest.raises(SearchCancelledError):
            library.search("reeds water morning", cancelled=lambda: True)
        assert library.search("reeds", cancelled=lambda: False).sections

    def test_an_unknown_mode_raises(self, library: NoteLibrary) -> None:
        with pytest.raises(ValueError, match="magic"):
            library.search("x", mode="magic")

    def test_works_without_the_model(self, fresh: NoteLibrary) -> None:
        fresh.refresh()
        found = fresh.search("reeds")
        assert found.sections
        assert not found.meaning
        status = fresh.status()
        assert not status.meaning
        assert status.meaning_problem.endswith(".")
        with pytest.raises(ModelError) as raised:
            fresh.related("river.md")
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
        with pytest.raises(NoteMissingError):
            library.read(path)
        with pytest.raises(NoteMissingError):
            library.sections(path)

    @pytest.mark.parametrize("half", ["\ud800", "a\udfff"])
    def test_half_a_character_names_nothing(self, library: NoteLibrary, half: str) -> None:
        with pytest.raises(NoteMissingError):
            library.last_known(half, 1, Scope.NOTE)
        with pytest.raises(NoteMissingError):
            library.links("river.md").link_position(half)
        assert library.complete_filter(f"links:{half}") == ()
        assert library.links("river.md").embedded(half) is None

    def test_relates_to_sections_of_other_notes(self, library: NoteLibrary) -> None:
        own = library.related("bread", "Dough", other_notes_only=False)
        assert {section.path for section in own} == {"kitchen/Bread.md"}
        assert library.related("bread", "Dough") == ()


class TestAChangedFile:
    """Reading shows the file as it is now, whatever the index holds."""

    def test_is_read_again(self, fresh: NoteLibrary, vault: Path) -> None:
        fresh.refresh()
        write(vault, {"river.md": "# River\n\n## Ice\n\nIt froze.\n"})
        assert fresh.read("river", "ice").text == "## Ice\n\nIt froze."
        assert fresh.read_at("river.md", 3).heading == "Ice"
        assert fresh.read_at("river.md", 3, Scope.NOTE).line == 1
        assert [link.heading for link in fresh.sections("river")] == ["River", "Ice"]

    def test_gets_no_heading_of_another_line(self, fresh: NoteLibrary, vault: Path) -> None:
        write(vault, {"river.md": "# River\n\n## Melts…\n\n## Freezes…\n\nOn Monday.\n"})
        fresh.refresh()
        write(vault, {"river.md": "# River\n\n## Freezes…\n\nOn Monday.\n"})
        assert [link.heading for link in fresh.sections("river")] == ["River", "Freezes…"]
        assert fresh.read("river", "freezes").heading == "Freezes…"

    def test_is_missing_once_it_is_deleted(self, fresh: NoteLibrary, vault: Path) -> None:
        fresh.refresh()
        (vault / "river.md").unlink()
        with pytest.raises(NoteMissingError, match="moved or deleted since the last update"):
            fresh.read("river")
        with pytest.raises(NoteMissingError, match="moved or deleted since the last update"):
            fresh.read_at("river.md", 3)


class TestStatus:
    def test_counts_what_is_indexed(self, library: NoteLibrary) -> None:
        status = library.status()
        notes = {path: text for path, text in NOTES.items() if path.endswith(".md")}
        links = [link for path in notes for link in library.sections(path)]
        assert (status.notes, status.sections, status.passages) == (4, 15, 15)
        assert status.words == sum(link.words for link in links)
        assert status.note_bytes == sum(len(text) for text in notes.values())
        assert status.index_bytes >= Path(status.index_path).stat().st_size

    def test_is_without_problems(self, library: NoteLibrary) -> None:
        status = library.status()
        assert (status.vault, status.vault_missing) == (str(library.vault), False)
        assert (status.model, status.meaning) == (Settings().model, True)
        assert (status.meaning_problem, status.rebuilt) == ("", "")
        assert (status.pending, status.unread) == (0, ())
        assert status.last_scan > 1.7e9, "seconds since 1970"

    def test_lists_the_files_that_cannot_be_read(self, fresh: NoteLibrary, vault: Path) -> None:
        write(vault, {"bad.md": b"\xff", "binary.md": bytes(99)})
        (vault / "link.md").symlink_to("river.md")
        fresh.refresh()
        status = fresh.status()
        assert [note.path for note in status.unread] == ["bad.md", "binary.md", "link.md"]
        assert all(note.reason.endswith(".") for note in status.unread)
        assert [note.path for note in status.unread if note.remark] == ["bad.md"]
        assert status.notes == 5

    def test_outlives_the_folder(self, fresh: NoteLibrary, vault: Path) -> None:
        fresh.refresh()
        vault.rename(vault.with_name("away"))
        assert fresh.status().vault_missing
        assert fresh.search("reeds").sections


class TestWatch:
    def test_indexes_and_follows(self, fresh: NoteLibrary, vault: Path) -> None:
        listener = IndexingListener()
        watch = fresh.watch(listener)
        listener.until_idle()
        write(vault, {"new.md": "Otters swim."})
        listener.until(lambda: bool(fresh.search("otters").sections))
        watch.close()

    def test_needs_no_listener_and_ends_with_the_library(
        self, vault: Path, words_only: Settings
    ) -> None:
        with NoteLibrary.open(vault, settings=words_only) as library:
            library.watch()
            library.watch().close()


class TestThreads:
    def test_search_while_another_indexes(self, fresh: NoteLibrary, vault: Path) -> None:
        fresh.refresh()
        indexed = threading.Event()

        def search() -> None:
            is_last_round = False
            while not is_last_round:
                is_last_round = indexed.is_set()
                for text in ("reeds", "otters", "number"):
                    sections = fresh.search(text, limit=50, per_note=50).sections
                    assert all(section.section for section in sections)
                assert fresh.search("reeds").sections[0].path == "river.md"
                fresh.status()

        def index(version: int) -> None:
            text = f"# Otters\n\nNumber {version}.\n"
            write(vault, {f"{n}.md": text for n in range(version, version + 8)})
            soups = sorted((vault / "kitchen").glob("Soup*"))
            soups[0].rename(vault / "kitchen" / f"Soup{version}.md")
            fresh.refresh()

        with ThreadPoolExecutor(2) as threads:
            searches = [threads.submit(search) for _ in range(2)]
            try:
                index(version=1)
                index(version=2)
            finally:
                indexed.set()
        for finished in searches:
            finished.result()

    @pytest.mark.skipif(sys.platform != "linux", reason="counts open files as Linux does")
    def test_ended_threads_release_their_files(self, fresh: NoteLibrary) -> None:
        fresh.refresh()
        for _ in range(20):
            thread = threading.Thread(target=fresh.search, args=("reeds",))
            thread.start()
            thread.join()
        index = os.stat(fresh.status().index_path)  # noqa: PTH116
        opened = 0
        for descriptor in os.listdir("/proc/self/fd"):  # noqa: PTH208
            with contextlib.suppress(OSError):
                opened += os.path.samestat(os.fstat(int(descriptor)), index)
        assert opened <= 2


@pytest.mark.fault("D2")
class TestADamagedIndex:
    @pytest.mark.parametrize("seed", range(12))
    def test_costs_nothing_but_time(
        self, fresh: NoteLibrary, vault: Path, words_only: Settings, seed: int
    ) -> None:
        write(vault, {f"{n}.md": f"# Number {n}\n\n{'Many words. ' * n}\n" for n in range(100)})
        fresh.refresh()
        expected = answers(fresh)
        before = snapshot(vault)
        index = Path(fresh.status().index_path)
        fresh.close()
        damage(index, random.Random(seed))
        with NoteLibrary.open(vault, settings=words_only) as library:
            for _ in range(2):
                use_in_spite_of_damage(library)
                library.refresh()
            assert answers(library) == expected
            assert library.status().notes == 104
        assert snapshot(vault) == before

    def test_is_set_aside_only_by_the_first_that_meets_it(
        self, fresh: NoteLibrary, vault: Path, words_only: Settings
    ) -> None:
        fresh.refresh()
        index = Path(fresh.status().index_path)
        with NoteLibrary.open(vault, settings=words_only) as other:

            def rebuild_by_other() -> NoReturn:
                index.write_bytes(DAMAGED)
                with pytest.raises(IndexDamagedError):
                    other.search("reeds")
                other.refresh()
                raise IndexDamagedError("index_replaced")

            with pytest.raises(IndexDamagedError), fresh._index.reading():
                rebuild_by_other()
            assert other.search("reeds").sections
            assert [file.read_bytes() for file in index.parent.glob(SET_ASIDE)] == [DAMAGED]
            assert (other.rebuilt != "", fresh.rebuilt) == (True, "")

    def test_is_kept_and_reported(self, fresh: NoteLibrary) -> None:
        fresh.refresh()
        index = Path(fresh.status().index_path)
        fresh.close()
        index.write_bytes(DAMAGED)
        with pytest.raises(IndexDamagedError, match="Your notes are not affected"):
            fresh.search("reeds")
        assert not fresh.indexed
        assert [file.read_bytes() for file in index.parent.glob(SET_ASIDE)] == [DAMAGED]
        assert "was damaged and is being rebuilt" in fresh.rebuilt
        fresh.refresh()
        assert fresh.status().rebuilt == fresh.rebuilt


QUERIES = ("reeds", "number 7", "many words", "morning")
DAMAGED = b"x" * 10_000
SET_ASIDE = "*.set-aside-*[0-9]"


def answers(library: NoteLibrary) -> list[tuple[SectionResult, ...]]:
    return [library.search(text).sections for text in QUERIES]


def use_in_spite_of_damage(library: NoteLibrary) -> None:
    """Search and ask for the status; both may say that the index is damaged."""
    for text in QUERIES:
        with contextlib.suppress(IndexFileError):
            library.search(text)
        with contextlib.suppress(IndexFileError):
            library.status()


def damage(index: Path, chance: random.Random) -> None:
    """Overwrite some pages of the index, or truncate it."""
    content = bytearray(index.read_bytes())
    if chance.random() < 0.3:
        del content[chance.randrange(len(content)) :]
    for _ in range(chance.randrange(1, 8)):
        start = chance.randrange(0, max(1, len(content)), 4096)
        page = content[start : start + 4096]
        content[start : start + 4096] = chance.randbytes(len(page))
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
    answer = library.search("reeds")
    note, section = answer.notes[0], answer.sections[0]
    for result in (answer, note, section, library.status(), library.read("plan")):
        with pytest.raises(AttributeError):
            setattr(result, fields(result)[0].name, None)

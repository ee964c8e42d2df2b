"""One comparison of folder and index: what it writes, keeps, and never does twice."""

import os
import shutil
import time
from typing import Any

import pytest

from notesearch.config import Settings
from notesearch.embedding.embedder import UNRELATED
from notesearch.errors import VaultMissingError
from notesearch.index import note_files
from notesearch.index.note_reader import NoteReader
from notesearch.status import Progress
from notesearch.store.rows import FileState
from tests.file_permissions import denied
from tests.folders import write
from tests.index.stepwise_index import Bench, Counted, rename, silent, summary

TWO = {
    "river.md": "# River\n\nWater flows down.\n\n## Banks\n\nReeds grow there.\n",
    "hills/peak.md": "---\ntitle: The peak\n---\nSnow lies on it.\n\n## View\n\nOne sees far.\n",
}


class TestWhatIsReported:
    def test_added(self, bench: Bench) -> None:
        write(bench.vault, TWO)
        assert summary(bench.refresh()) == {"added": ("hills/peak.md", "river.md")}
        bench.assert_like_new()

    def test_nothing_to_do(self, bench: Bench) -> None:
        write(bench.vault, TWO)
        bench.refresh()
        before = bench.holds()
        assert not bench.refresh()
        assert bench.holds() == before

    def test_changed(self, bench: Bench) -> None:
        write(bench.vault, TWO)
        bench.refresh()
        write(bench.vault, {"river.md": "# River\n\nIt froze.\n"})
        assert summary(bench.refresh()) == {"changed": ("river.md",)}
        bench.assert_like_new()

    def test_touched_without_a_change(self, bench: Bench) -> None:
        write(bench.vault, TWO)
        bench.refresh()
        os.utime(bench.vault / "river.md", (0, 0))
        assert not bench.refresh()
        bench.assert_like_new()

    @pytest.mark.parametrize("when", [-1.0, 0.0, 1e10])
    def test_changed_with_any_modification_time(self, bench: Bench, when: float) -> None:
        write(bench.vault, TWO)
        bench.refresh()
        write(bench.vault, {"river.md": "other"})
        os.utime(bench.vault / "river.md", (when, when))
        assert summary(bench.refresh()) == {"changed": ("river.md",)}

    def test_same_size_and_time_but_another_text(self, bench: Bench) -> None:
        write(bench.vault, {"a.md": "one"})
        bench.refresh()
        status = (bench.vault / "a.md").stat()
        write(bench.vault, {"a.md": "two"})
        os.utime(bench.vault / "a.md", ns=(status.st_atime_ns, status.st_mtime_ns))
        assert summary(bench.refresh()) == {"changed": ("a.md",)}

    def test_removed(self, bench: Bench) -> None:
        write(bench.vault, TWO)
        bench.refresh()
        shutil.rmtree(bench.vault / "hills")
        assert summary(bench.refresh()) == {"removed": ("hills/peak.md",)}
        bench.assert_like_new()

    def test_a_copy_is_another_note(self, bench: Bench) -> None:
        write(bench.vault, TWO)
        bench.refresh()
        shutil.copy(bench.vault / "river.md", bench.vault / "copy.md")
        assert summary(bench.refresh()) == {"added": ("copy.md",)}
        bench.assert_like_new()

    def test_only_the_given_paths(self, bench: Bench) -> None:
        write(bench.vault, TWO)
        assert summary(bench.look_at("river.md", "hills", "x.md")[0]) == {"added": ("river.md",)}
        assert summary(bench.look_at("hills/peak.md")[0]) == {"added": ("hills/peak.md",)}
        (bench.vault / "river.md").unlink()
        assert summary(bench.look_at("river.md")[0]) == {"removed": ("river.md",)}
        bench.assert_like_new()


MOVES = [
    ("river.md", "wet/river.md"),  # another folder
    ("river.md", "stream.md"),  # another name
    ("hills/peak.md", "hills/summit.md"),  # the name is not its title
    ("hills/peak.md", "peak.md"),
    ("plain.md", "other.md"),  # its name is its title
    ("plain.md", "deep/er/plain.md"),
    ("plain.md", "PLAIN.md"),
    ("Journal.md", "Diary.md"),  # and one of its headings is called so
    ("Diary.md", "Journal.md"),
    ("unnamed.md", "named.md"),  # a heading without words goes by the title
]
MOVED = {
    **TWO,
    "plain.md": "No heading at all.\n\n## Then one\n\nText.\n",
    "Journal.md": "## Journal\n\nMonday.\n\n## Diary\n\nTuesday.\n",
    "unnamed.md": "# \n\nText.\n\n## \n\nMore.\n",
}


class TestRenaming:
    @pytest.mark.parametrize(("old", "new"), MOVES)
    @pytest.mark.parametrize("whole", [True, False], ids=["whole folder", "two paths"])
    def test_is_reported_as_a_move(self, bench: Bench, old: str, new: str, whole: bool) -> None:
        notes = dict(MOVED)
        if old == "Diary.md":
            notes["Diary.md"] = notes.pop("Journal.md")
        write(bench.vault, notes)
        bench.refresh()
        rename(bench.vault, old, new)
        report = bench.refresh() if whole else bench.look_at(old, new)[0]
        assert summary(report) == {"moved": (new,)}
        bench.assert_like_new()

    @pytest.mark.parametrize(
        ("old", "new"), [("river.md", "stream.md"), ("plain.md", "x/plain.md"), ("hills", "rocks")]
    )
    def test_a_move_or_a_title_costs_no_embedding(
        self, meaning: tuple[Bench, Counted], old: str, new: str
    ) -> None:
        bench, counted = meaning
        write(bench.vault, MOVED)
        bench.refresh()
        assert len(counted.embedded) == len(set(counted.embedded)) > 0
        counted.embedded.clear()
        rename(bench.vault, old, new)
        bench.refresh()
        assert counted.embedded == []
        bench.assert_like_new()

    @pytest.mark.parametrize(("old", "new"), [("plain.md", "lake.md"), ("Journal.md", "Diary.md")])
    def test_a_name_that_is_the_title_is_embedded_again(
        self, meaning: tuple[Bench, Counted], old: str, new: str
    ) -> None:
        bench, counted = meaning
        write(bench.vault, MOVED)
        bench.refresh()
        counted.embedded.clear()
        rename(bench.vault, old, new)
        bench.refresh()
        passages = [text for text in counted.embedded if text.startswith("[")]
        assert passages
        assert all(text.startswith(f"[{new.removesuffix('.md')}") for text in passages)
        bench.assert_like_new()

    def test_equal_notes_with_other_names_have_other_vectors(
        self, meaning: tuple[Bench, Counted]
    ) -> None:
        bench, _ = meaning
        write(bench.vault, {"tax return.md": "Due in May.", "holiday in japan.md": "Due in May."})
        bench.refresh()
        assert len({row[-1] for row in bench.holds() if row[0] == "passage"}) == 2

    def test_with_an_edit_embeds_only_the_edit(self, meaning: tuple[Bench, Counted]) -> None:
        bench, counted = meaning
        write(bench.vault, MOVED)
        bench.refresh()
        counted.embedded.clear()
        rename(bench.vault, "river.md", "stream.md")
        write(bench.vault, {"stream.md": TWO["river.md"] + "\n## Fish\n\nTrout.\n"})
        assert summary(bench.refresh()) == {"moved": ("stream.md",)}
        assert any("Trout" in text for text in counted.embedded)
        assert all("Fish" in text for text in counted.embedded)
        bench.assert_like_new()

    def test_in_a_circle(self, bench: Bench) -> None:
        write(bench.vault, {"a.md": "one", "b.md": "two"})
        bench.refresh()
        for old, new in (("a.md", "c.md"), ("b.md", "a.md"), ("c.md", "b.md")):
            rename(bench.vault, old, new)
        bench.refresh()
        bench.assert_like_new()


CODE = {"a.md": "# Tools\n\nRun it.\n\n```sh\nfrobnicate\n```\n", "b.md": "Zwei Häuser."}


class TestOtherSettings:
    def test_notes_are_read_again_for_other_settings(self, bench: Bench) -> None:
        write(bench.vault, CODE)
        bench.refresh()
        for chosen in (
            Settings(code_blocks=False), Settings(code_blocks=False, language="de"), Settings(),
            Settings(passage_tokens=100), Settings(passage_overlap=0),
        ):  # fmt: skip
            bench.settings = chosen
            assert summary(bench.refresh()) == {"changed": ("a.md", "b.md")}
            bench.assert_like_new()
            assert not bench.refresh()

    def test_notes_that_an_earlier_version_read_are_read_again(
        self, bench: Bench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write(bench.vault, CODE)
        bench.refresh()
        monkeypatch.setattr("notesearch.notes.READER_VERSION", 1_000)
        assert summary(bench.refresh()) == {"changed": ("a.md", "b.md")}
        assert not bench.refresh()

    def test_an_interrupted_rereading_is_completed(self, bench: Bench) -> None:
        write(bench.vault, CODE)
        bench.refresh()
        bench.settings = Settings(code_blocks=False)
        assert summary(bench.stop_after(1)) == {"changed": ("a.md",)}
        assert summary(bench.refresh()) == {"changed": ("b.md",)}
        bench.assert_like_new()


@pytest.mark.fault("J7")
class TestMeaning:
    def test_unchanged_passages_are_not_embedded_again(
        self, meaning: tuple[Bench, Counted]
    ) -> None:
        bench, counted = meaning
        long = "\n\n".join(f"## Part {n}\n\n{'Many words stand here. ' * 20}" for n in range(5))
        write(bench.vault, {"long.md": f"# Long\n\n{long}"})
        bench.settings = Settings()
        bench.refresh()
        counted.embedded.clear()
        write(bench.vault, {"long.md": f"# Long\n\n{long.replace('Part 3', 'Third part')}"})
        bench.refresh()
        assert counted.embedded
        assert all("Third part" in text for text in counted.embedded)
        bench.assert_like_new()

    def test_the_same_passage_is_embedded_once(self, meaning: tuple[Bench, Counted]) -> None:
        bench, counted = meaning
        text = "---\ntitle: The same\n---\nThe very same words.\n"
        write(bench.vault, {f"{n}.md": text for n in range(3)})
        bench.refresh()
        assert sorted(counted.embedded) == ["The same", "[The same] The very same words."]
        (bench.vault / "0.md").unlink()
        bench.refresh()
        bench.assert_like_new()

    def test_a_deleted_note_loses_its_vectors(self, meaning: tuple[Bench, Counted]) -> None:
        bench, _ = meaning
        write(bench.vault, MOVED)
        bench.refresh()
        (bench.vault / "plain.md").unlink()
        bench.look_at("plain.md")
        bench.assert_like_new()

    def test_vectors_follow_when_the_model_arrives(self, meaning: tuple[Bench, Counted]) -> None:
        bench, counted = meaning
        write(bench.vault, TWO)
        bench.refresh()
        bench.embedder = None
        write(bench.vault, {"river.md": "# River\n\nIt froze.\n", "new.md": "New.\n"})
        bench.refresh()
        bench.embedder = counted
        bench.refresh()
        bench.assert_like_new()

    @pytest.mark.fault("J7")
    def test_another_model_embeds_everything_again(self, meaning: tuple[Bench, Counted]) -> None:
        bench, counted = meaning
        write(bench.vault, TWO)
        bench.refresh()
        made = set(counted.embedded)
        counted.embedded = []
        counted.fingerprint = "another"
        bench.refresh()
        assert set(counted.embedded) == made | set(UNRELATED)  # the latter tell its center
        bench.assert_like_new()


def test_two_saves_within_one_tick_of_a_slow_clock(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a USB stick, where two saves of the same size leave the same state."""
    tick = 1_800_000_000_000_000_000
    monkeypatch.setattr(
        note_files,
        "file_state",
        lambda status: FileState(status.st_size, tick, tick, status.st_ino),
    )
    monkeypatch.setattr(time, "time_ns", lambda: tick + 1_500_000_000)
    write(bench.vault, {"a.md": "one", "b.md": "two"})
    bench.refresh()
    write(bench.vault, {"a.md": "six", "b.md": "ten"})
    assert summary(bench.look_at("a.md")[0]) == {"changed": ("a.md",)}
    assert summary(bench.refresh()) == {"changed": ("b.md",)}
    monkeypatch.setattr(time, "time_ns", lambda: tick + 3_500_000_000)
    monkeypatch.setattr(NoteReader, "read", None)  # nothing is read
    assert not bench.refresh()


class TestInterrupted:
    @pytest.mark.parametrize("steps", range(8))
    def test_then_finished(self, meaning: tuple[Bench, Counted], steps: int) -> None:
        bench, counted = meaning
        write(bench.vault, MOVED)
        bench.refresh()
        counted.embedded.clear()
        rename(bench.vault, "plain.md", "moved.md")
        (bench.vault / "Journal.md").unlink()
        write(bench.vault, {"river.md": "changed", "new.md": "Brand new."})
        bench.stop_after(steps)
        bench.refresh()
        assert len(counted.embedded) == len(set(counted.embedded))
        bench.assert_like_new()

    def test_of_a_long_embedding_goes_on_with_its_progress(
        self, meaning: tuple[Bench, Counted]
    ) -> None:
        """It began at 0 again, as if the vectors of many minutes were lost."""
        bench, _ = meaning
        write(bench.vault, {f"{n:03}.md": f"# Heron {n}\n\nReeds, {n}.\n" for n in range(100)})

        def shares(steps: int) -> list[float]:
            """Return the shares reported by an embedding that stops after ``steps`` batches."""
            seen: list[float] = []
            with bench.store.writing() as writer:
                indexer = bench.indexer(writer)
                indexer.reconcile_all(silent, lambda: False)
                indexer.embed_pending(
                    lambda progress: seen.append(progress.done / progress.total),
                    lambda: len(seen) >= steps,
                )
            return seen

        first, then = shares(3), shares(99)
        assert first == sorted(first)
        assert then == sorted(then)
        assert 0 == first[0] < first[-1] < then[0] < then[-1] < 1

    def test_of_a_long_embedding_lets_a_newer_note_go_first(
        self, meaning: tuple[Bench, Counted]
    ) -> None:
        bench, counted = meaning
        write(bench.vault, {f"{n:03}.md": f"# Heron {n}\n\nReeds, {n}.\n" for n in range(100)})
        with bench.store.writing() as writer:
            indexer = bench.indexer(writer)

            def embed_one_batch() -> None:
                began: list[Progress] = []
                indexer.embed_pending(began.append, lambda: bool(began))

            indexer.reconcile_all(silent, lambda: False)
            embed_one_batch()
            write(bench.vault, {"kiln.md": "# Kiln\n\nIt was fired today.\n"})
            indexer.reconcile_paths(["kiln.md"], silent, lambda: False)
            counted.embedded.clear()
            embed_one_batch()
        assert any("It was fired today." in text for text in counted.embedded)

    def test_measures_no_cosines_before_it_ends(self, meaning: tuple[Bench, Counted]) -> None:
        """A person who quits would wait for many more texts."""
        bench, counted = meaning
        write(bench.vault, {f"{n:03}.md": f"# Heron {n}\n\nReeds, {n}.\n" for n in range(100)})
        embed_query, seen = counted.embed_query, list[str]()

        def recorded(text: str) -> Any:
            seen.append("query")
            return embed_query(text)

        def last(batches: int) -> str:
            """Return what came last in an embedding that stops after ``batches``."""
            with bench.store.writing() as writer:
                indexer = bench.indexer(writer)
                indexer.reconcile_all(silent, lambda: False)
                indexer.embed_pending(
                    lambda _: seen.append("batch"), lambda: seen.count("batch") >= batches
                )
            return seen[-1]

        counted.fingerprint, counted.embed_query = "another", recorded
        assert last(5) == "batch"
        assert last(99) == "query"

    def test_leaves_each_note_whole(self, bench: Bench) -> None:
        write(bench.vault, MOVED)
        bench.stop_after(2)
        paths = {row[1] for row in bench.holds() if row[0] == "section"}
        assert len(paths) == 2
        assert {row[1] for row in bench.holds() if row[0] == "note"} == paths


@pytest.mark.fault("A29")
class TestNotesThatCannotBeRead:
    def test_keep_their_indexed_text(self, bench: Bench) -> None:
        write(bench.vault, TWO)
        bench.refresh()
        write(bench.vault, {"river.md": "# River\n\nIt froze.\n"})
        with denied(bench.vault / "river.md"):
            report = bench.refresh()
            again = bench.refresh()
        assert report.unread[0].reason == "It cannot be read: Permission denied."
        assert summary(report) == summary(again) == {"unread": ("river.md",)}
        assert any("Reeds grow there." in row for row in bench.holds())
        assert summary(bench.refresh()) == {"changed": ("river.md",)}
        bench.assert_like_new()

    def test_are_no_longer_reported_once_readable(self, bench: Bench) -> None:
        write(bench.vault, TWO)
        bench.refresh()
        with denied(bench.vault / "river.md"):
            bench.refresh()
        assert not bench.refresh().unread
        bench.assert_like_new()

    def test_are_no_longer_reported_once_readable_elsewhere(self, bench: Bench) -> None:
        write(bench.vault, TWO)
        bench.refresh()
        with denied(bench.vault / "river.md"):
            bench.refresh()
        rename(bench.vault, "river.md", "hills/river.md")
        assert summary(bench.refresh()) == {"moved": ("hills/river.md",)}
        assert not bench.refresh().unread
        bench.assert_like_new()

    def test_are_reported_when_new(self, bench: Bench) -> None:
        write(bench.vault, TWO)
        with denied(bench.vault / "river.md"):
            assert summary(bench.refresh()) == {
                "added": ("hills/peak.md",),
                "unread": ("river.md",),
            }
        bench.refresh()
        bench.assert_like_new()

    def test_in_a_folder_that_cannot_be_listed(self, bench: Bench) -> None:
        write(bench.vault, TWO)
        bench.refresh()
        before = bench.holds()
        for mode in (0o000, 0o400):
            with denied(bench.vault / "hills", mode):
                assert summary(bench.refresh())["unread"]
                bench.look_at("hills/peak.md")
            assert bench.holds() == before

    @pytest.mark.parametrize(
        ("content", "reason"),
        [
            (b"x" * 1001, "It is too large (1,001 bytes; the limit is 1,000 bytes). Raise “max"),
            (b"\x7fELF" + bytes(200), "It is not a text file."),
        ],
        ids=["too large", "binary"],
    )
    def test_because_they_are_not_text_or_too_large(
        self, bench: Bench, content: bytes, reason: str
    ) -> None:
        write(bench.vault, TWO)
        bench.refresh()
        write(bench.vault, {"river.md": content})
        report = bench.refresh()
        (unread,) = report.unread
        assert unread.path == "river.md"
        assert unread.reason.startswith(reason)
        assert not any("Reeds grow there." in row for row in bench.holds())
        assert summary(bench.refresh()) == {"unread": ("river.md",)}
        bench.assert_like_new()
        write(bench.vault, TWO)
        assert summary(bench.refresh()) == {"changed": ("river.md",)}
        bench.assert_like_new()

    def test_completely_are_searched_as_far_as_possible(self, bench: Bench) -> None:
        write(bench.vault, {"old.md": "Grüße aus Köln, says the header".encode("latin-1")})
        report = bench.refresh()
        assert summary(report) == {"added": ("old.md",), "unread": ("old.md",)}
        assert any("says the header" in str(row) for row in bench.holds())
        os.utime(bench.vault / "old.md")
        assert summary(bench.refresh()) == {"unread": ("old.md",)}

    def test_do_not_stop_the_others(self, bench: Bench) -> None:
        write(bench.vault, {**TWO, "binary.md": bytes(100)})
        (bench.vault / "huge.md").touch()
        os.truncate(bench.vault / "huge.md", 10**12)
        (bench.vault / "link.md").symlink_to("river.md")
        (bench.vault / os.fsdecode(b"\xe9.md")).touch()
        os.mkfifo(bench.vault / "pipe.md")
        report = bench.refresh()
        assert set(report.added) == set(TWO)
        assert {note.path for note in report.unread} == {
            "binary.md", "huge.md", "link.md", "\\udce9.md", "pipe.md"
        }  # fmt: skip
        bench.look_at("pipe.md", "link.md", os.fsdecode(b"\xe9.md"), "huge.md")
        bench.assert_like_new()


@pytest.mark.fault("A12")
class TestAFolderThatIsGone:
    def test_deletes_nothing(self, bench: Bench) -> None:
        write(bench.vault, TWO)
        bench.refresh()
        before = bench.holds()
        bench.vault.rename(bench.vault.with_name("elsewhere"))
        with pytest.raises(VaultMissingError, match="is missing"):
            bench.refresh()
        with pytest.raises(VaultMissingError, match="is missing"):
            bench.look_at("river.md")
        assert bench.holds() == before

    def test_suddenly_empty_deletes_nothing(self, bench: Bench) -> None:
        write(bench.vault, {f"{n}.md": "text" for n in range(11)})
        bench.refresh()
        before = bench.holds()
        shutil.rmtree(bench.vault)
        bench.vault.mkdir()
        with pytest.raises(VaultMissingError, match="is empty, but it held 11 notes before"):
            bench.refresh()
        assert bench.holds() == before
        write(bench.vault, {"0.md": "text"})
        assert len(bench.refresh().removed) == 10

    @pytest.mark.parametrize("inside", [{}, {"README.md": "other"}, {"node_modules/x.js": ""}])
    def test_replaced_by_another_folder_is_accepted_when_asked_twice(
        self, bench: Bench, inside: dict[str, str]
    ) -> None:
        write(bench.vault, TWO)
        bench.refresh()
        before = bench.holds()
        bench.vault.rename(bench.vault.with_name("the drive"))
        write(bench.vault, inside)
        bench.vault.mkdir(exist_ok=True)
        for _ in range(3):  # nobody asked: a watch, or a search, compares
            with pytest.raises(VaultMissingError, match=r"held 2 notes|2 notes are missing"):
                bench.refresh()
        with pytest.raises(VaultMissingError, match=r"held 2 notes|2 notes are missing"):
            bench.refresh(user_asked=True)
        assert bench.holds() == before
        assert set(bench.refresh(user_asked=True).removed) == set(TWO)
        bench.assert_like_new()

    def test_found_empty_twice_is_accepted(self, bench: Bench) -> None:
        notes = {f"{n}.md": "text" for n in range(11)}
        write(bench.vault, notes)
        bench.refresh()
        for name in notes:
            (bench.vault / name).unlink()
        with pytest.raises(VaultMissingError, match="is empty, but it held 11 notes before"):
            bench.refresh()
        assert set(bench.refresh().removed) == set(notes)

    def test_all_notes_in_a_renamed_folder_are_moved(self, bench: Bench) -> None:
        write(bench.vault, {f"a/{n}.md": f"text {n}" for n in range(11)})
        bench.refresh()
        (bench.vault / "a").rename(bench.vault / "b")
        assert len(bench.refresh().moved) == 11

    def test_a_few_missing_notes_are_deleted_even_before_a_full_comparison(
        self, bench: Bench
    ) -> None:
        write(bench.vault, TWO)
        bench.look_at(*TWO)
        assert bench.holds()
        (bench.vault / "hills/peak.md").unlink()
        (bench.vault / "river.md").unlink()
        bench.refresh()
        bench.assert_like_new()

    def test_deleted_note_by_note_is_accepted(self, bench: Bench) -> None:
        write(bench.vault, TWO)
        bench.refresh()
        shutil.rmtree(bench.vault / "hills")
        (bench.vault / "river.md").unlink()
        assert summary(bench.refresh()) == {"removed": ("hills/peak.md", "river.md")}
        bench.assert_like_new()


@pytest.mark.fault("A14 to A18")
class TestAnEditorThatSaves:
    def test_by_emptying_the_file_first(self, bench: Bench) -> None:
        write(bench.vault, TWO)
        bench.refresh()
        write(bench.vault, {"river.md": ""})
        report, unsettled = bench.look_at("river.md")
        assert not report
        assert unsettled == ("river.md",)
        assert not bench.refresh(), "nor does a comparison of the whole folder believe it"
        os.utime(bench.vault / "river.md", (1e9, 1e9))  # it stayed empty for long
        assert summary(bench.look_at("river.md")[0]) == {"changed": ("river.md",)}
        bench.assert_like_new()

    @pytest.mark.writes_from_within
    def test_while_the_note_is_read(self, bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
        write(bench.vault, TWO)
        real_open = os.open

        def open_late(
            path: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None
        ) -> int:
            write(bench.vault, {"river.md": "# River\n\nIt froze.\n"})
            return real_open(path, flags, mode, dir_fd=dir_fd)

        monkeypatch.setattr("notesearch.index.scan.os.open", open_late)
        assert bench.look_at("river.md")[1] == ("river.md",)

    def test_by_replacing_a_file_that_is_missing_for_a_moment(
        self, bench: Bench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write(bench.vault, TWO)
        bench.refresh()
        write(bench.vault, {"river.md": "changed"})

        def gone(*_arguments: object, **_named: object) -> int:
            raise FileNotFoundError

        monkeypatch.setattr("notesearch.index.scan.os.open", gone)
        report, unsettled = bench.look_at("river.md")
        assert not report
        assert unsettled == ("river.md",)

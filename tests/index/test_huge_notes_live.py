"""A huge note while the folder is followed: notes saved in the meantime go first."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from notesearch.index.live_index import LiveIndex
from notesearch.index.vault_index import VaultIndex
from notesearch.status import Phase, Progress
from notesearch.store.store import Store
from tests import index_contents
from tests.folders import write
from tests.index.test_huge_notes import SMALLER_LINES
from tests.indexing_listener import IndexingListener
from tests.watched_vault import SETTINGS, digests, indexed_digests


class Followed(IndexingListener):
    """Saves a note whenever indexing of the huge one begins; records all reports."""

    def __init__(self, vault: Path, index: Path) -> None:
        super().__init__()
        self.vault = vault
        self.index = VaultIndex(vault, SETTINGS, Store(index), lambda: None)
        self.saves: list[str] = []
        self.begun = 0
        write(vault, {"a.md": "Otters.", "huge.md": SMALLER_LINES})

    def progressed(self, progress: Progress) -> None:
        """If a huge note is to be read next, save another note and report it to the thread."""
        if progress.phase is Phase.WORDS and not progress.done and self.reports:
            self.begun += 1
            if self.saves:
                text = f"Beavers, {len(self.saves)}.\n"
                write(self.vault, {self.saves.pop(0): text})
                assert self.watch._hints.ready.wait(10)
        super().progressed(progress)

    def follow(self) -> list[str]:
        """Follow the folder until all of it is indexed; return the reports in order."""
        self.watch = LiveIndex.started(self.index, self)
        self.until(lambda: indexed_digests(self.index.store.path) == digests(self.vault))
        self.until_idle()
        self.index.close()
        made_new = index_contents.from_scratch(self.vault, SETTINGS, None)
        assert index_contents.of(self.index.store.path) == made_new
        return [path for told in self.reports for path in (*told.added, *told.changed)]


@pytest.fixture
def followed(a_quarter: None, vault: Path, tmp_path: Path) -> Iterator[Followed]:
    followed = Followed(vault, tmp_path / "index.sqlite")
    yield followed
    followed.index.close()


@pytest.mark.writes_from_within
def test_a_note_saved_in_the_meantime_goes_before_the_next_huge_note(followed: Followed) -> None:
    write(followed.vault, {"second.md": f"Second.\n{SMALLER_LINES}"})
    followed.saves = ["small.md"]
    assert followed.follow() == ["a.md", "huge.md", "small.md", "second.md"]
    assert followed.begun == 2


def test_other_notes_are_reported_before_a_huge_note_begins(followed: Followed) -> None:
    assert followed.follow() == ["a.md", "huge.md"]
    assert [report.added for report in followed.reports if report.added] == [
        ("a.md",),
        ("huge.md",),
    ]


@pytest.mark.writes_from_within
def test_endless_saves_do_not_postpone_it_forever(followed: Followed) -> None:
    write(followed.vault, {f"huge {n}.md": f"{n}.\n{SMALLER_LINES}" for n in range(3)})
    followed.saves = [f"small {n}.md" for n in range(8)]
    found = followed.follow()
    assert [path for path in found if path.startswith("huge")] == found[1::2][:4]

"""After any changes in any order, the index equals one built from scratch."""

import os
import shutil
import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from notesearch.config import Settings
from notesearch.index.indexer import Indexer
from notesearch.index.note_reader import NoteReader
from notesearch.store.store import Store
from tests import index_contents
from tests.file_permissions import denied
from tests.folders import write

SETTINGS = Settings(max_note_bytes=60)
PATHS = st.sampled_from(["a.md", "b.md", "d/a.md", "d/e/c.md", "f/g.md", "A.md", ".h/x.md"])
FOLDERS = st.sampled_from(["d", "d/e", "f", "n", ".h"])
_BLOCKS = "- a #Tä [[b]]\n  id:: 64f0c0de\n- k:: v ((64f0c0de))"
_BYTES = st.sampled_from([b"\xff\xfe", bytes(50), b"latin \xe9", b"\xef\xbb\xbf# BOM"])
TEXTS = _BYTES | st.sampled_from(
    ["", "plain", "# a\n\nText.", "## a\n## b\n", "---\ntitle: T\n---\nx", "#\n\ntext", "x" * 61,
     _BLOCKS, "---\naliases: [É]\n---\n[b](d/a.md)"]
).map(str.encode)  # fmt: skip


class FoldersInAnyOrder(RuleBasedStateMachine):
    """Renames and deletes folders of a vault."""

    vault: Path

    @rule(old=FOLDERS, new=FOLDERS)
    def rename_folder(self, old: str, new: str) -> None:
        source, target = self.vault / old, self.vault / new
        if source.is_dir() and not target.exists() and not target.is_relative_to(source):
            target.parent.mkdir(parents=True, exist_ok=True)
            source.rename(target)

    @rule(folder=FOLDERS)
    def delete_folder(self, folder: str) -> None:
        shutil.rmtree(self.vault / folder, ignore_errors=True)


class AnyOrder(FoldersInAnyOrder):
    """Writes, renames and deletes notes and folders; compares all or some of them now and then."""

    @initialize()
    def start(self) -> None:
        self.folder = Path(tempfile.mkdtemp(dir="/dev/shm" if Path("/dev/shm").is_dir() else None))
        self.vault = self.folder / "vault"
        self.vault.mkdir()
        self.store = Store(self.folder / "index.sqlite")
        self.store.prepare()
        self.hinted: set[str] = set()

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            for note in self.vault.rglob("*.md"):  # one that is empty was not emptied just now
                os.utime(note, (1e9, 1e9), follow_symlinks=False)
            self.compare_all()
            contents = index_contents.of(self.store.path)
            assert contents == index_contents.from_scratch(self.vault, SETTINGS, None)
            shutil.rmtree(self.folder)

    @rule(path=PATHS, text=TEXTS)
    def save(self, path: str, text: bytes) -> None:
        note = self.vault / path
        if note.is_dir() or note.is_symlink():
            self.delete(path)
        write(self.vault, {path: text})
        self.hinted.add(path)

    @rule(path=PATHS)
    def delete(self, path: str) -> None:
        note = self.vault / path
        if note.is_dir() and not note.is_symlink():
            shutil.rmtree(note)
        note.unlink(missing_ok=True)
        self.hinted |= {path, f"{path}/in.md"}

    @rule(path=PATHS, text=TEXTS)
    def replace_by_a_folder(self, path: str, text: bytes) -> None:
        self.delete(path)
        write(self.vault, {f"{path}/in.md": text})

    @precondition(lambda _: os.name == "posix")
    @rule(path=PATHS, other=PATHS)
    def replace_by_a_link(self, path: str, other: str) -> None:
        self.delete(path)
        (self.vault / path).parent.mkdir(parents=True, exist_ok=True)
        (self.vault / path).symlink_to(self.vault / other)

    @rule(path=PATHS)
    def overwrite_and_keep_size_and_date(self, path: str) -> None:
        note = self.vault / path
        if note.is_file() and not note.is_symlink():
            state, text = note.stat(), note.read_bytes()
            note.write_bytes(text[::-1])
            os.utime(note, ns=(state.st_atime_ns, state.st_mtime_ns))
            self.hinted.add(path)

    @rule(path=PATHS, when=st.sampled_from([0, 1e9, 4e9]))
    def touch(self, path: str, when: float) -> None:
        if (self.vault / path).exists():
            os.utime(self.vault / path, (when, when))
            self.hinted.add(path)

    @precondition(lambda _: os.name == "posix")
    @rule(place=PATHS | FOLDERS)
    def compare_while_one_is_shut(self, place: str) -> None:
        shut = self.vault / place
        if shut.exists() and not shut.is_symlink():
            with denied(shut):
                self.compare_all()

    @rule(old=PATHS, new=PATHS)
    def rename(self, old: str, new: str) -> None:
        if old != new and os.path.lexists(self.vault / old):
            self.delete(new)
            (self.vault / new).parent.mkdir(parents=True, exist_ok=True)
            (self.vault / old).rename(self.vault / new)
        self.hinted |= {old, new, f"{old}/in.md"}

    @rule()
    def compare_all(self) -> None:
        with self.store.writing() as writer:
            indexer = Indexer(self.vault, SETTINGS, writer, None, NoteReader(self.vault, SETTINGS))
            indexer.reconcile_all(lambda _: None, lambda: False)
        self.hinted.clear()

    @rule(steps=st.integers(0, 3))
    def compare_and_stop(self, steps: int) -> None:
        checks = iter(range(steps))
        with self.store.writing() as writer:
            indexer = Indexer(self.vault, SETTINGS, writer, None, NoteReader(self.vault, SETTINGS))
            indexer.reconcile_all(lambda _: None, lambda: next(checks, None) is None)

    @precondition(lambda self: self.hinted)
    @rule()
    def compare_hinted_paths(self) -> None:
        with self.store.writing() as writer:
            indexer = Indexer(self.vault, SETTINGS, writer, None, NoteReader(self.vault, SETTINGS))
            indexer.reconcile_paths(sorted(self.hinted), lambda _: None, lambda: False)
        self.hinted.clear()

    @invariant()
    def every_section_belongs_to_a_note(self) -> None:
        if hasattr(self, "store"):
            contents = index_contents.of(self.store.path)
            notes = {row[1] for row in contents if row[0] == "note"}
            assert {row[1] for row in contents if row[0] == "section"} <= notes


TestAnyOrder = AnyOrder.TestCase
TestAnyOrder.settings = settings(max_examples=40, stateful_step_count=15, deadline=None)

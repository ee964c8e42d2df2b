"""After any writes in any order the tables agree, and hold what a new index would."""

import shutil
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from notesearch.markdown.sections.note_parser import parse_note
from notesearch.notes import Passage
from notesearch.store.store import Store
from tests.store import invariants
from tests.store.note_writing import DIMENSIONS, digest, embed, file_state, put

_NAMES = ["a", "b", "notes/a", "notes/deep/c", "東京", "it's 100% [x]"]
_PATHS = st.sampled_from([f"{name}.md" for name in _NAMES])
_BLOCKS = st.sampled_from(
    [
        "# Trip",
        "## Kyoto",
        "### Food",
        "# a",
        "",
        "---\ntitle: Given\n---",
        "Temples.",
        "nishiki " * 70,
        "東京へ行く",
        "- [ ] socks\n- [x] shoes",
        "```\n# code\n```",
    ]
)
_TEXTS = st.lists(_BLOCKS, max_size=7).map("\n\n".join)


class WritingToAnIndex(RuleBasedStateMachine):
    """Puts, moves, deletes, embeds and sweeps, and compares with a model in plain Python."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.store = Store(self.folder / "index.sqlite")
        self.notes: dict[str, str] = {}
        self.swept = True
        self.models = 0

    @initialize()
    def make(self) -> None:
        self.store.prepare()
        self._other_model()

    def _other_model(self) -> None:
        self.models += 1
        with self.store.writing() as writer:
            assert writer.vectors.set_model(f"model {self.models}", DIMENSIONS)
            for path, text in self.notes.items():
                put(writer, path, text)

    @rule(path=_PATHS, text=_TEXTS)
    def put(self, path: str, text: str) -> None:
        with self.store.writing() as writer:
            put(writer, path, text)
        self.notes[path] = text
        self.swept = False

    @precondition(lambda self: self.notes)
    @rule(which=st.integers(0, 9), folder=st.sampled_from(["", "x/", "notes/"]))
    def move_to_another_folder(self, which: int, folder: str) -> None:
        path = sorted(self.notes)[which % len(self.notes)]
        new = folder + path.rpartition("/")[2]
        if new in self.notes:
            return
        with self.store.writing() as writer:
            put(writer, new, self.notes[path])
            writer.delete_notes([path])
        self.notes[new] = self.notes.pop(path)
        self.swept = False

    @rule(paths=st.sets(_PATHS, max_size=3))
    def delete(self, paths: set[str]) -> None:
        with self.store.writing() as writer:
            writer.delete_notes(paths)
        self.notes = {path: text for path, text in self.notes.items() if path not in paths}
        self.swept = False

    @rule(limit=st.sampled_from([1, 3, 1000]))
    def embed(self, limit: int) -> None:
        with self.store.writing() as writer:
            embed(writer, limit)

    @rule()
    def sweep(self) -> None:
        with self.store.writing() as writer:
            writer.sweep(whole=True)
        self.swept = True

    @rule(path=_PATHS, text=_TEXTS, gone=st.sets(_PATHS, max_size=2))
    def write_in_one_session(self, path: str, text: str, gone: set[str]) -> None:
        clean = self.swept
        with self.store.writing() as writer:
            put(writer, path, text)
            writer.delete_notes(gone)
            writer.sweep(whole=False)
        self.notes[path] = text
        self.notes = {path: text for path, text in self.notes.items() if path not in gone}
        self.swept = clean

    @rule(path=_PATHS)
    def fail_half_way(self, path: str) -> None:
        note = parse_note("## lost", path)
        stray = Passage(9, 0, (0, 0), "stray")
        with self.store.writing() as writer:
            try:
                writer.put_note(note, [stray], file_state(""), digest(""))
            except IndexError:
                return
        raise AssertionError

    @rule()
    def change_the_model(self) -> None:
        self._other_model()
        self.swept = True

    @invariant()
    def the_tables_agree(self) -> None:
        if self.store.exists:
            invariants.check(self.store.path, swept=self.swept)

    @invariant()
    def the_notes_are_those_expected(self) -> None:
        if not self.store.exists:
            return
        reader = self.store.reader()
        assert [path for path, _ in reader.rows.note_names()] == sorted(self.notes)
        for path, text in self.notes.items():
            note = parse_note(text, path)
            rows = reader.rows.note_sections(path)
            assert [(r.heading, r.path, r.body, r.line, r.end_line) for r in rows] == [
                (s.heading, s.path, s.text, s.line, s.end_line) for s in note.sections
            ]

    @invariant()
    def words_are_found_where_they_stand(self) -> None:
        if not self.store.exists:
            return
        texts = self.notes.values()
        assert self.store.reader().words.known('"temples"') == any("Temples" in t for t in texts)
        assert self.store.reader().words.known('"京へ"') == any("東京へ" in t for t in texts)
        assert not self.store.reader().words.known('"lost"')

    def teardown(self) -> None:
        self.store.close()
        shutil.rmtree(self.folder)


TestWritingToAnIndex = WritingToAnIndex.TestCase
TestWritingToAnIndex.settings = settings(
    max_examples=15,
    stateful_step_count=15,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)

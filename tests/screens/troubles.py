"""The first run, an index in the making, and everything that can be wrong: with the real fault."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any
from unittest import mock

from PySide6.QtWidgets import QFileDialog

from notesearch.config import Paths, Settings, Vault
from notesearch.embedding import model_loader
from notesearch.embedding.embedder import Embedder
from notesearch.gui.window.folder_chooser import MANY
from tests.screens.searching import FOOD, dialog, dialogs
from tests.screens.stage import Pictures, Stage
from tests.screens.state import Desk, Shoot, State

_DAY = "We walked on until it rained, and talked about nothing that matters. "
_WORDS = Settings(model="none")


def first(stage: Stage) -> Pictures:
    """Start the program without a chosen folder, on a computer with two folders to find."""
    me = stage.folder / "me"
    vaults = {"Documents/Personal": 1204, "notes": 86}
    for place, notes in vaults.items():
        (me / place).mkdir(parents=True, exist_ok=True)
        for number in range(notes):
            (me / place / f"{number}.md").touch()
    register = me / ".config" / "obsidian" / "obsidian.json"
    register.parent.mkdir(parents=True, exist_ok=True)
    register.write_text(json.dumps({"vaults": {"1": {"path": str(me / "Documents/Personal")}}}))
    os.environ["HOME"] = str(me)
    stage.start(None)
    stage.until(stage.app.window.page.suggestions.isVisible)
    stage.settle()
    return stage.picture()


def _first_refused(stage: Stage) -> Pictures:
    """Tick the choices that this desktop cannot fulfil."""
    first(stage)
    box = next(b for b in stage.boxes() if "Ctrl" in b.text())
    box.click()
    stage.settle()
    return stage.picture()


def _empty_folder(stage: Stage) -> Pictures:
    stage.start(stage.empty_folder("Photos"))
    return stage.picture()


def _chosen(folder: Callable[[Stage], Path]) -> Shoot:
    """Return a function that chooses another folder in the desktop's dialog."""

    def shoot(stage: Stage) -> Pictures:
        vault = stage.notes()
        stage.start(vault, Settings(vault=str(vault), vaults=(Vault(str(vault)),)))
        chosen = str(folder(stage))
        with mock.patch.object(QFileDialog, "getExistingDirectory", return_value=chosen):
            stage.app.actions.choose_folder.trigger()
        shown = stage.app.window.banner
        stage.until(lambda: bool(dialogs()) or shown.isVisible())
        stage.settle(1_500)
        return stage.picture() if shown.isVisible() else stage.picture(dialog())

    return shoot


def _many(stage: Stage) -> Path:
    folder = stage.empty_folder("Everything")
    for number in range(MANY + 1):
        (folder / f"{number}.md").touch()
    return folder


def indexing(stage: Stage) -> Pictures:
    """Search while a large folder is read for the first time."""
    _begin_large(stage)
    stage.type("rained")
    stage.until(lambda: bool(stage.app.model.rows) and stage.app.pane.preview.content is not None)
    stage.settle()
    return stage.picture()


def _begin_large(stage: Stage, notes: int = 8_000, settings: Settings = _WORDS) -> None:
    vault = stage.empty_folder("Diary")
    for number in range(notes):
        text = f"# Day {number}\n\n" + _DAY * 8
        (vault / f"Day {number}.md").write_text(text, encoding="utf-8")
    stage.forget_indexes()
    stage.begin(vault, settings)
    stage.until(lambda: (c := stage.app.vault.counting) is not None and c.done > notes / 8)


def tray_indexing(stage: Stage) -> Pictures:
    """Open the menu of the tray meanwhile."""
    _begin_large(stage)
    return stage.tray_menu()


@contextmanager
def _model_held() -> Iterator[None]:
    """Keep the model from being loaded completely."""
    load, ready = model_loader.load_embedder, Event()

    def held(*given: Any, **devices: Any) -> Embedder:
        ready.wait()
        return load(*given, **devices)

    with mock.patch.object(model_loader, "load_embedder", held):
        try:
            yield
        finally:
            ready.set()


def model_loading(stage: Stage) -> Pictures:
    """Search before the model is loaded: only words have answered."""
    vault = stage.notes()
    stage.start(vault)
    stage.end()
    with _model_held():
        stage.begin(vault)
        stage.until(lambda: stage.app.vault.status is not None)
        stage.type(FOOD)
        stage.until(lambda: stage.app.pane.preview.content is not None)
        stage.settle(1_500)
        return stage.picture()


def _preparing(stage: Stage) -> Pictures:
    _begin_large(stage, 1_000, Settings())
    stage.until(lambda: "%" in stage.app.display.line.text)
    stage.type("rained")
    stage.until(lambda: stage.app.pane.preview.content is not None)
    return stage.picture()


def missing(stage: Stage) -> Pictures:
    """Take the folder away."""
    vault = stage.notes()
    stage.start(vault)
    shutil.rmtree(vault)
    stage.app.vault.refresh()
    stage.until(lambda: bool(stage.app.window.banner.text))
    stage.search(FOOD)
    return stage.picture()


def damaged(stage: Stage) -> Pictures:
    """Spoil the index: it is set aside and made again."""
    vault = stage.notes()
    stage.start(vault, _WORDS)
    stage.end()
    for index in (stage.folder / "home").rglob("*.sqlite"):
        index.write_bytes(b"this is no index" * 4_000)
    stage.start(vault, _WORDS)
    return stage.picture()


def no_index(stage: Stage) -> Pictures:
    """Put a file where the folder of the indexes should be."""
    vault = stage.notes()
    folder = stage.paths.data / "indexes"
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.write_text("")
    try:
        stage.start(vault, _WORDS)
        return stage.picture()
    finally:
        folder.unlink()


def full(stage: Stage) -> Pictures:
    """Put the index on a disk of two megabytes, and add notes of five."""
    vault = stage.notes()
    _mount(stage.paths, "size=2m")
    stage.start(vault, _WORDS)
    for n in range(6):
        parts = (f"# Part {i}\n\n{os.urandom(120).hex()}\n" for i in range(700))
        (vault / f"large {n}.md").write_text("".join(parts))
    stage.app.vault.refresh()
    return _with_banner(stage)


def _read_only(stage: Stage) -> Pictures:
    """Make the disk of the index read-only, and change a note."""
    vault = stage.notes()
    _mount(stage.paths, "size=20m")
    stage.start(vault, _WORDS)
    stage.end()
    _mount(stage.paths, "remount,ro,size=20m")
    (vault / "New.md").write_text("# New\n\nSome words.\n")
    stage.begin(vault, _WORDS)
    return _with_banner(stage)


def _with_banner(stage: Stage) -> Pictures:
    stage.until(stage.app.window.banner.isVisible)
    stage.search(FOOD)
    return stage.picture()


def _mount(paths: Paths, options: str) -> None:
    """Mount a disk in memory over the indexes, for this process and its children."""
    paths.data.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "none", str(paths.data)], check=True)


def unread(stage: Stage) -> Pictures:
    """Add files that are named like notes but cannot be read."""
    _start_spoilt(stage)
    stage.search(FOOD)
    return stage.picture()


def unread_list(stage: Stage) -> Pictures:
    """Open the list of unreadable notes."""
    _start_spoilt(stage)
    stage.app.window.bar.more.click()
    stage.settle()
    return stage.picture(dialog())


def _start_spoilt(stage: Stage) -> None:
    vault = stage.notes()
    (vault / "scan.md").write_bytes(b"\x00\x01\x02" * 500)
    (vault / "photo.md").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00" * 50)
    stage.start(vault)


def editor_failed(stage: Stage) -> Pictures:
    """Open a section with a missing program."""
    stage.start(stage.notes(), Settings(editor="nosuchprogram {path}:{line}"))
    stage.search(FOOD)
    stage.press("Return")
    return stage.picture()


def _words_only(stage: Stage) -> Pictures:
    stage.start(stage.notes(), Settings(model="nosuchmodel"))
    stage.search(FOOD)
    return stage.picture()


def paused(stage: Stage) -> Pictures:
    """Pause indexing."""
    stage.start(stage.notes())
    stage.app.vault.set_paused(True)
    stage.settle()
    return stage.picture()


def _other_indexes(stage: Stage) -> Pictures:
    """Let another process hold the index, and ask for an update."""
    vault = stage.notes()
    command = [sys.executable, "-m", "notesearch", "--vault", str(vault), "watch"]
    stage.prepare(_WORDS)
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as other:
        assert other.stderr is not None
        other.stderr.readline()
        try:
            stage.start(vault, _WORDS)
            stage.app.vault.refresh()
            stage.search(FOOD)
            stage.settle(1_500)
            return stage.picture()
        finally:
            other.terminate()


def _unforeseen(stage: Stage) -> Pictures:
    stage.start(stage.notes())
    stage.search(FOOD)
    stage.app.report_bug()
    stage.settle()
    return stage.picture()


TROUBLES = (
    State("first", "first", first),
    State("first-refused", "first", _first_refused),
    State("empty-folder", "", _empty_folder),
    State("empty-chosen", "", _chosen(lambda stage: stage.empty_folder("Photos"))),
    State("many-chosen", "", _chosen(_many)),
    State("inner-chosen", "", _chosen(lambda stage: stage.folder / "Notes" / "travel")),
    State("indexing", "indexing", indexing),
    State("model-loading", "semantic", model_loading),
    State("preparing", "", _preparing),
    State("missing", "missing", missing),
    State("damaged", "", damaged),
    State("no-index", "error", no_index),
    State("full", "", full, Desk(mounts=True)),
    State("read-only", "", _read_only, Desk(mounts=True)),
    State("unread", "", unread),
    State("unread-list", "", unread_list),
    State("editor-failed", "", editor_failed),
    State("words-only", "", _words_only),
    State("paused", "", paused),
    State("other-indexes", "", _other_indexes),
    State("unforeseen", "", _unforeseen),
)

"""Unused memory is returned to the system when the program has nothing left to do."""

import platform
import threading
from pathlib import Path

import pytest

from notesearch.gui.session.vault_session import VaultSession
from notesearch.library import NoteLibrary
from notesearch.processes import return_free_memory
from notesearch.status import Phase, Progress

KILOBYTES = 60_000


def resident() -> int:
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library")
def test_memory_freed_by_a_thread_is_returned_to_the_system() -> None:
    kept = []

    def use() -> None:
        made = [b"a" * (60_000 + n) for n in range(KILOBYTES // 60)]
        kept.append(made[-1])  # at the end: what stands before it stays, free as it is

    thread = threading.Thread(target=use)
    thread.start()
    thread.join()
    before = resident()
    return_free_memory()
    assert resident() < before - KILOBYTES / 2


@pytest.mark.usefixtures("qapp")
def test_memory_is_returned_only_when_indexing_ends(
    library: NoteLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[bool] = []
    monkeypatch.setattr(
        "notesearch.gui.session.vault_session.return_free_memory", lambda: given.append(True)
    )
    session = VaultSession(lambda: library)
    for phase in (Phase.SCAN, Phase.WORDS, Phase.MEANING):
        session.progressed(Progress(phase))
    assert not given
    session.progressed(Progress(Phase.IDLE))
    assert given

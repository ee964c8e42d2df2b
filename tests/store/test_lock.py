"""Only one holder of the lock of an index may write."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import filelock
import pytest

from notesearch.store.lock import WriterLock


def test_another_thread_may_release_the_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thread that takes a lock may end first; a lock of that thread alone would stay held.

    All locks are kept here: filelock releases one that is deleted, but not every interpreter
    deletes an object at once.
    """
    locks = []
    make = filelock.FileLock

    def kept(*arguments: Any, **options: Any) -> filelock.BaseFileLock:
        locks.append(make(*arguments, **options))
        return locks[-1]

    monkeypatch.setattr(filelock, "FileLock", kept)
    index = tmp_path / "index.sqlite"
    hold = WriterLock(index).held()
    with ThreadPoolExecutor(1) as other:
        other.submit(hold.__enter__).result()
    assert WriterLock(index).is_held()
    hold.__exit__(None, None, None)
    assert not WriterLock(index).is_held()

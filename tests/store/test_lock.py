"""Only one holder of the lock of an index may write."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from notesearch.store.lock import WriterLock


def test_another_thread_may_release_the_lock(tmp_path: Path) -> None:
    index = tmp_path / "index.sqlite"
    hold = WriterLock(index).held()
    with ThreadPoolExecutor(1) as other:
        other.submit(hold.__enter__).result()
    assert WriterLock(index).is_held()
    hold.__exit__(None, None, None)
    assert not WriterLock(index).is_held()

"""A call in a thread of its own: its result comes when it is taken, and no thread is left."""

import threading

import pytest

from notesearch.search.meaning_retrieval import BackgroundCall


def test_it_runs_in_another_thread() -> None:
    go_on = threading.Event()

    def work() -> int:
        assert go_on.wait(10)
        return threading.get_ident()

    with BackgroundCall(work) as call:
        go_on.set()
        assert call.result() != threading.get_ident()
        assert call.result() == call.result()


def test_result_raises_what_the_function_raised() -> None:
    def work() -> int:
        raise LookupError("no model")

    with pytest.raises(LookupError, match="no model"), BackgroundCall(work) as call:
        call.result()


def test_the_result_need_not_be_taken() -> None:
    done = []
    with BackgroundCall(lambda: done.append(threading.current_thread())):
        pass
    assert not done[0].is_alive()

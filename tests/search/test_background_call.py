"""What is done beside a search: its result comes when it is asked for, and no thread is left."""

import threading

import pytest

from notesearch.search.meaning_retrieval import BackgroundCall


def test_goes_on_while_the_search_does() -> None:
    go_on = threading.Event()

    def work() -> int:
        assert go_on.wait(10)
        return threading.get_ident()

    with BackgroundCall(work) as beside:
        go_on.set()
        assert beside.result() != threading.get_ident()
        assert beside.result() == beside.result()


def test_what_it_raised_is_raised_to_whoever_asks() -> None:
    def work() -> int:
        raise LookupError("no model")

    with pytest.raises(LookupError, match="no model"), BackgroundCall(work) as beside:
        beside.result()


def test_nobody_need_ask() -> None:
    done = []
    with BackgroundCall(lambda: done.append(threading.current_thread())):
        pass
    assert not done[0].is_alive()

"""How often a note that is saved all the time is indexed: by a clock of the test."""

from notesearch.index.pacing import Pacing


def test_a_note_saved_all_the_time_is_indexed_every_two_seconds() -> None:
    pacing, indexed = Pacing(), 0
    for tick in range(600):  # a save every 0.2 s for two minutes
        if pacing.admit(["a.md"], tick / 5):
            pacing.indexed(["a.md"], tick / 5)
            indexed += 1
    assert indexed <= 61


def test_the_last_save_is_indexed_soon() -> None:
    pacing = Pacing()
    for tick in range(20):
        if pacing.admit(["a.md"], tick / 5):
            pacing.indexed(["a.md"], tick / 5)
    waiting = pacing.wait(60, 3.8)
    assert waiting <= 4
    assert pacing.admit([], 3.8 + waiting + 0.001) == {"a.md"}
    assert pacing.wait(60, 9.0) == 60


def test_two_saves_in_a_row_and_other_notes_wait_for_nothing() -> None:
    pacing = Pacing()
    for now in (0.0, 0.1):
        assert pacing.admit(["a.md"], now) == {"a.md"}
        pacing.indexed(["a.md"], now)
    assert pacing.admit(["a.md", "b.md"], 0.2) == {"b.md"}


def test_after_a_comparison_nothing_waits() -> None:
    pacing = Pacing()
    for now in (0.0, 0.1):
        pacing.indexed(["a.md"], now)
    assert not pacing.admit(["a.md"], 0.2)
    pacing.forget()
    assert not pacing.admit([], 100.0)


def test_what_is_quiet_is_forgotten() -> None:
    pacing = Pacing()
    pacing.indexed([f"{n}.md" for n in range(1000)], 0.0)
    pacing.indexed(["a.md"], 100.0)
    assert len(pacing._taken) == 1

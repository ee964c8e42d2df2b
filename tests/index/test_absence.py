"""A note counts as deleted once it stayed away, or went with many others."""

from notesearch.index.absence import Absences


def test_a_moment_is_waited_for() -> None:
    absences = Absences()
    assert absences.may_return(["a.md"], 10.0) == ("a.md",)
    assert absences.may_return(["a.md", "b.md"], 10.2) == ("a.md", "b.md")
    assert absences.may_return(["a.md", "b.md"], 10.4) == ("b.md",)


def test_what_came_back_may_go_again() -> None:
    absences = Absences()
    absences.may_return(["a.md"], 10.0)
    absences.seen({"a.md", "b.md"})
    assert absences.may_return(["a.md"], 11.0) == ("a.md",)


def test_what_counted_as_deleted_is_forgotten() -> None:
    absences = Absences()
    absences.may_return(["a.md"], 10.0)
    assert absences.may_return(["a.md"], 11.0) == ()
    assert absences.may_return(["a.md"], 12.0) == ("a.md",)


def test_many_at_once_are_deleted() -> None:
    assert Absences().may_return([f"{n}.md" for n in range(11)]) == ()

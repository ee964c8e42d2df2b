"""Frozen dataclasses of our own are the standard library's, but for how soon they are made."""

import copy
import dataclasses
import inspect
import pickle
from dataclasses import dataclass as the_librarys
from dataclasses import field
from math import inf, nan
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notesearch.frozen import dataclass

VALUES = st.one_of(st.none(), st.integers(0, 3), st.just(nan), st.text(max_size=2), st.just((1,)))


@dataclass(frozen=True, slots=True)
class Ours:
    """Two values, one with a default, one made anew, one that does not count."""

    first: object
    second: object = 2
    made: dict[str, int] = field(default_factory=dict, compare=False)
    beside: float = field(default=inf, compare=False)

    @property
    def both(self) -> tuple[object, object]:
        return self.first, self.second


@the_librarys(frozen=True, slots=True)
class Theirs:
    """Two values, one with a default, one made anew, one that does not count."""

    first: object
    second: object = 2
    made: dict[str, int] = field(default_factory=dict, compare=False)
    beside: float = field(default=inf, compare=False)

    @property
    def both(self) -> tuple[object, object]:
        return self.first, self.second


@dataclass(frozen=True, slots=True)
class Longer(Ours):
    """One more than its base."""

    third: int = 3


@dataclass(frozen=True, slots=True)
class One:
    only: object


@dataclass(frozen=True, slots=True)
class Nothing:
    """No fields."""


@dataclass(frozen=True, slots=True, eq=False)
class Itself:
    only: int


@dataclass(frozen=True, slots=True)
class Own:
    """Says for itself what it is equal to, and how it looks."""

    only: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Own)

    def __hash__(self) -> int:
        return 1

    def __repr__(self) -> str:
        return "own"


class Answer(NamedTuple):
    """What both kinds say of one pair of instances."""

    equal: object
    unequal: object
    hashes: bool
    texts: bool


def said(kind: Any, one: tuple[object, object], other: tuple[object, object]) -> Answer:
    a, b = kind(*one), kind(*other)
    return Answer(a == b, a != b, hash(a) == hash(b), repr(a) == repr(b))


@given(st.tuples(VALUES, VALUES), st.tuples(VALUES, VALUES))
def test_equality_hashes_and_texts_are_the_librarys(
    one: tuple[object, object], other: tuple[object, object]
) -> None:
    assert said(Ours, one, other) == said(Theirs, one, other)
    assert hash(Ours(*one)) == hash(Theirs(*one))
    assert repr(Ours(*one)) == repr(Theirs(*one)).replace("Theirs", "Ours")
    theirs: object = Theirs(*one)
    assert Ours(*one) != theirs


def test_defaults_are_given_and_what_is_made_is_made_for_each() -> None:
    ours, another = Ours(1), Ours(first=1, second=2)
    assert (ours.second, ours.made, ours.beside) == (2, {}, inf)
    assert ours.made is not another.made
    assert ours == another == Ours(1, made={"not": 1}, beside=0.0)
    assert ours.both == (1, 2)


@pytest.mark.parametrize("kind", [Ours, Theirs])
def test_what_is_missing_or_too_much_is_told(kind: Any) -> None:
    for given_, told in (
        ((), "'first'"),
        ((1, 2, {}, 3.0, 4), "from 2 to 5"),
    ):
        with pytest.raises(TypeError, match=told):
            kind(*given_)
    with pytest.raises(TypeError, match="unexpected keyword argument 'third'"):
        kind(1, third=3)


@pytest.mark.parametrize("instance", [Ours(1), Longer(1), Itself(1), Nothing()])
def test_nothing_is_assigned_or_deleted(instance: Any) -> None:
    for name in ("first", "other"):
        with pytest.raises(dataclasses.FrozenInstanceError, match=f"cannot assign.*'{name}'"):
            setattr(instance, name, 1)
        with pytest.raises(dataclasses.FrozenInstanceError, match=f"cannot delete.*'{name}'"):
            delattr(instance, name)
    assert not hasattr(instance, "__dict__")


def test_the_librarys_functions_know_them() -> None:
    ours = Ours(1, made={"a": 1})
    assert dataclasses.replace(ours, second=(3,)) == Ours(1, (3,))
    assert dataclasses.asdict(ours) == dataclasses.asdict(Theirs(1, made={"a": 1}))
    assert [f.name for f in dataclasses.fields(Longer)] == [*Theirs.__match_args__, "third"]
    assert Ours.__match_args__ == Theirs.__match_args__
    assert list(inspect.signature(Ours).parameters) == list(inspect.signature(Theirs).parameters)


@pytest.mark.parametrize("instance", [Ours(1, (2,)), Longer("x"), One(None), Nothing()])
def test_they_are_copied_and_sent_to_other_processes(instance: object) -> None:
    assert copy.copy(instance) == instance
    assert copy.deepcopy(instance) == instance
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(instance, protocol)) == instance


def test_a_longer_one_is_another() -> None:
    assert Longer(1) == Longer(1, third=3) != Longer(1, third=4)
    assert Longer(1) != Ours(1)
    assert repr(Longer(1)) == "Longer(first=1, second=2, made={}, beside=inf, third=3)"


def test_one_value_or_none_are_compared_as_well() -> None:
    assert One(1) == One(1) != One(2)
    assert hash(One(1)) == hash((1,))
    assert Nothing() == Nothing()
    assert repr(Nothing()) == "Nothing()"


def test_what_a_class_says_for_itself_stays() -> None:
    one, same = Itself(1), Itself(1)
    assert one != same
    assert len({one, same}) == 2
    assert Own(1) == Own(2)
    assert hash(Own(1)) == 1
    assert repr(Own(1)) == "own"


def test_other_kinds_are_left_to_the_library() -> None:
    made: Any = dataclass
    with pytest.raises(TypeError, match="frozen dataclasses with slots"):
        made(frozen=False, slots=True)

    with pytest.raises(TypeError, match="after an instance is made"):

        @dataclass(frozen=True, slots=True)
        class Later:
            first: int

            def __post_init__(self) -> None:
                """It would not be called."""

    for special in (field(init=False, default=1), field(kw_only=True, default=1)):
        with pytest.raises(TypeError, match="first is no plain argument"):

            @dataclass(frozen=True, slots=True)
            class Special:
                first: int = special


def test_fields_may_be_called_anything() -> None:
    @dataclass(frozen=True, slots=True)
    class Named:
        put: int
        put_put: int = 2
        default_put: int = 3
        absent: list[int] = field(default_factory=list)
        make_absent: int = 4

    named = Named(1)
    assert (named.put, named.put_put, named.default_put, named.make_absent) == (1, 2, 3, 4)
    assert named.absent == []

"""Frozen dataclasses like the standard library's, made in a quarter of the time at each start.

Until Python 3.13 the library compiles seven methods for each class, and a window has 140 classes.
Here the one that makes an instance is compiled; the others are the same code for all of them.
"""

import dataclasses
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_Class = TypeVar("_Class", bound=type)
_Values = Callable[[object], tuple[object, ...]]

_MISSING = dataclasses.MISSING


def _dataclass(*, frozen: bool, slots: bool, eq: bool = True) -> Callable[[_Class], _Class]:
    """Return what makes a class the dataclass that the library's own decorator would make.

    Raises:
        TypeError: It is to be another one than frozen, with slots; it does more than take values;
            or a field is no plain argument.
    """
    if not (frozen and slots):
        message = "Only frozen dataclasses with slots are made here."
        raise TypeError(message)

    def made(written: _Class) -> _Class:
        return _made(written, eq=eq)

    return made


def _made(written: _Class, *, eq: bool) -> _Class:
    if "__post_init__" in vars(written):
        message = "Nothing is done after an instance is made here."
        raise TypeError(message)
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True)(written)
    fields = dataclasses.fields(made)
    methods: dict[str, object] = {"__repr__": _represented}
    if eq:
        values = _values([field.name for field in fields if field.compare])
        methods |= {"__eq__": _equal(values), "__hash__": _hashed(values)}
    for name, method in methods.items():
        if vars(written).get(name) is None:
            setattr(made, name, method)
    made.__init__ = _initial(made, fields)
    made.__setattr__, made.__delattr__ = _not_assigned, _not_deleted
    made.__getstate__, made.__setstate__ = _state, _restore
    same: _Class = made
    return same


def _initial(made: type, fields: "Sequence[dataclasses.Field[Any]]") -> Callable[..., None]:
    """Return what gives an instance its values, each straight into its slot."""
    known: dict[str, Any] = {"__absent": _MISSING}
    asked, steps = ["__self"], []
    for field in fields:
        if not field.init or field.kw_only:
            message = f"The field {field.name} is no plain argument."
            raise TypeError(message)
        name = value = field.name
        known[f"__put_{name}"] = getattr(made, name).__set__
        if field.default is not _MISSING:
            known[f"__default_{name}"] = field.default
            asked.append(f"{name}=__default_{name}")
        elif field.default_factory is not _MISSING:
            known[f"__make_{name}"] = field.default_factory
            asked.append(f"{name}=__absent")
            value = f"__make_{name}() if {name} is __absent else {name}"
        else:
            asked.append(name)
        steps.append(f"__put_{name}(__self, {value})")
    source = f"def __init__({', '.join(asked)}):\n {'; '.join(steps) or 'pass'}"
    exec(source, known)  # noqa: S102 - of names alone, as the library does
    initial: Callable[..., None] = known["__init__"]
    initial.__qualname__, initial.__module__ = f"{made.__qualname__}.__init__", made.__module__
    return initial


def _values(names: Sequence[str]) -> _Values:
    """Return what takes the values of ``names`` from an instance."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda instance: tuple(getattr(instance, name) for name in names)


def _equal(values: _Values) -> Callable[[object, object], object]:
    def equal(self: object, other: object) -> object:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return values(self) == values(other)

    return equal


def _hashed(values: _Values) -> Callable[[object], int]:
    def hashed(self: object) -> int:
        return hash(values(self))

    return hashed


def _represented(self: "DataclassInstance") -> str:
    pairs = ((field.name, getattr(self, field.name)) for field in dataclasses.fields(self))
    inside = ", ".join(f"{name}={value!r}" for name, value in pairs)
    return f"{self.__class__.__qualname__}({inside})"


def _not_assigned(_: object, name: str, _value: object) -> NoReturn:
    message = f"cannot assign to field {name!r}"
    raise dataclasses.FrozenInstanceError(message)


def _not_deleted(_: object, name: str) -> NoReturn:
    message = f"cannot delete field {name!r}"
    raise dataclasses.FrozenInstanceError(message)


def _state(self: "DataclassInstance") -> list[object]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _restore(self: "DataclassInstance", state: Sequence[object]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)


if TYPE_CHECKING:  # which knows no other decorator's `replace` and `asdict`
    from dataclasses import dataclass
else:
    dataclass = _dataclass

__all__ = ["dataclass"]

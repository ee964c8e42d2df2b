"""Loads of the MCP SDK what a server needs: no client, no framework for servers, no HTTP unasked.

All of these come with the packages around the server, bring libraries for HTTP and cryptography,
and take 16 MB and two hundred modules that nothing here uses (docs/performance.md).
"""

import contextlib
import importlib.util
import sys
from collections.abc import Iterator, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


@contextlib.contextmanager
def modules_alone(*packages: str) -> Iterator[None]:
    """Import from ``packages`` inside this without running what they themselves import.

    Afterwards they are as if never imported, so that whoever imports one gets it whole, and from it
    the same modules. One that was imported before is left as it is.

    Args:
        packages: Names with dots, each after the one that it lies in.

    Raises:
        ModuleNotFoundError: One is not installed.
    """
    bare: list[str] = []
    for name in packages:
        if name not in sys.modules:
            sys.modules[name] = _without_contents(name)
            bare.append(name)
    try:
        yield
    finally:
        for name in bare:
            del sys.modules[name]


@contextlib.contextmanager
def names_alone(*packages: str) -> Iterator[None]:
    """Inside this, let ``packages`` be full of names that mean nothing: they are not loaded.

    For modules that name in annotations and in functions nobody calls what they import. Those that
    were loaded so are afterwards as if never imported, so that whoever imports one gets it whole;
    what was taken from one works but for those functions. A package that was imported before is
    itself.
    """
    before = set(sys.modules)
    finder = _NamesAlone(tuple(name for name in packages if name not in before))
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for name in _made_of_names(sys.modules.keys() - before):
            del sys.modules[name]


def _made_of_names(loaded: set[str]) -> set[str]:
    """Return which of ``loaded`` hold names that mean nothing, with the packages they lie in."""
    modules = {name: sys.modules.get(name) for name in loaded}
    made = {
        name
        for name, module in modules.items()
        if isinstance(module, _Names)
        or any(map(_is_name, list(getattr(module, "__dict__", {}).values())))
    }
    around = {name[:end] for name in made for end, sign in enumerate(name) if sign == "."}
    return made | (around & loaded)


class _NamesAlone(MetaPathFinder, Loader):
    """Finds modules of packages that are not to be loaded."""

    def __init__(self, packages: tuple[str, ...]) -> None:
        self._packages = packages

    def find_spec(
        self, name: str, _path: Sequence[str] | None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        ours = any(name == one or name.startswith(f"{one}.") for one in self._packages)
        return ModuleSpec(name, self, is_package=True) if ours else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _Names(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """There is nothing to be run."""


class _Name:
    """What stands for anything that is imported from a package that is not loaded."""


class _Names(ModuleType):
    """A module that has any name that is asked for."""

    def __getattr__(self, name: str) -> type[_Name]:
        if name.startswith("__"):  # the import system looks whether there are some
            raise AttributeError(name)
        return type(name, (_Name,), {})


def _is_name(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, _Name)


def _without_contents(name: str) -> ModuleType:
    spec = importlib.util.find_spec(name)
    if spec is None:
        message = f"No module named {name!r}"
        raise ModuleNotFoundError(message, name=name)
    return importlib.util.module_from_spec(spec)

"""Loads of the MCP SDK what a server needs: neither its client nor its framework for servers.

Both come with the packages around the server, bring libraries for HTTP and cryptography, and take
11 MB and a hundred modules that nothing here uses (docs/performance.md).
"""

import contextlib
import importlib.util
import sys
from collections.abc import Iterator
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


def _without_contents(name: str) -> ModuleType:
    spec = importlib.util.find_spec(name)
    if spec is None:
        message = f"No module named {name!r}"
        raise ModuleNotFoundError(message, name=name)
    return importlib.util.module_from_spec(spec)

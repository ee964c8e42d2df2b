"""Loads the scripts that make packages; they do not form a Python package."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

PACKAGING = Path(__file__).resolve().parent.parent / "packaging"


def script(name: str) -> ModuleType:
    """Load a script by its file, as ``packaging`` is also a library; it finds those beside it."""
    spec = importlib.util.spec_from_file_location(f"scripts_{name}", PACKAGING / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(PACKAGING))
        spec.loader.exec_module(module)
    return module

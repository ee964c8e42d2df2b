"""Two threads that import a library at once: neither may wait for what the other one holds.

A part of a package that is imported before the package itself takes the locks in the wrong order.
"""

import subprocess
import sys

import pytest

_PROGRAM = """
import sys, threading
from importlib.machinery import PathFinder

slow, one, prepared, other = sys.argv[1:]
inside = threading.Event()
names = {}
exec(prepared, names)

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name != slow:
            return None
        spec = PathFinder.find_spec(name, path)
        run = spec.loader.exec_module
        def exec_module(module):
            inside.set()
            for _ in range(200):
                if waits() or threading.Event().wait(0.01):
                    break
            run(module)
        spec.loader.exec_module = exec_module
        return spec

sys.meta_path.insert(0, Finder())

def import_other():
    inside.wait()
    exec(other, names)

def waits():
    frame = sys._current_frames().get(second.ident)
    return frame is not None and frame.f_code.co_name == "acquire"

first, second = threading.Thread(target=exec, args=[one]), threading.Thread(target=import_other)
second.start()
first.start()
"""
"""Imports a package in one thread, and stops in it until another waits for a lock of imports.

It stops for two seconds at most: the other one need not wait.
"""


@pytest.mark.parametrize(
    ("slow", "one", "prepared", "other"),
    [
        (
            "numpy",
            "import numpy",
            "from notesearch.embedding.onnx_engine import import_runtime",
            "import_runtime()",
        ),
        (
            "rapidfuzz",
            "from rapidfuzz import fuzz",
            "from notesearch.search.correction import slips_between",
            "slips_between('a', 'b')",
        ),
    ],
)
def test_two_threads_import_at_once(slow: str, one: str, prepared: str, other: str) -> None:
    program = [sys.executable, "-c", _PROGRAM, slow, one, prepared, other]
    done = subprocess.run(program, check=False, capture_output=True, text=True, timeout=60)
    assert done.stderr == ""

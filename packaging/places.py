"""Paths, version, timestamp and helpers for the scripts that build the packages."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGING = ROOT / "packaging"
BUILD = ROOT / "build" / "release"
DIST = ROOT / "dist"
RUNTIME = BUILD / "runtime"
"""The clean environment: a virtual environment with only the wheel and its dependencies."""
PYTHON = RUNTIME / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
"""The interpreter of the clean environment."""
FROZEN = BUILD / "frozen" / "notesearch"

_PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
_AUTHOR = _PROJECT["authors"][0]
MAINTAINER = f"{_AUTHOR['name']} <{_AUTHOR.get('email', 'notesearch@localhost')}>"
HOMEPAGE: str = _PROJECT.get("urls", {}).get("Homepage", "")
"""Empty unless ``pyproject.toml`` gives one."""

APP_ID = "org.notesearch.Notesearch"
SCALED = (16, 24, 32, 48, 64, 128, 256)
"""Widths of the icons that desktops look for."""


def version() -> str:
    """Return the version given in ``notesearch/__init__.py``."""
    text = (ROOT / "notesearch" / "__init__.py").read_text("utf-8")
    found = re.search(r'^__version__ = "(.+)"$', text, re.MULTILINE)
    if not found:
        sys.exit("notesearch/__init__.py tells no version.")
    return found[1]


def epoch() -> int:
    """Return the time that all files in packages get, in seconds since 1970.

    It is ``SOURCE_DATE_EPOCH`` if that is set, else the time of the last commit.
    """
    told = os.environ.get("SOURCE_DATE_EPOCH")
    if told:
        return int(told)
    return int(run("git", "log", "-1", "--format=%ct", quiet=True))


def run(*command: str | Path, quiet: bool = False, **environment: str) -> str:
    """Run a command and return what it prints; if it fails, exit with its output.

    Args:
        command: The program and its arguments.
        quiet: Do not print the command line.
        environment: Variables added to this process's own.
    """
    words = [str(word) for word in command]
    if not quiet:
        print("$", *words, flush=True)
    done = subprocess.run(
        words, cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True,
        check=False, errors="replace",
    )  # fmt: skip
    if done.returncode:
        sys.exit(f"{' '.join(words)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def megabytes(path: Path) -> float:
    """Return the size of a file, or of all files in a folder, in MB (a million bytes)."""
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(file.lstat().st_size for file in files if not file.is_dir()) / 1e6

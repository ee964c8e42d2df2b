"""Lists what a frozen folder holds that is no package of Python, with licences: on Debian.

The list becomes part of the program (``licences``, About). A file that belongs to nobody ends the
build: nothing goes out whose licence is not in it.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

from places import RUNTIME

IN_QT = {
    "double-conversion": ("BSD-3-Clause", "libdouble-conversion3"),
    "FreeType": ("FTL OR GPL-2.0-only", "libfreetype6"),
    "HarfBuzz": ("MIT", "libharfbuzz0b"),
    "ICU": ("Unicode-3.0", "libicu72"),
    "libjpeg-turbo": ("IJG AND BSD-3-Clause AND Zlib", "libjpeg62-turbo"),
    "libpng": ("libpng-2.0", "libpng16-16"),
    "libtiff": ("libtiff", "libtiff6"),
    "libwebp": ("BSD-3-Clause", "libwebp7"),
    "MD4C": ("MIT", "libmd4c0"),
    "PCRE2": ("BSD-3-Clause", "libpcre2-8-0"),
    "zlib": ("Zlib", "zlib1g"),
}
"""What Qt's own libraries carry, its licence, and the package of Debian that has the text."""

_DOCUMENTS = Path("/usr/share/doc")
_NOT_FOUND = "Its authors' terms come with the sources of Qt, in the folder of that name."


def write(internal: Path) -> None:
    """Write ``brought.json`` into the frozen folder ``internal``."""
    libraries = sorted(file for file in internal.glob("lib*.so*") if not file.is_symlink())
    packages = {_package(file) for file in libraries if not file.name.startswith("libpython")}
    listed = [_python(), *map(_entry, sorted(packages)), *map(_in_qt, IN_QT)]
    strangers = _strangers(internal)
    if strangers:
        sys.exit("\n".join(["Whose are these, and under which licence?", *strangers]))
    target = internal / "notesearch" / "resources" / "licences" / "brought.json"
    target.write_text(json.dumps(listed, indent=1), "utf-8")


def _package(library: Path) -> str:
    """Return the package of Debian that ``library`` is from."""
    found = subprocess.run(
        ["dpkg", "-S", f"*/{library.name}"], capture_output=True, text=True, check=False
    )
    if found.returncode:
        sys.exit(f"No package of this system has {library.name}.")
    return found.stdout.partition(":")[0]


def _entry(package: str) -> dict[str, str]:
    text = (_DOCUMENTS / package / "copyright").read_text("utf-8", errors="replace")
    names = dict.fromkeys(re.findall(r"^License: (\S.*)$", text, re.MULTILINE))
    asked = ["dpkg-query", "--show", "--showformat=${Version}", package]
    version = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    licence = ", ".join(names) or "see below"
    return {"name": package, "version": version, "licence": licence, "notice": text}


def _python() -> dict[str, str]:
    # The interpreter itself tells where its licence lies: it is the one of the clean environment.
    code = "import os, sys, platform; print(os.__file__, platform.python_version())"
    asked = [str(RUNTIME / "bin" / "python"), "-c", code]
    told = subprocess.run(asked, capture_output=True, text=True, check=True)
    file, version = told.stdout.split()
    places = [Path(file).with_name("LICENSE.txt"), *_DOCUMENTS.glob("libpython3*/copyright")]
    text = next(place for place in places if place.is_file()).read_text("utf-8")
    return {"name": "Python", "version": version, "licence": "PSF-2.0", "notice": text}


def _in_qt(name: str) -> dict[str, str]:
    licence, package = IN_QT[name]
    file = _DOCUMENTS / package / "copyright"
    text = file.read_text("utf-8", errors="replace") if file.is_file() else _NOT_FOUND
    return {"name": f"{name} (in Qt)", "licence": licence, "notice": text}


def _strangers(internal: Path) -> list[str]:
    """Return the files that neither Python, nor a package of it, nor the system has brought."""
    site = next((RUNTIME / "lib").glob("python3*/site-packages"))
    python = ("base_library.zip", f"{site.parent.name}/", "libpython")
    names = (
        file.relative_to(internal).as_posix() for file in internal.rglob("*") if not file.is_dir()
    )
    return [
        name
        for name in names
        if not name.startswith(python) and not (site / name).exists() and name.count("/")
    ]

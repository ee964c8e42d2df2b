"""Lists the parts of a frozen folder that are not Python packages, with their licences.

The program shows the list (command ``licences``, About). A file that belongs to nothing on the list
ends the build, so that nothing is released without its licence.
"""

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from places import PACKAGING, PYTHON

_DOCUMENTS = Path("/usr/share/doc")
_ICU = "libicu72"
"""The Debian package whose licence text is used for the copy of ICU in Qt's wheel."""

_OWNED = """
import json, sys
from importlib import metadata
from notesearch.licences import components
listed = {part.name for part in components()}
listed &= {one.name for one in metadata.distributions(path=sys.argv[1:])}
packages = [one for one in metadata.distributions() if one.name in listed]
print(json.dumps([file.as_posix() for one in packages for file in one.files or ()]))
"""
"""Prints the files of all Python packages whose licences the frozen program lists.

Runs in the clean environment. The program lists a package if its metadata is in the frozen folder.
"""


def write(internal: Path) -> None:
    """Write ``brought.json`` into the frozen folder ``internal``."""
    listed = [_python(), *_in_qt()]
    if sys.platform == "linux":
        libraries = sorted(file for file in internal.glob("lib*.so*") if not file.is_symlink())
        packages = {_package(file) for file in libraries if not file.name.startswith("libpython")}
        listed += [*map(_entry, sorted(packages)), _icu()]
        strangers = _strangers(internal)
        if strangers:
            sys.exit("\n".join(["Whose are these, and under which licence?", *strangers]))
    target = internal / "notesearch" / "resources" / "licences" / "brought.json"
    target.write_text(json.dumps(listed, indent=1), "utf-8")


def _package(library: Path) -> str:
    """Return the name of the Debian package that contains ``library``."""
    found = subprocess.run(
        ["dpkg", "-S", f"*/{library.name}"], capture_output=True, text=True, check=False
    )
    if found.returncode:
        sys.exit(f"No package of this system has {library.name}.")
    return found.stdout.partition(":")[0]


def _text(package: str) -> str:
    return (_DOCUMENTS / package / "copyright").read_text("utf-8", errors="replace")


def _icu() -> dict[str, str]:
    return {"name": "ICU (in Qt)", "licence": "Unicode-3.0", "notice": _text(_ICU)}


def _entry(package: str) -> dict[str, str]:
    text = _text(package)
    names = dict.fromkeys(re.findall(r"^License: (\S.*)$", text, re.MULTILINE))
    asked = ["dpkg-query", "--show", "--showformat=${Version}", package]
    version = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    licence = ", ".join(names) or "see below"
    return {"name": package, "version": version, "licence": licence, "notice": text}


def _python() -> dict[str, str]:
    # The clean environment's own interpreter is asked where its licence is.
    code = (
        "import os, platform, sys;"
        " print(os.__file__, sys.base_prefix, platform.python_version(), sep='\\n')"
    )
    file, prefix, version = _told(code).splitlines()
    places = [
        Path(file).with_name("LICENSE.txt"),
        Path(prefix, "LICENSE.txt"),
        *_DOCUMENTS.glob("libpython3*/copyright"),
    ]
    text = next(place for place in places if place.is_file()).read_text("utf-8")
    return {"name": "Python", "version": version, "licence": "PSF-2.0", "notice": text}


def _told(code: str, *words: str) -> str:
    """Return what ``code`` prints in the clean environment."""
    asked = [str(PYTHON), "-P", "-c", code, *words]
    return subprocess.run(asked, capture_output=True, text=True, check=True).stdout


def _in_qt() -> Iterator[dict[str, str]]:
    """Yield the third-party code inside Qt's own libraries on this system."""
    told = tomllib.loads((PACKAGING / "qt_parts.toml").read_text("utf-8"))
    for name, part in told["parts"].items():
        part["copyright"] = [f"Copyright (c) {whose}" for whose in part["copyright"]]
        yield from _part_of_qt({"name": name, **part}, told["texts"])
    told = json.loads((PACKAGING / "qt_base.json").read_text("utf-8"))
    for part in told["parts"]:
        yield from _part_of_qt(part, dict(enumerate(told["texts"])))


def _part_of_qt(part: dict[str, Any], texts: Mapping[Any, str]) -> Iterator[dict[str, str]]:
    if part.get("system", sys.platform) == sys.platform:
        notice = "\n".join([*part["copyright"], "", texts[part["text"]]])
        yield {
            "name": f"{part['name']} (in Qt)",
            "version": part.get("version", ""),
            "licence": part["licence"],
            "notice": notice,
        }


def _strangers(internal: Path) -> list[str]:
    """Return the files that come from neither Python, nor a listed package, nor the system."""
    owned = set(json.loads(_told(_OWNED, str(internal))))
    standard = f"python{sys.version_info.major}.{sys.version_info.minor}/"
    names = (
        file.relative_to(internal).as_posix() for file in internal.rglob("*") if not file.is_dir()
    )
    return [
        name
        for name in names
        if not (name in owned or name == "base_library.zip" or name.startswith((standard, "lib")))
    ]

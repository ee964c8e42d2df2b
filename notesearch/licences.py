"""What the program is made of and under which licences: for About, ``licences`` and the packages.

Read from what is installed, so that the list is that of this very program: the packages that ours
asks for, what those carry inside them, and what no package tells (``resources/licences``).
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from notesearch.config import resources

_NEEDED = re.compile(r"([A-Za-z0-9._-]+)\s*(?:\[([^\]]*)\])?")
"""The name of a package, and the extras of it that are wanted too."""

_OF_EXTRA = re.compile(r";.*\bextra\s*==\s*['\"]([^'\"]*)['\"]")
_CLASSIFIED = "License :: OSI Approved :: "
_LONGEST_NAME = 80
"""Characters of a licence's name; what is longer is the text itself."""

_USUAL = ("LICENSE", "licenses/LICENSE", "LICENSE.txt", "COPYING")

_OURS = "notesearch"
_RULE = "=" * 78


@dataclass(frozen=True, slots=True)
class Component:
    """One part of the program that others have made, or the program itself.

    Attributes:
        name: Of the package or library.
        version: Empty where it is not told.
        licence: SPDX expression or name of its licence.
        inside: Lines on the parts that it carries itself.
        texts: Its licence and notices in full.
    """

    name: str
    version: str
    licence: str
    inside: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()


def components() -> tuple[Component, ...]:
    """Return all parts by name, the program itself first."""
    folder = resources() / "licences"
    told = tomllib.loads((folder / "components.toml").read_text("utf-8"))
    packages = [_package(found, told.pop(_key(found.name), {})) for found in _distributions(_OURS)]
    others = [_told(name, entry) for name, entry in told.items()]
    brought = folder / "brought.json"  # written when the program is frozen
    if brought.is_file():
        others += [_told(entry["name"], entry) for entry in json.loads(brought.read_text("utf-8"))]
    ours = [part for part in packages if part.name == _OURS]
    rest = [part for part in (*packages, *others) if part.name != _OURS]
    return (*ours, *sorted(rest, key=lambda part: part.name.casefold()))


def licence_text() -> str:
    """Return the list of all parts, and after it what each of their licences says."""
    parts = components()
    lines = ["notesearch and what it is made of", ""]
    lines += [f"{part.name} {part.version}".rstrip() + f": {part.licence}" for part in parts]
    for part in parts:
        lines += ["", _RULE, f"{part.name} {part.version}".rstrip(), part.licence, _RULE, ""]
        lines += part.inside
        lines += [text.strip("\n") + "\n" for text in part.texts]
    return "\n".join(lines) + "\n"


def _distributions(name: str) -> Iterator[metadata.Distribution]:
    """Yield the package ``name`` and all that it needs here, each once."""
    waiting, seen = [(name, "")], set[tuple[str, str]]()
    while waiting:
        key, extra = asked = waiting.pop()
        if asked in seen:
            continue
        seen.add(asked)
        try:
            found = metadata.distribution(key)
        except metadata.PackageNotFoundError:
            continue  # needed on another system only
        if not extra:
            yield found
        for requirement in found.requires or ():
            of_extra = _OF_EXTRA.search(requirement)
            needed = _NEEDED.match(requirement)
            if needed and (of_extra[1] if of_extra else "") == extra:
                other, extras = _key(needed[1]), (needed[2] or "").split(",")
                waiting += [(other, ""), *((other, one.strip()) for one in extras)]


def _key(name: str) -> str:
    """Return ``name`` as package indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _package(found: metadata.Distribution, told: Mapping[str, Any]) -> Component:
    """Return an installed package, with what we have been told where it says nothing itself."""
    files = [
        text
        for name in found.metadata.get_all("License-File") or ()
        if (text := found.read_text(f"licenses/{name}") or found.read_text(name))
    ]
    # Older packages do not name the files of their licences.
    files = files or [text for name in _USUAL if (text := found.read_text(name))]
    files += [
        Path(str(found.locate_file(name))).read_text("utf-8", errors="replace")
        for name in told.get("in_package", ())
    ]
    licence = told.get("licence") or _licence(found)
    return Component(
        found.name, found.version, licence, tuple(_inside(found)), (*files, *_texts(told))
    )


def _licence(found: metadata.Distribution) -> str:
    """Return the name of the licence, wherever this package tells it."""
    told = found.metadata
    short = next(iter(told.get_all("License-Expression") or told.get_all("License") or ()), "")
    if short and len(short) <= _LONGEST_NAME and "\n" not in short:
        return short
    classified = [
        line.removeprefix(_CLASSIFIED)
        for line in told.get_all("Classifier") or ()
        if line.startswith(_CLASSIFIED)
    ]
    return ", ".join(classified) or "see its text"


def _inside(found: metadata.Distribution) -> Iterator[str]:
    """Yield a line for each part that the package's own bill of materials lists."""
    for file in found.files or ():
        if "sboms" not in file.parts:
            continue
        listed = json.loads(file.read_text("utf-8")).get("components", ())
        for part in sorted(listed, key=lambda part: str(part["name"])):
            names = [_licence_name(choice) for choice in part.get("licenses", ())]
            yield f"contains {part['name']} {part.get('version', '')}: {' AND '.join(names)}"


def _licence_name(choice: Mapping[str, Any]) -> str:
    licence = choice.get("license", {})
    return str(choice.get("expression") or licence.get("id") or licence.get("name") or "")


def _told(name: str, entry: Mapping[str, Any]) -> Component:
    """Return a part that no package tells of."""
    return Component(name, str(entry.get("version", "")), entry["licence"], (), _texts(entry))


def _texts(entry: Mapping[str, Any]) -> tuple[str, ...]:
    """Return an entry's own words, and after them the texts that it names."""
    read = [(resources() / name).read_text("utf-8") for name in entry.get("texts", ())]
    return tuple(text for text in (entry.get("notice", ""), *read) if text)

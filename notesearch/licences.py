"""Lists the components of the program with their licences.

They are the installed packages that notesearch requires, the parts of these packages, and the
entries in ``resources/licences``. So the list matches this installation.
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
"""The beginning of a requirement: the name of a package, and its extras."""

_OF_EXTRA = re.compile(r";.*\bextra\s*==\s*['\"]([^'\"]*)['\"]")
_CLASSIFIED = "License :: OSI Approved :: "
_LONGEST_NAME = 80
"""A field for the name with more characters contains the text of the licence instead."""

_USUAL = ("LICENSE", "licenses/LICENSE", "LICENSE.txt", "COPYING")

_OURS = "notesearch"
_RULE = "=" * 78


@dataclass(frozen=True, slots=True)
class Component:
    """A component of the program; ``inside`` has a line for each part that it contains."""

    name: str
    version: str
    licence: str
    inside: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()


def components() -> tuple[Component, ...]:
    """Return all components, sorted by name, with the program itself first."""
    folder = resources() / "licences"
    entries = tomllib.loads((folder / "components.toml").read_text("utf-8"))
    packages = [
        _package(distribution, entries.pop(_key(distribution.name), {}))
        for distribution in _distributions(_OURS)
    ]
    others = [_component(name, entry) for name, entry in entries.items()]
    bundled = folder / "brought.json"  # written when the program is frozen
    if bundled.is_file():
        bundled_entries = json.loads(bundled.read_text("utf-8"))
        others += [_component(entry["name"], entry) for entry in bundled_entries]
    ours = [part for part in packages if part.name == _OURS]
    rest = [part for part in (*packages, *others) if part.name != _OURS]
    return (*ours, *sorted(rest, key=lambda part: part.name.casefold()))


def licence_text() -> str:
    """Return the list of all components, followed by their licences in full."""
    parts = components()
    lines = ["notesearch and its components", ""]
    lines += [f"{part.name} {part.version}".rstrip() + f": {part.licence}" for part in parts]
    for part in parts:
        lines += ["", _RULE, f"{part.name} {part.version}".rstrip(), part.licence, _RULE, ""]
        lines += part.inside
        lines += [text.strip("\n") + "\n" for text in part.texts]
    return "\n".join(lines) + "\n"


def _distributions(name: str) -> Iterator[metadata.Distribution]:
    waiting = [(name, "")]
    seen = set[tuple[str, str]]()
    while waiting:
        wanted = waiting.pop()
        if wanted in seen:
            continue
        seen.add(wanted)
        key, extra = wanted
        try:
            distribution = metadata.distribution(key)
        except metadata.PackageNotFoundError:
            continue  # required on other systems only
        if not extra:
            yield distribution
        for requirement in distribution.requires or ():
            of_extra = _OF_EXTRA.search(requirement)
            needed = _NEEDED.match(requirement)
            if needed and (of_extra[1] if of_extra else "") == extra:
                other = _key(needed[1])
                extras = (needed[2] or "").split(",")
                waiting += [(other, ""), *((other, name.strip()) for name in extras)]


def _key(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _package(distribution: metadata.Distribution, entry: Mapping[str, Any]) -> Component:
    """Describe an installed package; ``entry`` is what ``resources/licences`` adds about it."""
    files = [
        text
        for name in distribution.metadata.get_all("License-File") or ()
        if (text := _read(distribution, f"licenses/{name}") or _read(distribution, name))
    ]
    # Older packages do not list their licence files.
    files = files or [text for name in _USUAL if (text := _read(distribution, name))]
    files += [
        Path(str(distribution.locate_file(name))).read_text("utf-8", errors="replace")
        for name in entry.get("in_package", ())
    ]
    licence = entry.get("licence") or _licence(distribution)
    return Component(
        distribution.name,
        distribution.version,
        licence,
        tuple(_inside(distribution)),
        (*files, *_texts(entry)),
    )


def _read(distribution: metadata.Distribution, name: str) -> str | None:
    """Return the text (UTF-8 or cp1252) of a file in the package's metadata; None if missing."""
    try:
        return distribution.read_text(name)
    except UnicodeDecodeError:
        files = (
            file for file in distribution.files or () if file.as_posix().endswith(f"-info/{name}")
        )
        return Path(str(next(files).locate())).read_bytes().decode("cp1252", "replace")


def _licence(distribution: metadata.Distribution) -> str:
    fields = distribution.metadata
    short = next(iter(fields.get_all("License-Expression") or fields.get_all("License") or ()), "")
    if short and len(short) <= _LONGEST_NAME and "\n" not in short:
        return short
    classified = [
        line.removeprefix(_CLASSIFIED)
        for line in fields.get_all("Classifier") or ()
        if line.startswith(_CLASSIFIED)
    ]
    return ", ".join(classified) or "see its text"


def _inside(distribution: metadata.Distribution) -> Iterator[str]:
    for file in distribution.files or ():
        if "sboms" not in file.parts:
            continue
        listed = json.loads(file.read_text("utf-8")).get("components", ())
        for part in sorted(listed, key=lambda part: str(part["name"])):
            names = [_licence_name(choice) for choice in part.get("licenses", ())]
            yield f"contains {part['name']} {part.get('version', '')}: {' AND '.join(names)}"


def _licence_name(choice: Mapping[str, Any]) -> str:
    licence = choice.get("license", {})
    return str(choice.get("expression") or licence.get("id") or licence.get("name") or "")


def _component(name: str, entry: Mapping[str, Any]) -> Component:
    return Component(name, str(entry.get("version", "")), entry["licence"], (), _texts(entry))


def _texts(entry: Mapping[str, Any]) -> tuple[str, ...]:
    read = [(resources() / name).read_text("utf-8") for name in entry.get("texts", ())]
    return tuple(text for text in (entry.get("notice", ""), *read) if text)

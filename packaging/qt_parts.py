"""Writes ``qt_base.json``: the third-party code in Qt's libraries, from Qt's own source.

Run it by hand when Qt's version changes: ``qt_parts.py FOLDER``, with the folder of the unpacked
qtbase. Qt makes its page on third-party code from the same ``qt_attribution.json`` files. Parts
that are not in that folder are in ``qt_parts.toml``; ``brought.py`` reads both files.
"""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from places import PACKAGING

TARGET = PACKAGING / "qt_base.json"
MODULES = ("qtcore", "qtgui", "qtdbus", "qtnetwork", "qtwaylandcompositor")
"""Modules of Qt whose parts are listed; Wayland's protocols are under the last one."""
IN_NO_LIBRARY = (
    "android-gradle-wrapper",
    "android-native-style",
    "dejayvu",  # only in Qt for WebAssembly
    "extra-cmake-modules",
    "kwin",
)
OF_SYSTEM = {
    "cocoa-platform-plugin": "darwin",
    "d3d12memoryallocator": "win32",
    "qeventdispatcher_cf": "darwin",
    "rhi-miniengine-d3d12-mipmap": "win32",
}
"""From Qt's name of a part to the only system whose libraries contain it."""


def told(source: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield each part that is shipped, after the folder of its ``qt_attribution.json``."""
    for file in sorted(source.rglob("qt_attribution.json")):
        # These have line ends inside of strings.
        listed = json.loads(file.read_text("utf-8"), strict=False)
        for part in listed if isinstance(listed, list) else [listed]:
            if part["QDocModule"] in MODULES and part["Id"] not in IN_NO_LIBRARY:
                yield file.parent, part


def text_of(source: Path, folder: Path, part: dict[str, Any]) -> str:
    """Return the licence in full, from the part's own files or else from Qt's ``LICENSES``."""
    named = part.get("LicenseFiles") or part.get("LicenseFile") or []
    files = [folder / name for name in ([named] if isinstance(named, str) else named)]
    if not files:
        first = part["LicenseId"].partition(" OR ")[0]
        files = [source / "LICENSES" / f"{name}.txt" for name in re.split(" AND ", first)]
    return "\n\n".join(file.read_text("utf-8").strip() for file in files) + "\n"


def collected(source: Path) -> dict[str, Any]:
    """Return all parts, sorted by name, and the licence texts; a part has the index of its text."""
    parts, texts = [], dict[str, int]()
    for folder, part in told(source):
        copyrights = part.get("Copyright") or (folder / part["CopyrightFile"]).read_text("utf-8")
        lines = copyrights.splitlines() if isinstance(copyrights, str) else copyrights
        entry = {
            "name": part["Name"],
            "version": part.get("Version", ""),
            "licence": part["LicenseId"],
            "copyright": [line.strip() for line in lines if line.strip()],
            "text": texts.setdefault(text_of(source, folder, part), len(texts)),
        }
        if part["Id"] in OF_SYSTEM:
            entry["system"] = OF_SYSTEM[part["Id"]]
        parts.append(entry)
    return {
        "source": source.name,
        "parts": sorted(parts, key=lambda part: part["name"].casefold()),
        "texts": list(texts),
    }


def main() -> int:
    """Read the folder given on the command line and write ``qt_base.json``."""
    found = collected(Path(sys.argv[1]).resolve())
    TARGET.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", "utf-8")
    print(f"{TARGET.name}: {len(found['parts'])} parts, {len(found['texts'])} texts")
    return 0


if __name__ == "__main__":
    sys.exit(main())

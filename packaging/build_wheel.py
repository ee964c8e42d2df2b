"""Builds sdist and wheel twice; if both builds are the same, copies one into ``dist``.

Also checks their contents and, with ``twine``, their metadata. Then installs the wheel into the
clean environment that the other packages are built from.
"""

import shutil
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

from places import BUILD, DIST, ROOT, RUNTIME, epoch, megabytes, run, version

MODEL = "resources/models/all-MiniLM-L6-v2/onnx/model_qint8.onnx"
NEEDED = (
    MODEL,
    "resources/models/all-MiniLM-L6-v2/LICENSE",
    "resources/models/all-MiniLM-L6-v2/tokenizer.json",
    "resources/licences/LGPL-3.0.txt",
    "resources/licences/components.toml",
    "resources/sample-vault/Home.md",
)
"""Files that the wheel must contain, below the package's folder."""
FORBIDDEN = ("tests/", "packaging/", ".venv", "__pycache__", ".git/")
"""Beginnings of paths that must not be in a wheel."""


def build(folder: Path) -> list[Path]:
    """Build the sdist, and the wheel from it, into ``folder``; return both files."""
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT,
        SOURCE_DATE_EPOCH=str(epoch()))  # fmt: skip
    return sorted(folder.iterdir())


def missing(wheel: Path, sdist: Path) -> list[str]:
    """Return a message for each file that an archive lacks or must not contain."""
    held = set(zipfile.ZipFile(wheel).namelist())
    with tarfile.open(sdist) as archive:
        source = {name.partition("/")[2] for name in archive.getnames()}
    wrong = [f"wheel lacks {name}" for name in NEEDED if f"notesearch/{name}" not in held]
    wrong += [f"wheel holds {name}" for name in held if name.startswith(FORBIDDEN)]
    program = [file for file in (ROOT / "notesearch").rglob("*.*") if file.suffix != ".pyc"]
    names = {file.relative_to(ROOT).as_posix() for file in program}
    wrong += [f"wheel lacks {name}" for name in names - held]
    wrong += [
        f"sdist lacks {name}"
        for name in (*names, MODEL, "LICENSE", "CHANGELOG.md", "constraints.txt", "Makefile")
        if name not in source
    ]
    return wrong


def make_runtime(wheel: Path) -> None:
    """Make a virtual environment with the wheel and its dependencies, but without pip."""
    shutil.rmtree(RUNTIME, ignore_errors=True)
    run(sys.executable, "-m", "venv", "--without-pip", RUNTIME)
    run(sys.executable, "-m", "pip", "--python", RUNTIME, "install", "--quiet",
        "--disable-pip-version-check", "--constraint", ROOT / "constraints.txt", wheel)  # fmt: skip


def main() -> int:
    """Build twice, compare, check, and install; 1 if anything is wrong."""
    DIST.mkdir(exist_ok=True)
    BUILD.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as once, tempfile.TemporaryDirectory() as again:
        first, second = build(Path(once)), build(Path(again))
        for one, other in zip(first, second, strict=True):
            if one.read_bytes() != other.read_bytes():
                print(f"Two builds of {one.name} differ.")
                return 1
        for made in first:
            shutil.copyfile(made, DIST / made.name)
    sdist = DIST / f"notesearch-{version()}.tar.gz"
    wheel = DIST / f"notesearch-{version()}-py3-none-any.whl"
    wrong = missing(wheel, sdist)
    if wrong:
        print(*wrong, sep="\n")
        return 1
    print(run(sys.executable, "-m", "twine", "check", "--strict", sdist, wheel).strip())
    make_runtime(wheel)
    for made in (sdist, wheel):
        print(f"{made.relative_to(ROOT)}: {megabytes(made):.1f} MB, the same in two builds")
    return 0


if __name__ == "__main__":
    sys.exit(main())

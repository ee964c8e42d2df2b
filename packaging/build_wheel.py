"""Builds sdist and wheel into ``dist``, twice, and ends with an error where the two differ.

Also checks what they hold and what a package index would say, and makes the clean environment of
the wheel that the other packages are made from.
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
"""What the program opens by name outside of its own folder."""
FORBIDDEN = ("tests/", "packaging/", ".venv", "__pycache__", ".git/")
"""What has no place in a wheel."""


def build(folder: Path) -> list[Path]:
    """Build both into ``folder``, of the wheel from the sdist as installers do it."""
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT,
        SOURCE_DATE_EPOCH=str(epoch()))  # fmt: skip
    return sorted(folder.iterdir())


def missing(wheel: Path, sdist: Path) -> list[str]:
    """Return what should be in the two and is not, and what should not be and is."""
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
    """Make an environment of the wheel alone, without even an installer in it."""
    shutil.rmtree(RUNTIME, ignore_errors=True)
    run(sys.executable, "-m", "venv", "--without-pip", RUNTIME)
    run(sys.executable, "-m", "pip", "--python", RUNTIME, "install", "--quiet",
        "--disable-pip-version-check", "--constraint", ROOT / "constraints.txt", wheel)  # fmt: skip


def main() -> int:
    """Build, compare, check, and install."""
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

"""The folders of notes that are measured on."""

import tarfile
from pathlib import Path

from notesearch.config import resources

EVAL = Path(__file__).resolve().parents[3] / "shared" / "eval"
SAMPLE = resources() / "sample-vault"


def real() -> list[Path]:
    """Return the labelled vaults, or the sample vault where they are absent."""
    names = ("obsidian-tasks-docs", "vue-docs", "rust-book", "oi-wiki")
    found = [EVAL / "vaults" / name for name in names]
    return [vault for vault in found if vault.is_dir()] or [SAMPLE]


def many(work: Path, notes: int) -> Path:
    """Return a folder of about ``notes`` small notes, made once."""
    folder = work / f"many-{notes}"
    if folder.is_dir():
        return folder
    packed = EVAL / "vaults" / "tldr.tar.xz"
    if packed.is_file():
        _unpack(packed, folder, notes)
    else:
        _repeat(folder, notes)
    return folder


def _unpack(packed: Path, folder: Path, notes: int) -> None:
    with tarfile.open(packed) as archive:
        pages = [m for m in archive if m.isfile() and m.name.endswith(".md")]
        for member in sorted(pages, key=lambda m: ("pages/" not in m.name, m.name))[:notes]:
            file = archive.extractfile(member)
            target = folder / member.name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file.read() if file else b"")


def _repeat(folder: Path, notes: int) -> None:
    sample = sorted(SAMPLE.rglob("*.md"))
    for number in range(notes):
        source = sample[number % len(sample)]
        target = folder / f"{number // 500}" / f"{source.stem} {number}.md"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(f"{source.read_text('utf-8')}\n\nCopy {number}.\n", "utf-8")

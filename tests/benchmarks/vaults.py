"""The folders of notes for the benchmarks."""

import itertools
import tarfile
from collections.abc import Sequence
from pathlib import Path

from notesearch.config import resources

EVAL = Path(__file__).resolve().parents[3] / "shared" / "eval"
SAMPLE = resources() / "sample-vault"
_TLDR = EVAL / "vaults" / "tldr.tar.xz"


def real() -> list[Path]:
    """Return the labelled vaults, or the sample vault where they are absent."""
    names = ("obsidian-tasks-docs", "vue-docs", "rust-book", "oi-wiki")
    found = [EVAL / "vaults" / name for name in names]
    return [vault for vault in found if vault.is_dir()] or [SAMPLE]


def english() -> list[Path]:
    """Return the labelled vaults in English, or the sample vault."""
    return real()[:3]


def others() -> list[Path]:
    """Return the labelled vaults in other languages: one, in Chinese."""
    return real()[3:]


def many(work: Path, notes: int) -> Path:
    """Return a folder of about ``notes`` small notes, made once."""
    folder = work / f"many-{notes}"
    if folder.is_dir():
        return folder
    if _TLDR.is_file():
        _unpack(_TLDR, folder, notes)
    else:
        _repeat([SAMPLE], folder, 1 + notes // len(list(SAMPLE.rglob("*.md"))))
    return folder


PAGES, COPY = 1.4, 4_500
"""The passages, about, of a page of tldr, and of one copy of the documentation."""


CHARACTERS = 617
"""The characters, about, of a passage of made-up notes."""


def large(work: Path, passages: int) -> Path:
    """Return a folder with about ``passages`` passages, made once.

    Half of them are from small pages of tldr, in up to 37 languages, so that a word is looked for
    by the stems of all these. The others are from copies of documentation, so that its words are
    common. Without the pages of tldr, all notes are made up.
    """
    folder = work / f"large-{passages}"
    if not _TLDR.is_file():
        from tests.benchmarks import synthetic

        return synthetic.fill(folder, passages * CHARACTERS / 1e6)
    if not folder.is_dir():
        _unpack(_TLDR, folder / "tldr", int(passages / 2 / PAGES))
        _repeat(english(), folder, max(1, passages // 2 // COPY))
    return folder


def _unpack(packed: Path, folder: Path, notes: int) -> None:
    """Unpack ``notes`` pages, the English ones first; read the archive in its own order."""
    with tarfile.open(packed, "r|xz") as archive:
        pages = [m.name for m in archive if m.isfile() and m.name.endswith(".md")]
    wanted = frozenset(sorted(pages, key=lambda name: ("pages/" not in name, name))[:notes])
    with tarfile.open(packed, "r|xz") as archive:
        for member in archive:
            if member.name in wanted and (file := archive.extractfile(member)):
                target = folder / member.name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(file.read())


def _repeat(vaults: Sequence[Path], folder: Path, copies: int) -> None:
    for vault, number in itertools.product(vaults, range(copies)):
        for source in sorted(vault.rglob("*.md")):
            target = folder / f"copy {number}" / vault.name / source.relative_to(vault)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source.read_bytes() + f"\n\nCopy {number}.\n".encode())

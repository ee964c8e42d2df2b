"""Folders of made-up notes, large ones in seconds: the same seed makes the same text."""

import itertools
import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

_SYLLABLES = "ka ro mi ten lu sar bo ne vi dor ash el um pre tan gli hos ur fen qua".split()
_WORDS = 20_000
_SENTENCES = 20_000
_PER_SECTION = 17
_A_FOLDER = 200


def sentences(seed: int) -> list[str]:
    """Return sentences of a made-up language; as in any language, few words are frequent."""
    chance = random.Random(seed)
    words = ["".join(chance.choices(_SYLLABLES, k=chance.randrange(1, 5))) for _ in range(_WORDS)]
    frequencies = list(itertools.accumulate(1 / rank for rank in range(1, _WORDS + 1)))
    return [
        " ".join(chance.choices(words, cum_weights=frequencies, k=12)).capitalize() + "."
        for _ in range(_SENTENCES)
    ]


def texts(seed: int, sections: int = 3) -> Iterator[str]:
    """Return notes without end: a title, and some 1,350 characters below each heading."""
    chance = random.Random(seed)
    known = sentences(seed)
    for number in itertools.count():
        parts = (
            f"## {chance.choice(known)[:40]}\n\n{' '.join(chance.choices(known, k=_PER_SECTION))}\n"
            for _ in range(sections)
        )
        yield f"# Note {number}\n\n" + "\n".join(parts)


def path_of(number: int) -> str:
    """Return the path of the note with this number."""
    return f"{number // _A_FOLDER:03}/note {number}.md"


def fill(vault: Path, notes: int, seed: int) -> None:
    """Write ``notes`` notes."""
    for number, text in zip(range(notes), texts(seed), strict=False):
        file = vault / path_of(number)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def git(vault: Path, *words: str) -> str:
    """Run git in ``vault`` without the user's settings; return its output."""
    quiet = (
        "-c",
        "user.name=n",
        "-c",
        "user.email=n@localhost",
        "-c",
        "gc.auto=0",
        "-c",
        "core.compression=0",
    )
    command = ["git", *quiet, *words]
    return subprocess.run(command, cwd=vault, check=True, capture_output=True, text=True).stdout


def two_branches(vault: Path, notes: int) -> None:
    """Make a repository whose branches ``one`` and ``two`` differ in the text of every note.

    The branch ``one`` is checked out.
    """
    if not shutil.which("git"):
        pytest.skip("git is not installed")
    git(vault, "init", "--quiet", "--initial-branch", "one")
    for seed, branch in enumerate(("one", "two"), start=1):
        if branch != "one":
            git(vault, "checkout", "--quiet", "-b", branch)
        fill(vault, notes, seed)
        git(vault, "add", "--all")
        git(vault, "commit", "--quiet", "--message", branch)
    git(vault, "checkout", "--quiet", "one")


def switch(vault: Path) -> None:
    """Check out the other branch."""
    now = git(vault, "rev-parse", "--abbrev-ref", "HEAD").strip()
    git(vault, "checkout", "--quiet", "two" if now == "one" else "one")

"""Measures other programs that people use for the same work, if they are installed.

``recollindex`` and ``recollq`` (Recoll), ``qmd`` and ``rg`` are looked for on the search path; the
table says which are missing. Each runs in turn with ours, on the same folder.
"""

import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from notesearch.config import BUILTIN_MODEL, Paths, Settings, resources
from notesearch.embedding.model_loader import load_embedder
from notesearch.library import NoteLibrary
from tests.benchmarks import synthetic, vaults
from tests.benchmarks.measured import Figure, spread
from tests.benchmarks.searching import AsIfReal

ROUNDS = 3
STARTS = 9
TLDR = 38_000
OBSIDIAN_LIKE = 15
"""Megabytes of more than 5,000 notes, each as long as a part of a real note."""

_PART = 1_700
_EMPTY = 0.01
_COLD_WORDS_MS, _COLD_HYBRID_MS = 250, 450
_QUERY = "install component template"
_OURS = (sys.executable, "-m", "notesearch")


def compare(work: Path) -> Iterator[Figure]:
    """Index two folders from nothing, and answer one query from a cold start."""
    work = work.resolve()
    small = synthetic.fill(work / "obsidian-like", OBSIDIAN_LIKE, _PART)
    yield from _indexed(work, small)
    yield from _answered(work, small)
    yield from _indexed(work, vaults.many(work, TLDR))


def _indexed(work: Path, vault: Path) -> Iterator[Figure]:
    """Make words searchable from nothing, each program in its turn."""
    home, theirs, qmd = work / "peer ours", work / "peer recoll", work / "peer qmd"

    def fresh_ours() -> None:
        _emptied(home)
        Settings(vault=str(vault), meaning=False).save(Paths.choose(home))

    def fresh_recoll() -> None:
        _emptied(theirs)
        (theirs / "recoll.conf").write_text(f"topdirs = {vault}\n", encoding="utf-8")

    runs = {
        "ours": (fresh_ours, (*_OURS, "index", "--vault", str(vault)), _at_home(home)),
        "recollindex": (fresh_recoll, ("recollindex", "-c", str(theirs)), {}),
        "qmd collection add": (
            lambda: _emptied(qmd),
            ("qmd", "collection", "add", str(vault), "--name", "bench"),
            _of_qmd(qmd),
        ),
        "rg": (lambda: None, ("rg", "--count", "zzzqqq", str(vault)), {}),
    }
    took = _in_turns(runs, ROUNDS)
    files = list(vault.rglob("*.md"))
    size = sum(file.stat().st_size for file in files) / 1e6
    where = f"{vault.name}: {len(files):,} notes, {size:.1f} MB, processes and all"
    for peer in ("recollindex", "qmd collection add", "rg"):
        yield _compared("words searchable, from nothing", "ours", peer, took, where)
    yield _sized(home, theirs, size, where)


def _sized(home: Path, theirs: Path, megabytes: float, where: str) -> Figure:
    """Return the sizes of both indexes of words, in bytes for each byte of notes."""
    ours, recolls = (
        sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6 / megabytes
        for folder in (home, theirs)
    )
    name, peer = "bytes of words alone per byte of notes", "recollindex"
    if recolls < _EMPTY:
        return Figure(name, f"{ours:.2f}", note=where, peer=peer, peers="not installed")
    return Figure(name, f"{ours:.2f}", "", where, None, peer, f"{recolls:.2f}", ours / recolls)


def _answered(work: Path, vault: Path) -> Iterator[Figure]:
    """Time one query from the start of a process to its end, by words and by both."""
    home, theirs, qmd = work / "peer cold", work / "peer recoll", work / "peer qmd"
    embedder = AsIfReal(load_embedder(BUILTIN_MODEL, resources() / "models"))
    settings = Settings(vault=str(vault))
    with NoteLibrary.open(vault, home=home, settings=settings, embedder=embedder) as library:
        library.refresh()
    settings.save(Paths.choose(home))
    search = (*_OURS, "search", _QUERY, "--json", "--vault", str(vault))
    runs = {
        "words": (_nothing, (*search, "--mode", "words"), _at_home(home)),
        "hybrid": (_nothing, search, _at_home(home)),
        "python -c pass": (_nothing, (sys.executable, "-c", "pass"), {}),
        "qmd search": (_nothing, ("qmd", "search", _QUERY, "--json"), _of_qmd(qmd)),
        "recollq": (_nothing, ("recollq", "-c", str(theirs), "-n", "10", _QUERY), {}),
    }
    took = _in_turns(runs, STARTS)
    where = f"{vault.name}, {STARTS} starts, the folder compared first"
    for mode, limit in (("words", _COLD_WORDS_MS), ("hybrid", _COLD_HYBRID_MS)):
        for peer in ("python -c pass", "qmd search", "recollq"):
            name = f"a cold `search --json`, {mode}"
            yield _compared(name, mode, peer, took, where, limit / 1000)


def _compared(
    name: str,
    ours: str,
    peer: str,
    took: Mapping[str, Sequence[float]],
    where: str,
    limit: float | None = None,
) -> Figure:
    """Compare our times with a peer; without ``limit``, its median is the goal (not for ``rg``)."""
    mine = statistics.median(took[ours])
    value = spread(took[ours], "s", 2)
    goal = "" if limit is None else f"<= {limit:.2f} s"
    met = None if limit is None else mine <= limit
    if peer not in took:
        why = "failed here" if shutil.which(peer.split(maxsplit=1)[0]) else "not installed"
        return Figure(name, value, goal, where, met, peer, why)
    other = statistics.median(took[peer])
    if limit is None and peer != "rg":
        goal, met = "not slower", mine <= other
    theirs = spread(took[peer], "s", 2)
    return Figure(name, value, goal, where, met, peer, theirs, mine / other)


Run = tuple[Callable[[], None], Sequence[str], Mapping[str, str]]


def _in_turns(runs: Mapping[str, Run], rounds: int) -> dict[str, list[float]]:
    """Run each installed command in its turn; return the seconds of all rounds.

    A peer that fails has no seconds (qmd refuses a folder because of one note named ``!.md``).
    """
    took: dict[str, list[float]] = {}
    failed: set[str] = set()
    for _ in range(rounds):
        for name, (prepare, command, environment) in runs.items():
            if name in failed or not shutil.which(command[0]):
                continue
            prepare()
            started = time.perf_counter()
            done = subprocess.run(
                command, env={**os.environ, **environment}, capture_output=True, check=False
            )
            if not done.returncode or command[0] == "rg":
                took.setdefault(name, []).append(time.perf_counter() - started)
            elif command[: len(_OURS)] == _OURS:
                raise SystemExit(f"{' '.join(command)}: {done.stderr.decode()[-500:]}")
            else:
                failed.add(name)
                took.pop(name, None)
    return took


def _emptied(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)


def _nothing() -> None:
    """Prepare nothing: the index is there."""


def _at_home(home: Path) -> dict[str, str]:
    return {"NOTESEARCH_HOME": str(home), "NO_COLOR": "1"}


def _of_qmd(home: Path) -> dict[str, str]:
    places = {name: str(home / name) for name in ("cache", "config", "data")}
    return {"HOME": str(home), **{f"XDG_{k.upper()}_HOME": v for k, v in places.items()}}

"""Runs labelled queries through ``NoteLibrary`` and prints figures from the answers' ranks.

    python -m tests.quality.evaluate [--sets vue-docs,rust-book] [--modes words,hybrid]
        [--levels typed] [--ask context] [--model NAME] [--misses] [--save FILE] [--against FILE]

Indexes are kept under ``--home`` for the next run. An absent set is named and left out.
"""

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from notesearch.config import BUILTIN_MODEL, Paths, Settings
from notesearch.embedding.model_folder import folder_name
from notesearch.library import NoteLibrary
from tests.quality import report, runs
from tests.quality.labels import LEVELS, SETS, tasks


def evaluate(chosen: argparse.Namespace) -> Iterator[runs.Run]:
    """Index each chosen set, then yield its runs as they are done."""
    home = Path(chosen.home)
    for name in chosen.sets:
        found = list(tasks(name, chosen.levels))
        if not found:
            print(f"{name}: absent, or without that level; left out")
            continue
        settings = replace(Settings.load(Paths.choose(home)), model=_model(chosen.model))
        with NoteLibrary.open(found[0].vault(home), home=home, settings=settings) as library:
            _refresh(library, name)
            for task in found:
                for mode in chosen.modes:
                    yield from (runs.run(library, task, mode, way) for way in chosen.ask)


def _model(name: str) -> str:
    """Return a name that finds the model from any home: an installed one by its folder."""
    installed = Paths.choose().models / folder_name(name)
    return str(installed) if installed.is_dir() else name


def _refresh(library: NoteLibrary, name: str) -> None:
    started = time.monotonic()
    done = library.refresh()
    if done.added or done.changed or done.removed or done.embedded:
        took = time.monotonic() - started
        print(f"{name}: {done.embedded} passages embedded, indexed in {took:.0f} s", flush=True)


def compare(before: Sequence[runs.Run], after: Sequence[runs.Run]) -> Iterator[str]:
    """Yield the comparison of the runs that are in both."""
    old = {run.key: run for run in before}
    for run in after:
        if run.key in old and run.outcomes:
            yield from report.comparison(old[run.key], run)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sets", type=_Names(SETS), default=SETS, help=", ".join(SETS))
    parser.add_argument("--levels", type=_Names(LEVELS), default=LEVELS, help=", ".join(LEVELS))
    parser.add_argument("--modes", type=_Names(runs.MODES), default=runs.MODES)
    parser.add_argument("--ask", type=_Names(runs.WAYS), default=("text",), help="text, context")
    parser.add_argument("--model", default=BUILTIN_MODEL, help="an installed one, or a folder")
    parser.add_argument("--misses", action="store_true", help="list queries not answered first")
    parser.add_argument("--home", default="build/eval", help="where indexes are kept")
    parser.add_argument("--save", type=Path, help="write this evaluation as JSON")
    parser.add_argument("--load", type=Path, help="show a saved run instead of searching")
    parser.add_argument("--against", type=Path, help="compare with a saved run, by query")
    return parser.parse_args()


class _Names:
    """Reads known names, separated by commas."""

    def __init__(self, known: Sequence[str]) -> None:
        self._known = known

    def __call__(self, text: str) -> tuple[str, ...]:
        names = tuple(text.split(","))
        unknown = sorted(set(names) - set(self._known))
        if unknown:
            raise argparse.ArgumentTypeError(f"{unknown} not in {', '.join(self._known)}")
        return names


def main() -> None:
    """Print the figures, then the comparison."""
    chosen = _arguments()
    before = runs.load(chosen.against) if chosen.against else []
    done: list[runs.Run] = []
    print(report.heading())
    for run in runs.load(chosen.load) if chosen.load else evaluate(chosen):
        done.append(run)
        for line in report.table(run):
            print(line, flush=True)
        if chosen.misses:
            print(*report.misses(run), sep="\n", flush=True)
    print(*report.pooled(done), *report.averages(done), sep="\n")
    if chosen.save:
        runs.save(done, chosen.save)
    if before:
        print(*compare(before, done), sep="\n")


if __name__ == "__main__":
    main()

"""The parts of a run; if a part fails, the others run nevertheless."""

import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.measured import Figure

TOOK = "took.json"


@dataclass(frozen=True, slots=True)
class Part:
    """Figures that are measured together.

    Attributes:
        minutes: How long that takes, about, in the first run, which makes all files.
        run: Measures the figures and yields them.
    """

    minutes: float
    run: Callable[[], Iterator[Figure]]


class PartRunner:
    """Runs parts, and prints progress and the remaining time on standard error."""

    def __init__(self, parts: dict[str, Part], work: Path) -> None:
        """Take the parts; the folder ``work`` has the times of the last run."""
        self._parts = parts
        self._kept = work / TOOK
        known = json.loads(self._kept.read_text("utf-8")) if self._kept.exists() else {}
        self._minutes = {name: known.get(name, part.minutes) for name, part in parts.items()}
        self.failed: list[str] = []

    def run(self, names: Sequence[str]) -> Iterator[Figure]:
        """Run the parts of these ``names``."""
        for number, name in enumerate(names, 1):
            left = sum(self._minutes[each] for each in names[number - 1 :])
            _tell(
                f"-- {name} ({number} of {len(names)}), about {self._minutes[name]:.0f} minutes;"
                f" all that is left about {left:.0f}"
            )
            began = time.monotonic()
            try:
                for figure in self._parts[name].run():
                    _tell(f"{figure.name}: {figure.value}  {figure.peer} {figure.peers}".rstrip())
                    yield figure
            except Exception as error:  # noqa: BLE001 - the other parts run nevertheless
                self.failed.append(f"{name}: {type(error).__name__}: {error}")
                _tell(self.failed[-1])
                yield Figure(name, "failed", note=str(error).replace("|", " ").splitlines()[0])
            else:
                self._minutes[name] = round((time.monotonic() - began) / 60, 2)
                self._kept.write_text(json.dumps(self._minutes, indent=1), encoding="utf-8")


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)

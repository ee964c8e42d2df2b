"""The goals in their order, and a table that shows the figures of goals first."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tests.benchmarks.measured import Figure, table

_INDEX, _COLD = "words searchable, from nothing", "a cold `search --json`"


@dataclass(frozen=True, slots=True)
class Goal:
    """A goal, which concerns one or several figures.

    Attributes:
        name: The beginning of the name of each of its figures.
        goal: A part of ``goal`` of each of its figures; may be empty.
        where: The beginning of ``note`` of each of its figures; may be empty.
    """

    name: str
    goal: str = ""
    where: str = ""

    def is_of(self, figure: Figure) -> bool:
        """Return whether this goal concerns ``figure``."""
        return (
            figure.name.startswith(self.name)
            and self.goal in figure.goal
            and figure.note.startswith(self.where)
        )


GOALS = (
    Goal(_INDEX, where="obsidian-like"),
    Goal(_INDEX, where="many-38000"),
    Goal("passages embedded, of torch's speed"),
    Goal("embedding, of a bare loop's speed"),
    Goal("save to found by words"),
    Goal("save to found by meaning"),
    Goal("nothing changed, compared"),
    Goal("search, words", "<= 20 ms"),
    Goal("search, hybrid", "<= 40 ms"),
    Goal("top ten as the exact scan's"),
    Goal(f"{_COLD}, words"),
    Goal(f"{_COLD}, hybrid"),
    Goal("exec to first paint"),
    Goal("exec to first list by words and meaning"),
    Goal("memory of the window, the index there"),
    Goal("memory of the window, while it indexes"),
    Goal("memory of the MCP server"),
    Goal("index bytes per byte of notes"),
    Goal("lateness of the event loop while indexing and typing"),
)


def first(figures: Sequence[Figure], *, whole: bool) -> str:
    """Return the table, figures of goals first; of a ``whole`` run, with goals without a figure."""
    rows: list[Figure] = []
    for goal in GOALS:
        told = [figure for figure in figures if goal.is_of(figure)]
        if not told and whole:
            told = [Figure(f"{goal.name} {goal.where}".strip(), "not measured", goal.goal)]
        rows += [figure for figure in told if figure not in rows]
    return table([*rows, *(figure for figure in figures if figure not in rows)])


def missed(figures: Iterable[Figure]) -> list[str]:
    """Return a line for each figure that misses its goal."""
    return [f"{f.name}: {f.value}, goal {f.goal}" for f in figures if f.met is False]

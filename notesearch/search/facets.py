"""Facets of a result: filters that would narrow it, with the number of its sections that stay."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import PurePosixPath

from notesearch.notes import Feature
from notesearch.results import Facet
from notesearch.store.rows import LabelledSection

_MOST = 6
_KINDS = {
    Feature.TODO: "task:todo",
    Feature.DONE: "task:done",
    Feature.TABLE: "has:table",
    Feature.CODE: "has:code",
    Feature.IMAGE: "has:image",
    Feature.LINK: "has:link",
}


def facets(rows: Sequence[LabelledSection]) -> tuple[tuple[Facet, ...], ...]:
    """Return the filters that keep some of the sections ``rows``, but not all.

    Four groups: tags, folders, kinds of content, years. The most frequent come first, of years the
    newest; at most six of each.
    """
    groups = [_counted(rows, labels) for labels in (_tags, _folders, _kinds, _years)]
    groups[-1].sort(key=lambda facet: facet.filter, reverse=True)
    kept = (tuple(one for one in group if one.count < len(rows)) for group in groups)
    return tuple(group[:_MOST] for group in kept if group)


def _counted(
    rows: Iterable[LabelledSection], labels: Callable[[LabelledSection], Iterable[str]]
) -> list[Facet]:
    counts = Counter(label for row in rows for label in labels(row))
    found = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    return [Facet(label, count) for label, count in found]


def _tags(row: LabelledSection) -> Iterable[str]:
    return (f"tag:{tag}" for tag in row.tags)


def _folders(row: LabelledSection) -> Iterable[str]:
    for folder in PurePosixPath(row.path).parents:
        if folder.name:
            quote = '"' if " " in str(folder) else ""
            yield f"path:{quote}/{folder}/{quote}"


def _kinds(row: LabelledSection) -> Iterable[str]:
    return (filter_ for feature, filter_ in _KINDS.items() if row.features & feature)


def _years(row: LabelledSection) -> Iterable[str]:
    return (f"after:{row.year} before:{row.year + 1}",) if 1 <= row.year < 9999 else ()

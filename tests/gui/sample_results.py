"""Sample results for the list and the preview; ``*stars*`` stand around what matches."""

from notesearch.notes import Span
from notesearch.results import Marked, Mode, NoteResult, SearchResult, SectionResult, Why


def marked(text: str) -> Marked:
    """Return the text without its stars, and what stood between them as marks."""
    plain, marks = "", list[Span]()
    for number, part in enumerate(text.split("*")):
        if number % 2:
            marks.append((len(plain), len(plain) + len(part)))
        plain += part
    return Marked(plain, tuple(marks))


def section(
    path: str, breadcrumb: str, snippet: str = "Some text", *, line: int = 1, related: bool = False
) -> SectionResult:
    """Return a section of the note at ``path``; ``>`` separates the headings of ``breadcrumb``."""
    crumbs = tuple(marked(heading.strip()) for heading in breadcrumb.split(">"))
    return SectionResult(
        path=path,
        title=title(path),
        section=crumbs[-1].text,
        section_path=tuple(crumb.text for crumb in crumbs),
        breadcrumb=crumbs,
        level=2,
        line=line,
        end_line=line + 5,
        snippet=marked(snippet),
        passage="",
        score=1.0,
        chunk_index=0,
        total_chunks=1,
        why=Why(None, 1) if related else Why(1, 1, ("body",)),
    )


def title(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md")


def note(path: str, *breadcrumbs: str, modified: float = 1_700_000_000.0) -> NoteResult:
    """Return a note with sections; those whose breadcrumb ends in ``~`` match by meaning only."""
    sections = tuple(
        section(path, breadcrumb.rstrip("~"), line=10 * n, related=breadcrumb.endswith("~"))
        for n, breadcrumb in enumerate(breadcrumbs, start=1)
    )
    return NoteResult(path, title(path), 1.0, (), "", modified, 100, sections)


def result(
    query: str,
    *notes: NoteResult,
    mode: Mode = Mode.HYBRID,
    total: int = 0,
    took_ms: float = 1.0,
    missing: tuple[str, ...] = (),
) -> SearchResult:
    sections = tuple(section for note in notes for section in note.sections)
    return SearchResult(
        query=query,
        mode=mode,
        took_ms=took_ms,
        total=total or len(sections),
        notes=notes,
        sections=sections,
        meaning=True,
        missing=missing,
    )

"""Parsed queries written as text, for tables."""

from datetime import date

from notesearch.search.query import Either, Every, Filter, Query, Tree, Without

TODAY = date(2026, 4, 15)


def shown(query: Query) -> str:
    """Write a parsed query for a table.

    Phrases are quoted, prefixes have a star, alternatives a slash, required clauses a "!".
    """
    groups = [" / ".join(map(tree, group)) for group in query.groups]
    return " | ".join([*groups, *(f"! {' / '.join(map(tree, c))}" for c in query.required)])


def tree(part: Tree) -> str:
    """Write one part of a query."""
    if isinstance(part, Without):
        return f"NOT {tree(part.part)}"
    if isinstance(part, Filter):
        return part.text
    if isinstance(part, Either | Every):
        return f"({' '.join(map(tree, part.parts))})"
    text = f'"{part.text}"' if part.phrase else part.text
    return f"{text}*" if part.prefix else text

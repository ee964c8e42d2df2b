"""What a piece of Markdown has in it beside text: links, images, tables, tasks."""

import re
from collections.abc import Collection
from pathlib import PurePosixPath

from notesearch.markdown.plain import without_code
from notesearch.notes import Feature

_ADDRESS = re.compile(r"https?://\S|<(?:[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]|[^\s<>@]+@[^\s<>@])")
_WIKILINK = re.compile(r"(!?)\[\[([^\[\]|#\n]+)")
_BRACKETED = re.compile(r"(!?)\[([^\[\]]*)\](\(|\[)?")
_HTML = {
    Feature.IMAGE: re.compile(r"<img[\s/>]", re.IGNORECASE),
    Feature.LINK: re.compile(r"<a\s", re.IGNORECASE),
    Feature.TABLE: re.compile(r"<table[\s>]", re.IGNORECASE),
}
_IMAGES = {".avif", ".bmp", ".gif", ".jpeg", ".jpg", ".png", ".svg", ".webp"}


def inline_features(source: str, references: Collection[str] = ()) -> Feature:
    """Return what inline Markdown has in it; what stands in code does not count.

    Args:
        source: Of a paragraph, list item, cell or heading.
        references: Normalised labels of the note's link reference definitions.
    """
    if "[" not in source and "<" not in source and "://" not in source:
        return Feature.NONE
    source = without_code(source)
    found = Feature.LINK if _ADDRESS.search(source) else Feature.NONE
    if "<" in source:
        found |= html_features(source)
    if "[" not in source:
        return found
    for embedded, target in _WIKILINK.findall(source):
        is_image = embedded and PurePosixPath(target.strip()).suffix.lower() in _IMAGES
        found |= Feature.IMAGE if is_image else Feature.LINK
    for part in (source, _BRACKETED.sub("", source)):  # an image may stand inside of a link
        for image, label, opened in _BRACKETED.findall(part):
            if opened or " ".join(label.split()).lower().upper() in references:
                found |= Feature.IMAGE if image else Feature.LINK
    return found


def html_features(source: str) -> Feature:
    """Return what HTML has in it."""
    found = Feature.NONE
    for feature, pattern in _HTML.items():
        if pattern.search(source):
            found |= feature
    return found


def task_feature(mark: str) -> Feature:
    """Return whether a task with this between its brackets is to do, done, or neither."""
    if mark == "-":  # given up
        return Feature.NONE
    return Feature.TODO if mark in " /" else Feature.DONE

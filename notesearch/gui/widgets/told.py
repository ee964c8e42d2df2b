"""What the library says, in English, as the windows say it: in the user's language where known."""

import re
from functools import cache

from PySide6.QtCore import QT_TRANSLATE_NOOP

from notesearch.gui.translation import translate

_MARKED = (
    QT_TRANSLATE_NOOP(
        "library",
        "“{name}” in {file} should look like {example}, a whole number from {least} to {most}.",
    ),
    QT_TRANSLATE_NOOP("library", "“{name}” in {file} should look like {some} or {other}."),
    QT_TRANSLATE_NOOP("library", "“{name}” in {file} should look like {example}."),
    QT_TRANSLATE_NOOP("library", "“{path}” cannot be read: {reason}."),
    QT_TRANSLATE_NOOP("library", "“{path}” is not in the notes folder."),
    QT_TRANSLATE_NOOP("library", "“{path}” was moved or deleted since the last update."),
    QT_TRANSLATE_NOOP("library", "A check found the index damaged; it was made again."),
    QT_TRANSLATE_NOOP(
        "library", "Another notesearch is indexing this folder; this one only searches."
    ),
    QT_TRANSLATE_NOOP(
        "library", "Another notesearch repairs the index; this one goes on after that."
    ),
    QT_TRANSLATE_NOOP("library", "It cannot be read: {reason}."),
    QT_TRANSLATE_NOOP(
        "library", "It is a link to a folder that holds this one: it is not followed."
    ),
    QT_TRANSLATE_NOOP("library", "It is a link to a folder that is searched already."),
    QT_TRANSLATE_NOOP("library", "It is a link to a note that is searched already."),
    QT_TRANSLATE_NOOP("library", "It is a link to another file; links are not followed."),
    QT_TRANSLATE_NOOP("library", "It is a link to another folder; links are not followed."),
    QT_TRANSLATE_NOOP("library", "It is a link to nothing that is there now."),
    QT_TRANSLATE_NOOP("library", "It is not a text file."),
    QT_TRANSLATE_NOOP("library", "It is not an ordinary file."),
    QT_TRANSLATE_NOOP(
        "library", "It is not valid {name}: some characters cannot be read. The rest is searched."
    ),
    QT_TRANSLATE_NOOP("library", "It is too large ({size}; the limit is {limit})."),
    QT_TRANSLATE_NOOP("library", "It was read as {name}, not UTF-8."),
    QT_TRANSLATE_NOOP("library", "It was read as UTF-16, which it does not say itself."),
    QT_TRANSLATE_NOOP("library", "Its name is not valid Unicode. Rename the file."),
    QT_TRANSLATE_NOOP("library", "No section fulfils “{filter}”. There is {near}."),
    QT_TRANSLATE_NOOP("library", "No section fulfils “{filter}”."),
    QT_TRANSLATE_NOOP("library", "Searching by meaning is off in the settings."),
    QT_TRANSLATE_NOOP(
        "library",
        "The folder cannot be watched ({reason}): changes are found by comparing it from time to"
        " time.",
    ),
    QT_TRANSLATE_NOOP("library", "The index {file} cannot be deleted: {reason}."),
    QT_TRANSLATE_NOOP(
        "library", "The index {file} cannot be opened or written. Check that you may write there."
    ),
    QT_TRANSLATE_NOOP(
        "library", "The index {file} is damaged and is made again. Your notes are not affected."
    ),
    QT_TRANSLATE_NOOP("library", "The index {file} is not complete and is made again."),
    QT_TRANSLATE_NOOP("library", "The index {file} was made by another version and is made again."),
    QT_TRANSLATE_NOOP("library", "The index file was deleted or replaced and is made again."),
    QT_TRANSLATE_NOOP("library", "The index folder {folder} cannot be made: {reason}."),
    QT_TRANSLATE_NOOP("library", "The index folder {folder} cannot be written: {reason}."),
    QT_TRANSLATE_NOOP("library", "The index is in use by another program. Try again."),
    QT_TRANSLATE_NOOP("library", "The name of another note looks the same."),
    QT_TRANSLATE_NOOP("library", "The notes folder {folder} cannot be opened: {reason}."),
    QT_TRANSLATE_NOOP(
        "library",
        "The notes folder {folder} is empty, but it held {count} notes before. If they were"
        " deleted, run “notesearch index” twice.",
    ),
    QT_TRANSLATE_NOOP(
        "library",
        "The notes folder {folder} holds other notes, but it held {count} notes before. If they"
        " were deleted, run “notesearch index” twice.",
    ),
    QT_TRANSLATE_NOOP("library", "The notes folder {folder} is not there now."),
    QT_TRANSLATE_NOOP("library", "The settings in {file} cannot be read ({reason})."),
    QT_TRANSLATE_NOOP("library", "The settings in {file} cannot be written: {reason}."),
    QT_TRANSLATE_NOOP(
        "library", "There is no space left for the index in {folder}. Free some and try again."
    ),
    QT_TRANSLATE_NOOP("library", "There is not enough memory for it."),
    QT_TRANSLATE_NOOP(
        "library", "There is not enough memory for this. The index stays as it was; try again."
    ),
    QT_TRANSLATE_NOOP("library", "This folder cannot be listed: {reason}."),
    QT_TRANSLATE_NOOP("library", "code; needs the extra"),
    QT_TRANSLATE_NOOP("library", "larger, English"),
    QT_TRANSLATE_NOOP("library", "small, 50 languages"),
    QT_TRANSLATE_NOOP("library", "a reranker, English"),
    QT_TRANSLATE_NOOP("library", "a reranker"),
    QT_TRANSLATE_NOOP("library", "{count} numbers, {pieces} word pieces, {files}"),
    QT_TRANSLATE_NOOP(
        "library",
        "The hub cannot be reached or answers wrongly; what has arrived is kept ({reason}).",
    ),
    QT_TRANSLATE_NOOP(
        "library", "There is no model “{name}” on the hub, or it asks for an account."
    ),
    QT_TRANSLATE_NOOP(
        "library",
        "{name} has no ONNX file: it needs the extra “{extra}”, about 1.2 GB; install it first.",
    ),
    QT_TRANSLATE_NOOP("library", "{file} of {name} is not as it was published; try again."),
    QT_TRANSLATE_NOOP("library", "{name} is in use; choose another one first."),
    QT_TRANSLATE_NOOP("library", "It takes more than five minutes, and was given up."),
    QT_TRANSLATE_NOOP(
        "library",
        "The embedding model in {folder} has no ONNX file and no safetensors file. Weights of other"
        " kinds can hold programs and are not read.",
    ),
)

SENTENCES = tuple(str(one) for one in _MARKED)
"""What is said often; where a place is named, the library puts something else each time."""

_ENDS = tuple((one, one.partition("{")[0], one.rpartition("}")[2]) for one in SENTENCES)
"""Each with what stands before its first name and after its last; all of it where it has none."""


def told(sentence: str) -> str:
    """Return what the library says in the user's language; as it is where it is not known."""
    for english, start, end in _ENDS:
        # Most are not the one, and to make patterns of all of them takes 30 ms.
        if sentence.startswith(start) and sentence.endswith(end):
            found = _pattern(english).fullmatch(sentence)
            if found:
                return translate("library", english).format(**found.groupdict())
    return sentence


@cache
def _pattern(english: str) -> re.Pattern[str]:
    """Return what finds ``english`` with anything in the place of its names."""
    parts = re.split(r"\{(\w+)\}", english)
    named = (f"(?P<{p}>.+)" if at % 2 else re.escape(p) for at, p in enumerate(parts))
    return re.compile("".join(named), re.DOTALL)

"""Finds the date of a note: in its properties, or in the name of its file."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from notesearch.markdown.sections.written_dates import period, start_of
from notesearch.notes import Property

_DAY_NAME = re.compile(r"[^\W\d_]{3}|\d([.-])\d{1,2}\1\d")
"""A month's name, or three numbers. Without it, the name of a file is hardly a day."""

_SINCE_1970 = re.compile(r"\d{10}|\d{13}")
_IN_NAME = re.compile(
    r"""(?:(?<![\d.])|(?<=[^\W\d]\.))(\d{4})([-_.\x20])(\d\d)\2(\d\d)(?!\d)  # anywhere in the name
    |(?<!\d)(\d{4})[年년]\x20?(\d{1,2})[月월]\x20?(\d{1,2})[日일]
    |(?:\A|(?<!\d)(?=\d{12}(?:\d\d)?\.\w+\Z))  # a Zettelkasten id; at the end, it has a time
    ((?:19|20)\d\d)(\d\d)(\d\d)(?:\d{4}|\d{6})?(?!\d)
    |\A(\d{4}-(?:(?:W\d\d|Q[1-4])(?![\w-])|\d\d(?=\.\w+\Z)))  # of a week, a quarter or a month
    """,
    re.VERBOSE,
)
_YEARS = range(1000, 2200)
"""The years of dates in names of files; the order number "4711-12-03" is no date."""

_DATED_FOLDERS = re.compile(r"(?:\A|(?<=/))(\d{4})/(\d\d)/(\d\d)(?=\D[^/]*\Z)")
"""Folders of a year and a month around a file whose name begins with the day."""

_PART_OF_KEY = re.compile(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+(?![a-z])")
_FILLERS = frozenset("at on last time timestamp of note file page the am zuletzt le de di".split())
_MODIFIED = "modified"
_KINDS = {
    **dict.fromkeys(
        "date datetime datum fecha data day sent gesendet envoyé enviado inviato dato dátum tarih"
        " дата ημερομηνία 日期 日付 날짜 วันที่ तारीख تاريخ التاريخ تاریخ תאריך ngày tanggal"
        " päivämäärä".split(),
        "date",
    ),
    **dict.fromkeys(
        "updated update modified modification modify modificationdate edited edit changed change"
        " mod lastmod lastmodified lastupdated mtime revised geändert aktualisiert bearbeitet"
        " änderung änderungsdatum modifié modificado modificación actualizado actualización"
        " atualizado modificação modificato modifica aggiornato gewijzigd bijgewerkt ändrad endret"
        " ændret zmieniono zmodyfikowano изменено изменения обновлено обновления 更新 更新时间"
        " 更新時間 更新日期 修改时间 修改時間 修改日期 更新日 更新日時 수정일 수정".split(),
        _MODIFIED,
    ),
    **dict.fromkeys(
        "created creation create creationdate createdate ctime publish publishdate pubdate"
        " posted saved added clipped erstellt angelegt erstellung erstelldatum erstellungsdatum"
        " créé création creado creación criado criação creato creazione aangemaakt gemaakt skapad"
        " opprettet oprettet utworzono vytvořeno создано создания 创建 创建时间 創建時間"
        " 创建日期 建立日期 建立時間 作成日 作成日時 생성일 작성일".split(),
        "created",
    ),
}
"""What a word in a property's name means: the note's date, its last change or its creation.

``published`` is missing, because it is often the date of the book or page that a note is about.
"""


def date_of_property(key: str, text: str) -> datetime | None:
    """Return when the date in a property of a note starts.

    Returns None if ``key`` does not name a date of the note, or ``text`` is not a date.
    """
    if not _kind(key):
        return None
    if _SINCE_1970.fullmatch(text):
        moment = datetime.fromtimestamp(int(text[:10]))
        return moment if moment.year > 1970 else None
    return start_of(text)


def last_change(properties: Mapping[str, str]) -> datetime | None:
    """Return the latest date of change in the front matter of a note; None if it has none."""
    changes = (
        date_of_property(key, text) for key, text in properties.items() if _kind(key) == _MODIFIED
    )
    return max(filter(None, changes), default=None)


def _kind(key: str) -> str:
    key = unicodedata.normalize("NFC", key).strip()
    whole = _KINDS.get(key.lower())
    if whole:
        return whole
    parts = {part.lower() for part in _PART_OF_KEY.findall(key)} - _FILLERS
    kinds = {_KINDS.get(part, "") for part in parts}
    if len(kinds) > 1:
        kinds.discard("date")
    return kinds.pop() if len(kinds) == 1 else ""


def own_date(values: Sequence[Property], path: str) -> datetime | None:
    """Return the date of a note, from its front matter or its file name; or None.

    Properties for its date come before those for its last change and for its creation.
    """
    days: dict[str, list[datetime]] = {}
    for value in values:
        kind = _kind(value.key) if value.day else ""
        if value.day and kind:
            days.setdefault(kind, []).append(value.day)
    for kind in ("date", _MODIFIED, "created"):
        if kind in days:
            return max(days[kind]) if kind == _MODIFIED else days[kind][0]
    file = _DATED_FOLDERS.sub(r"\1-\2-\3", path).rpartition("/")[2]
    in_name = _IN_NAME.search(file)
    if not in_name:
        name = file.rpartition(".")[0]
        whole = period(name) if _DAY_NAME.search(name) else None
        return whole[0] if whole and whole[1] - whole[0] == timedelta(days=1) else None
    found = period("-".join(part for part in in_name.groups("") if part[:1].isdigit()))
    return found[0] if found and found[0].year in _YEARS else None

"""Reads dates and amounts as people write them, in many languages, and finds the date of a note."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache
from itertools import product

from notesearch.notes import Property

Period = tuple[datetime, datetime]
"""Start and exclusive end, in local time without a zone."""

_TIME = re.compile(
    r"""(?:(?:[ ]?[T,@][ ]?|[ ]|[ ]?(?:at|um|à)[ ])
    (?P<hour>\d{1,2})(?:[:.]|[ ]?h[ ]?)(?P<minute>\d{2})(?:[:.](?P<second>\d{2})(?:[.,]\d+)?)?
    [ ]?(?:(?P<half>[ap])\.?m\.?)?
    [ ]?(?:(?:Z|(?:UTC|GMT)?(?:[+-]\d\d(?::?\d\d)?)?)(?:[ ](?:[A-Z]{2,5}|\([^()\d]{2,40}\)))?
    |\((?:UTC|GMT)[+-]\d{1,2}(?::?\d\d)?\))?)?""",
    re.VERBOSE | re.IGNORECASE,
)
"""The time of day after a date; it also matches an empty text."""

_TIME_FIRST = re.compile(
    r"\A(\d{1,2}(?::|[ ]?h[ ]?)\d{2}(?::\d{2})?(?:[ ]?[ap]\.?m\.?)?)(?:[ ]Uhr)?,?[ ](.+)",
    re.IGNORECASE,
)
"""A time of day before a date: "14:05, 3 May 2024"."""

_WEEKDAYS = frozenset(
    """
    monday mon tuesday tues tue wednesday weds wed thursday thurs thur thu friday fri saturday sat
    sunday sun montag mo dienstag di mittwoch mi donnerstag do freitag fr samstag sonnabend sa
    sonntag so lundi lun mardi mar mercredi mer jeudi jeu vendredi ven samedi sam dimanche dim lunes
    martes miércoles mié jueves jue viernes vie sábado sáb domingo dom lunedì martedì mercoledì
    giovedì gio venerdì sabato sab domenica segunda seg terça ter quarta qua quinta qui sexta sex
    maandag ma dinsdag woensdag wo donderdag vrijdag vr zaterdag za zondag zo måndag mån mandag man
    tisdag tis tirsdag tirs tir onsdag ons torsdag tors tor fredag fre lördag lör lørdag lør söndag
    sön søndag søn poniedziałek pon wtorek wt środa śr czwartek czw piątek pt sobota sob niedziela
    niedz nd pondělí pondelok po úterý út utorok ut středa streda st čtvrtek čt štvrtok št pátek pá
    piatok pi neděle nedeľa ne maanantai maanantaina tiistai tiistaina ti keskiviikko keskiviikkona
    ke torstai torstaina to perjantai perjantaina pe lauantai lauantaina la sunnuntai sunnuntaina su
    pazartesi pzt salı çarşamba çar perşembe per cuma cumartesi cmt pazar paz dilluns dimarts
    dimecres dijous divendres dissabte diumenge hétfő kedd szerda csütörtök péntek szombat vasárnap
    luni marți miercuri joi vineri sâmbătă duminică понедельник пн вторник вт среда ср четверг чт
    пятница пт суббота сб воскресенье вс понеділок вівторок середа четвер п'ятниця п’ятниця пʼятниця
    субота неділя الاثنين الثلاثاء الأربعاء الخميس الجمعة السبت الأحد 月 火 水 木 金 土 日
    月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日 周一 周二 周三 周四 周五 周六 周日
    星期一 星期二 星期三 星期四 星期五 星期六 星期日 週一 週二 週三 週四 週五 週六 週日
    월 화 수 목 금 토 일 월요일 화요일 수요일 목요일 금요일 토요일 일요일
    """.split()
)
_ARTICLES = frozenset("the on le am den der el il a o em".split())
_BEFORE_DATES = _WEEKDAYS | _ARTICLES
"""Words that people write before a date: "dimanche", "le", "Sonntag, den"."""

_WEEKDAY_AFTER = re.compile(r"(?<=[\d.日일])[ ,]*[(（]?([^\W\d_]{1,12})\.?[)）]?(?=,?\s|\Z)")
"""A word after a date that may be a weekday, perhaps in parentheses."""

_STAMP = re.compile(r"[<\[](\d{4}-\d\d-\d\d)(?: [^\W\d_]+\.?)?((?: \d{1,2}:\d\d)?)[^<>\[\]]*[>\]]")
"""A date as Org writes it: ``<2026-04-12 Sun 10:30 +1w>``."""

_END_OF_RANGE = re.compile(r"\s*(?:→|\s(?:-|–|—|to|until|bis)\s)(?=.*\d).*\Z", re.DOTALL)
_LAST_DAY = re.compile(r"(?<![\d./-])(\d{1,2}\.?)[ ]?[-–][ ]?\d{1,2}\.?(?=,?[ ])")
"""The first and the last day of a range within a month: "5.–7. Mai 2026", "May 5–7, 2026"."""

_LONGEST = 80
"""Maximum number of characters of a date."""
_SHORTEST_DAY = len("1.1.2026")
"""Minimum number of characters of a date that follows the name of a weekday."""
_YEAR = re.compile(r"\d{4}")
_DIGITS_AND_TIME = re.compile(r"((?:19|20)\d{6})T?(\d\d)(\d\d)(\d\d)?(?:\d{3}(?!\d))?")
"""Digits of a date and a time, in TiddlyWiki with milliseconds."""
_BUDDHIST_ERA = 543
_THAI_YEARS = range(2400, 2700)
"""Years of a date that counts from the Buddha's death, as in Thailand."""
_MONTHS = {
    name: month
    for month, names in enumerate(
        """
        january jan januar jän jänner januari janvier janv janeiro enero ene gener gennaio gen
        styczeń stycznia leden ledna január januára januárja tammikuu tammikuuta ocak oca ianuarie
        январь января янв січень січня січ يناير ינואר ιανουάριος ιανουαρίου มกราคม ม.ค जनवरी;
        february feb februar feber februari februarie febrero febr febrer febbraio février févr fév
        fevereiro fev luty lutego lut únor února február februára helmikuu helmikuuta şubat şub
        февраль февраля февр фев лютий лютого лют فبراير פברואר φεβρουάριος φεβρουαρίου กุมภาพันธ์
        ก.พ फ़रवरी फरवरी;
        march mar märz mär mrz mars maart mrt marts marzo março març marzec marca březen března
        marec maaliskuu maaliskuuta maalis mart martie март марта мар березень березня берез مارس
        מרץ μάρτιος μαρτίου มีนาคม มี.ค मार्च maret;
        april apr avril avr abril abr aprile aprilie apríl apríla kwiecień kwietnia kwie duben dubna
        dub huhtikuu huhtikuuta nisan апрель апреля апр квітень квітня квіт أبريل אפריל απρίλιος
        απριλίου เมษายน เม.ย अप्रैल;
        may mai mei maj mayo maggio mag maio maig maja máj mája květen května toukokuu toukokuuta
        mayıs май мая травень травня трав مايو מאי μάιος μαΐου พฤษภาคม พ.ค मई;
        june jun juni juin junio junho juny giugno giu czerwiec czerwca jún júna červen června
        kesäkuu kesäkuuta haziran haz iunie июнь июня июн червень червня черв يونيو יוני ιούνιος
        ιουνίου มิถุนายน มิ.ย जून;
        july jul juli juillet juil julio julho juliol luglio lug lipiec lipca júl júla červenec
        července heinäkuu heinäkuuta temmuz tem iulie июль июля июл липень липня лип يوليو יולי
        ιούλιος ιουλίου กรกฎาคม ก.ค जुलाई;
        august aug août aoû augustus augusti augusztus agosto ago agost sierpień sierpnia sierp
        srpen srpna augusta elokuu elokuuta ağustos ağu август августа авг серпень серпня серп أغسطس
        אוגוסט αύγουστος αυγούστου สิงหาคม ส.ค अगस्त agustus;
        september sept sep septembre septiembre setiembre settembre set setembro setembre septembrie
        wrzesień września wrze wrz září septembra syyskuu syyskuuta eylül eyl сентябрь сентября сент
        сен вересень вересня верес سبتمبر ספטמבר σεπτέμβριος σεπτεμβρίου กันยายน ก.ย सितंबर सितम्बर;
        october oct oktober okt octobre octubre ottobre ott outubro out octombrie październik
        października paź říjen října říj október októbra lokakuu lokakuuta ekim eki октябрь октября
        окт жовтень жовтня жовт أكتوبر אוקטובר οκτώβριος οκτωβρίου ตุลาคม ต.ค अक्टूबर अक्तूबर;
        november nov novembre noviembre novembro noiembrie novembra listopad listopada listopadu
        marraskuu marraskuuta kasım kas ноябрь ноября нояб ноя листопад листопада листоп نوفمبر
        נובמבר νοέμβριος νοεμβρίου พฤศจิกายน พ.ย नवंबर नवम्बर;
        december dec dezember dez desember des décembre déc diciembre dic dicembre dezembro desembre
        decembrie decembra grudzień grudnia grud prosinec prosince joulukuu joulukuuta aralık
        декабрь декабря дек грудень грудня груд ديسمبر דצמבר δεκέμβριος δεκεμβρίου ธันวาคม ธ.ค
        दिसंबर दिसम्बर
        """.split(";"),
        1,
    )
    for name in names.split()
}
"""The months from 1 by their names and usual short forms in many languages."""

ENGLISH_WORDS = "ago|gen|mag|out|set"
"""A pattern of short months that are also English words; queries do not read them as months."""


@cache
def _forms() -> tuple[re.Pattern[str], ...]:
    return tuple(
        re.compile(form, re.VERBOSE | re.IGNORECASE)
        for form in (
            r"""(?P<year>\d{4})
            (?:(?P<separator>[-/])(?P<month>\d{1,2})(?:(?P=separator)(?P<day>\d{1,2}))?)?""",
            r"""(?P<year>\d{4})-?
            (?:W(?P<week>\d{2})(?:-?(?P<weekday>[1-7]))?|Q(?P<quarter>[1-4]))""",
            r"""(?P<year>\d{4})(?P<separator>[._]|(?P<spaced>\.[ ]))(?P<month>\d{1,2})
            (?P=separator)(?P<day>\d{1,2})(?(spaced)\.?)""",
            r"(?P<year>(?:19|20)\d\d)(?P<month>\d\d)(?P<day>\d\d)",
            r"(?P<day>\d{1,2})[ ]tháng[ ](?P<month>\d{1,2}),?(?:[ ]năm)?[ ](?P<year>\d{4})",
            r"""(?P<year>\d{4})[ ]?[年년][ ]?(?P<month>\d{1,2})[ ]?[月월]
            (?:[ ]?(?P<day>\d{1,2})[ ]?[日일])?""",
            r"(?P<day>\d{1,2})\.[ ]?(?P<month>\d{1,2})\.[ ]?(?P<year>\d{4})",
            r"""(?P<first>\d{1,2})(?P<separator>[-/])(?P<second_number>\d{1,2})(?P=separator)
            (?P<year>\d{4})""",
            r"(?P<name>[^\s\d,/-]{2,14})[ ](?P<day>\d{1,2})(?:st|nd|rd|th)?,?[ ](?P<year>\d{4})",
            r"""(?P<day>\d{1,2})(?:st|nd|rd|th|er|\.|º)?(?:[ -]|[ ](?:of|de)[ ])
            (?P<name>[^\s\d,/-]{2,14})(?:[ -]|,[ ]|[ ]de[ ])(?P<year>\d{4})""",
            r"(?P<name>[^\s\d,/-]{2,14})(?:,?[ ]|[ ]de[ ])(?P<year>\d{4})",
            r"(?P<year>\d{4})[ -](?P<name>[^\s\d,/-]{2,14})(?:[ -](?P<day>\d{1,2}))?",
        )
    )


def period(text: str) -> Period | None:
    """Return the period that a date names; None if ``text`` is not a date.

    A date is "2026", "2026-04", "2026-04-12 10:30", "20260412", "12.4.2026", "April 12th 2026",
    "12 avril 2026" and the like. "4/12/2026" may mean April or December, so it is not a date; with
    "3 pm" it means April. A time zone is ignored.
    """
    text = text.strip().removeprefix("[[").removesuffix("]]").strip()
    if len(text) > _LONGEST or not _YEAR.search(text):
        return None
    text = _DIGITS_AND_TIME.sub(_with_colons, text) if text[:8].isdigit() else text
    text = _STAMP.sub(r"\1\2", text) if text[0] in "<[" else text
    text = _TIME_FIRST.sub(r"\2 \1", text) if text[0].isdigit() else text
    for shown, form in product(_without_weekday(text), _forms()):
        date = form.match(shown)
        time = _TIME.fullmatch(shown, date.end()) if date else None
        if date and time:
            try:
                return _named_period(date.groupdict() | time.groupdict())
            except (ValueError, OverflowError):
                continue
    return None


def _without_weekday(text: str) -> Iterator[str]:
    """Yield ``text``, then ``text`` without articles and the weekday before or after a date.

    Some names, such as "mar", are both a weekday and a month.
    """
    yield text
    first, _, rest = text.partition(" ")
    while len(rest) >= _SHORTEST_DAY and first.rstrip(".,").lower() in _BEFORE_DATES:
        text = rest
        yield text
        first, _, rest = text.partition(" ")
    for word in _WEEKDAY_AFTER.finditer(text):
        if word[1].lower() in _WEEKDAYS:
            yield text[: word.start()] + text[word.end() :]


def _with_colons(match: re.Match[str]) -> str:
    return f"{match[1]} {match[2]}:{match[3]}:{match[4] or '00'}"


def _named_period(parts: dict[str, str | None]) -> Period:
    """Return the period for the named groups; raises ValueError or OverflowError if none."""
    number = {key: int(digits) for key, digits in parts.items() if digits and digits.isdecimal()}
    year = number["year"]
    month = number.get("month")
    day = number.get("day")
    name = parts.get("name")
    if "week" in number:
        first = datetime.fromisocalendar(year, number["week"], number.get("weekday", 1))
        return first, first + timedelta(days=1 if "weekday" in number else 7)
    if "quarter" in number:
        first = datetime(year, 3 * number["quarter"] - 2, 1)
        return first, month_of(first + timedelta(days=70))[1]
    if name:
        month = _MONTHS.get(name.lower().rstrip("."), 0)  # 0 is no month: a ValueError
    elif "first" in number:
        month, day = number["first"], number["second_number"]
        if not parts["half"]:  # a time with "am" or "pm" stands beside an American date
            day, month = _day_and_month(month, day)
    if day and year in _THAI_YEARS:
        year -= _BUDDHIST_ERA
    if day is None or month is None:
        if parts["hour"]:
            raise ValueError
        return (
            (datetime(year, 1, 1), datetime(year + 1, 1, 1))
            if month is None
            else month_of(datetime(year, month, 1))
        )
    first = datetime(year, month, day)
    if not parts["hour"]:
        return first, first + timedelta(days=1)
    hour = number["hour"]
    if parts["half"]:
        hour = hour % 12 + (12 if parts["half"].lower() == "p" else 0)
    moment = first.replace(hour=hour, minute=number["minute"], second=number.get("second", 0))
    return moment, moment + timedelta(seconds=1 if "second" in number else 60)


def month_names(month: int) -> tuple[str, ...]:
    """Return the names and short forms of a month, from 1, in all known languages."""
    return tuple(name for name, number in _MONTHS.items() if number == month)


def _day_and_month(one: int, other: int) -> tuple[int, int]:
    """Return the day and the month that two numbers mean; raises ValueError if unclear."""
    if one == other or other <= 12 < one:
        return one, other
    if one <= 12 < other:
        return other, one
    raise ValueError


def month_of(moment: datetime) -> Period:
    """Return the period of the month that contains ``moment``."""
    first = datetime(moment.year, moment.month, 1)
    return first, (first + timedelta(days=31)).replace(day=1)


def start_of(text: str) -> datetime | None:
    """Return the start of a date or a range such as ``2026-04-12 → 2026-04-14``; else None."""
    found = period(_END_OF_RANGE.sub("", _LAST_DAY.sub(r"\1", text)))
    return found[0] if found else None


# The date of a note

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


# Amounts: ``1,250``, ``€5 000``, ``72 kg``, ``★★★``

_CURRENCIES = """
    aed ars aud bgn brl cad chf clp cny cop czk dkk egp eur fr gbp hkd huf idr ils inr isk jpy kč kr
    krw mxn myr nok nzd php pln ron rs rsd rub sar sek sgd thb try twd uah usd vnd zar zł руб грн
"""
_CURRENCY = rf"(?:(?:{'|'.join(_CURRENCIES.split())})\.?|[a-z]{{0,3}}[$¢-¥฿₠-⃀﷼])"
_UNIT = r"[^\W\d_]{1,4}[²³]?"

_AMOUNT = re.compile(
    rf"""
    (?P<sign> [+\-\u2212]? ) (?: (?P<before> {_CURRENCY} ) \s? )?
    (?P<digits> \d+ (?: [.,'’_\s٬٫] \d+ )* ) (?P<exponent> (?: e [+-]? \d{{1,2}} )? )
    (?: \s? (?P<after> {_CURRENCY} | [%‰°′″] | °?{_UNIT} (?: /{_UNIT} )? ) )?
    """,
    re.VERBOSE | re.IGNORECASE,
)
_PRICED = re.compile(_CURRENCY, re.IGNORECASE)
_MARKS_OF_THOUSANDS = re.compile(r"['’_٬\s]")
_IN_GROUPS = re.compile(
    r"[1-9]\d{0,2}(?P<mark>[.,'])(?:(?:\d{3}|(?<=,)\d\d)(?P=mark))*\d{3}(?:(?!(?P=mark))[.,]\d+)?"
)
"""Digits with a mark between thousands, or between lakhs as in India."""

_AS_IN_YAML = re.compile(r"\d{1,3}\.\d{3}")
"""Either decimals after a point, or thousands as in ``1.250 €``."""

_DECIMAL = re.compile(r"\d+(?:[.,]\d+)?")

_FACTORS = frozenset(
    "k K M B bn mil mio Mio mld mln mrd Mrd tsd Tsd tys тыс млн млрд cr Cr".split()
)
"""Words that multiply a number. Such a number is text."""

_LONGEST_AMOUNT = 40
_STARS = re.compile("(?P<full>(?:[★⭐🌟]\ufe0f?)+)[☆✩]*(?:/\\d+)?")


_RATED = re.compile(r"(\d+(?:[.,]\d)?)[ ]?/[ ]?(5|10|20|100)")
"""A number of points out of all: ``7/10``."""


def amount(text: str) -> float | None:
    """Return the number that ``text`` means; None if it is not a number.

    A currency, a per cent sign or a unit of up to four letters beside the number is ignored. A
    comma or point begins the decimals, but:

    * if there are both, the last one does;
    * a comma with three digits after it separates thousands;
    * so does a point in a price: ``1.250 €``. Otherwise ``1.250`` has decimals, as in YAML.

    Stars are counted: ``★★★☆☆`` is 3. Of ``7/10``, the 7 counts.
    """
    rated = _RATED.fullmatch(text.strip())
    if rated:
        text = rated[1]
    stars = _STARS.fullmatch(text.strip())
    if stars:
        return float(len(stars["full"].replace("\ufe0f", "")))
    written = _AMOUNT.fullmatch(text.strip()) if len(text) <= _LONGEST_AMOUNT else None
    if written is None:
        return None
    after = written["after"] or ""
    if after in _FACTORS:
        return None
    is_price = bool(written["before"] or _PRICED.fullmatch(after))
    digits = _digits(written["digits"], is_price=is_price)
    return (
        float(written["sign"].replace("\u2212", "-") + digits + written["exponent"])
        if digits
        else None
    )


def _digits(digits: str, *, is_price: bool) -> str:
    """Return ``digits`` with only a decimal point between them; empty if they are not a number."""
    digits = _MARKS_OF_THOUSANDS.sub("'", digits).replace("٫", ".")
    digits = "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in digits)
    grouped = _IN_GROUPS.fullmatch(digits)
    if grouped and (is_price or not _AS_IN_YAML.fullmatch(digits)):
        return digits.replace(grouped["mark"], "").replace(",", ".")
    return digits.replace(",", ".") if _DECIMAL.fullmatch(digits) else ""

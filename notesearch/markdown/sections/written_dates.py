"""Reads dates as people write them, in many languages."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import cache
from itertools import product

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
            r"(?P<year>\d{4})",
            (
                r"(?P<year>\d{4})(?P<separator>[-/])(?P<month>\d{1,2})"
                r"(?:(?P=separator)(?P<day>\d{1,2}))?"
            ),
            r"(?P<year>\d{4})-?W(?P<week>\d{2})(?:-?(?P<weekday>[1-7]))?",
            r"(?P<year>\d{4})-?Q(?P<quarter>[1-4])",
            r"(?P<year>\d{4})(?P<separator>[._])(?P<month>\d{1,2})(?P=separator)(?P<day>\d{1,2})",
            r"(?P<year>\d{4})\.[ ](?P<month>\d{1,2})\.[ ](?P<day>\d{1,2})\.?",
            r"(?P<year>(?:19|20)\d\d)(?P<month>\d\d)(?P<day>\d\d)",
            r"(?P<day>\d{1,2})[ ]tháng[ ](?P<month>\d{1,2}),?(?:[ ]năm)?[ ](?P<year>\d{4})",
            r"(?P<year>\d{4})[ ]?年[ ]?(?P<month>\d{1,2})[ ]?月(?:[ ]?(?P<day>\d{1,2})[ ]?日)?",
            r"(?P<year>\d{4})[ ]?년[ ]?(?P<month>\d{1,2})[ ]?월(?:[ ]?(?P<day>\d{1,2})[ ]?일)?",
            r"(?P<day>\d{1,2})\.[ ]?(?P<month>\d{1,2})\.[ ]?(?P<year>\d{4})",
            (
                r"(?P<first>\d{1,2})(?P<separator>[-/])(?P<second_number>\d{1,2})(?P=separator)"
                r"(?P<year>\d{4})"
            ),
            r"(?P<name>[^\s\d,/-]{2,14})[ ](?P<day>\d{1,2})(?:st|nd|rd|th)?,?[ ](?P<year>\d{4})",
            (
                r"(?P<day>\d{1,2})(?:st|nd|rd|th|er|\.|º)?(?:[ -]|[ ](?:of|de)[ ])"
                r"(?P<name>[^\s\d,/-]{2,14})(?:[ -]|,[ ]|[ ]de[ ])(?P<year>\d{4})"
            ),
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
    year = int(parts["year"] or 0)
    month = _month(parts)
    day = _number(parts.get("day"))
    week = _number(parts.get("week"))
    if week is not None:
        first = datetime.fromisocalendar(year, week, _number(parts["weekday"]) or 1)
        return first, first + timedelta(days=1 if parts["weekday"] else 7)
    quarter = _number(parts.get("quarter"))
    if quarter:
        first = datetime(year, 3 * quarter - 2, 1)
        return first, month_of(first + timedelta(days=70))[1]
    if month is None and parts.get("first"):
        one = int(parts["first"] or 0)
        other = int(parts["second_number"] or 0)
        if parts["half"]:  # a time with "am" or "pm" stands beside an American date
            month = one
            day = other
        else:
            day, month = _day_and_month(one, other)
    if day and year in _THAI_YEARS:
        year -= _BUDDHIST_ERA
    if parts["hour"]:
        if month is None or day is None:
            raise ValueError
        return _time_of_day(datetime(year, month, day), parts)
    if month is None:
        return datetime(year, 1, 1), datetime(year + 1, 1, 1)
    if day is None:
        return month_of(datetime(year, month, 1))
    first = datetime(year, month, day)
    return first, first + timedelta(days=1)


def _time_of_day(day: datetime, parts: dict[str, str | None]) -> Period:
    hour = int(parts["hour"] or 0)
    if parts["half"]:
        hour %= 12
        if parts["half"].lower() == "p":
            hour += 12
    minute = _number(parts["minute"]) or 0
    second = _number(parts["second"])
    moment = day.replace(hour=hour, minute=minute, second=second or 0)
    length = timedelta(minutes=1) if second is None else timedelta(seconds=1)
    return moment, moment + length


def _number(digits: str | None) -> int | None:
    return int(digits) if digits else None


def _month(parts: dict[str, str | None]) -> int | None:
    """Return the month, from 1, that the groups give, or None; raises ValueError."""
    name = parts.get("name")
    if not name:
        return _number(parts.get("month"))
    month = _MONTHS.get(name.lower().rstrip("."))
    if month is None:
        raise ValueError(name)
    return month


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

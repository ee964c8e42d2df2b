"""One word written in several ways: invisible characters, digits of other scripts, thousands."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from notesearch.library import NoteLibrary
from tests.indexed import indexed

ZWSP, ZWNJ, ZWJ, SOFT, WORD_JOINER, BOM = "\u200b", "\u200c", "\u200d", "\u00ad", "\u2060", "\ufeff"
LRM, LRE, POP, RLI, PDI, NARROW, NO_BREAK = (
    *("\u200e", "\u202a", "\u202c", "\u2067", "\u2069"),
    *("\u202f", "\u00a0"),
)

NOTES = {
    "web": f"The har{ZWSP}bour, the har{SOFT}bour{WORD_JOINER}master, {BOM}drift{BOM}wood.",
    "direction": f"The {LRE}pilot{POP} of {LRM}boat{LRM} {RLI}מילה{PDI}.",
    "persian": f"کتاب{ZWNJ}ها می{ZWNJ}خواهم",
    "hindi": f"शक्{ZWJ}ति संख्या १२३४६ और ५७,५७८",
    "thai": f"ภาษา{ZWSP}ไทย ห้อง๑๒๓๔",
    "arabic": "٧٬٧٥٠٬٠٠٠ ريال ٤٥٦٧٨",
    "wide": "ＡＢＸ９７ und ９８７６５",
    "comma": "It costs 1,250,000 in all.",
    "dot": "Es kostet 1.250.000 insgesamt.",
    "space": "Cela coûte 1 250 000 en tout.",
    "apostrophe": "Es kostet 1'250'000 im Ganzen.",
    "curly": "Es kostet 1’250’000 im Ganzen.",
    "narrow": f"Cela coûte 1{NARROW}250{NARROW}000 en tout.",
    "no-break": f"Preis: 1{NO_BREAK}250{NO_BREAK}000,50.",
    "amount": "Paid 2,345.67 at once.",
    "Betrag": "Gezahlt: 2.345,67 auf einmal.",
    "decimals": "Paid 2345.67 at once.",
    "plain": "It is 1250000 in all.",
    "lakh": "It costs 98,76,543 rupees.",
    "other": "Version 3.25, address 192.168.100.25, 0,125 and 555 123 4567.",
    "typeset": "An e\u2011mail to the co\u2010op, in up\u2011to\u2011date words.",
    "cross": "A board of 30×40 cm.",
    "spaced": "A board of 30 x 40 cm.",
    "letter": "A board of 30x40 cm.",
    "unit": "Butter 10×250g, flour 10 x 600 g.",
    "micro": "Load 20 µg, wait 45 μs, a film of 8µm, c = −17 units of m² ν².",
    "ids": "DOI 10.1126/science.777, ISBN 978-0-13-468599-1, ISBN 9780262033848.",
    "phone": "Call +1 555 987 6543.",
    "count": "Buy 7× quinces and 8 × medlars.",
    "iban": "To DE89 3704 0044 0532 0130 00, device 00:1A:2B:3C:4D:5E, plate AB12 CDE.",
    "solid": "To FR7630006000011234567890189, plate KX61BWN, SARS-CoV-2, 7h 45m, at 5 p.m.",
    "scripts": "SO4^2-, E=mc^2, x_1.",
    "greek": "The TNF-alpha level, a β-blocker, $\\Delta G$ and ε.",
    "letters": "TNFβ, ΔH.",
    "iso": "Due 2027-03-05.",
    "german": "Am 05.03.2027.",
    "short": "Am 5.3.27.",
    "american": "On 3/5/2027 or March 5th, 2027.",
    "british": "On 5 March 2027.",
    "unclear": "On 4/12/2027.",
    "yearless": "Paid 24.4., sown 24/04 and 4/24.",
    "people": "Frau Müller met Mr Groenke.",
    "oven": "Bake at 200ºC, then 180 ºC; the 1º day.",
    "range": "Take 25-50 mg, pH 6.8, s 2(1), 6 y.o.",
    "names": "Ticket DEF-123, covid-19, an x-ray and REQ-0054-b.",
}
MILLIONS = {"comma", "dot", "space", "apostrophe", "curly", "narrow", "no-break", "plain"}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NoteLibrary]:
    notes = {f"{name}.md": f"# Note\n\n{text}\n" for name, text in NOTES.items()}
    with indexed(tmp_path_factory.mktemp("forms"), notes) as library:
        yield library


def found(library: NoteLibrary, query: str) -> dict[str, list[str]]:
    """Return what each found note's snippet marks."""
    notes = library.search(query, limit=50).notes
    marked = {note.path[:-3]: [section.snippet for section in note.sections] for note in notes}
    return {
        name: [snippet.text[a:b] for snippet in snippets for a, b in snippet.marks]
        for name, snippets in marked.items()
    }


@pytest.mark.parametrize(
    ("query", "note", "marks"),
    [
        ("harbour ", "web", [f"har{ZWSP}bour"]),
        (f"har{ZWSP}bour ", "web", [f"har{ZWSP}bour"]),
        (f"har{SOFT}bour ", "web", [f"har{ZWSP}bour"]),
        (f'"{BOM}har{LRM}bour"', "web", [f"har{ZWSP}bour"]),
        ("harbourmaster ", "web", [f"har{SOFT}bour{WORD_JOINER}master"]),
        ("driftwood ", "web", ["driftwood"]),
        ("pilot ", "direction", [f"{LRE}pilot{POP}"]),
        (f"{LRE}boat{POP} ", "direction", [f"{LRM}boat{LRM}"]),
        ("מילה ", "direction", [f"{RLI}מילה{PDI}"]),
        (f"{RLI}מילה{PDI} ", "direction", [f"{RLI}מילה{PDI}"]),
        ("کتاب ", "persian", [f"کتاب{ZWNJ}ها"]),
        (f"کتاب{ZWNJ}ها ", "persian", [f"کتاب{ZWNJ}ها"]),
        ("کتابها ", "persian", [f"کتاب{ZWNJ}ها"]),
        ("میخواهم ", "persian", [f"می{ZWNJ}خواهم"]),
        ("می خواهم ", "persian", ["می", "خواهم"]),
        ("शक्ति ", "hindi", [f"शक्{ZWJ}ति"]),
        (f"शक्{ZWJ}ति ", "hindi", [f"शक्{ZWJ}ति"]),
        ("12346 ", "hindi", ["१२३४६"]),
        ("१२३४६ ", "hindi", ["१२३४६"]),
        ("57578 ", "hindi", ["५७,५७८"]),
        ("57,578 ", "hindi", ["५७,५७८"]),
        ("ภาษาไทย ", "thai", ["ภาษา", "ไทย"]),
        ("1234 ", "thai", ["๑๒๓๔"]),
        ("๑๒๓๔ ", "thai", ["๑๒๓๔"]),
        ("7750000 ", "arabic", ["٧٬٧٥٠٬٠٠٠"]),
        ("45678 ", "arabic", ["٤٥٦٧٨"]),
        ("98765 ", "wide", ["９８７６５"]),
        ("abx97 ", "wide", ["ＡＢＸ９７"]),
        ("9876543 ", "lakh", ["98,76,543"]),
        ("DEF-123 ", "names", ["DEF-123"]),
        ("def123 ", "names", ["DEF-123"]),
        ('"DEF-123" ', "names", ["DEF-123"]),
        ("def 123 ", "names", ["DEF-123"]),
        ("covid-19 ", "names", ["covid-19"]),
        ("covid19 ", "names", ["covid-19"]),
        ('"x-ray"', "names", ["x-ray"]),
        ("xray ", "names", ["x-ray"]),
        ('"REQ-0054-b"', "names", ["REQ-0054-b"]),
        ("email ", "typeset", ["e\u2011mail"]),
        ("e-mail ", "typeset", ["e\u2011mail"]),
        ("e\u2011mail ", "typeset", ["e\u2011mail"]),
        ('"e\u2010mail"', "typeset", ["e\u2011mail"]),
        ("coop ", "typeset", ["co\u2010op"]),
        ("uptodate ", "typeset", ["up\u2011to\u2011date"]),
        ("def\u2011123 ", "names", ["DEF-123"]),
    ],
)
def test_a_word_is_found_in_its_other_forms(
    library: NoteLibrary, query: str, note: str, marks: list[str]
) -> None:
    assert found(library, query)[note] == marks


@pytest.mark.parametrize(
    "query",
    [
        *("1250000", "1,250,000", "1.250.000", "1 250 000", "1'250'000", "1’250’000"),
        *(f"1{NARROW}250{NARROW}000", f"1{NO_BREAK}250{NO_BREAK}000", "1_250_000", "١٬٢٥٠٬٠٠٠"),
        *('"1250000"', '"1 250 000"', '"1,250,000"', "costs 1250000"),
    ],
)
def test_a_number_is_found_with_any_separator_of_thousands(
    library: NoteLibrary, query: str
) -> None:
    marked = found(library, f"{query} ")
    assert set(marked) >= MILLIONS
    for name in MILLIONS:
        (number,) = (mark for mark in marked[name] if mark[0] == "1")
        assert "".join(filter(str.isdigit, number)) == "1250000"


@pytest.mark.parametrize(
    ("query", "note", "marks"),
    [
        *((query, "unit", ["10×250g"]) for query in ("10x250g ", "10×250g ")),
        ("10x600g ", "unit", ["10 x 600 g"]),
        ("7x ", "count", ["7×"]),
        ("8x medlars ", "count", ["8 ×", "medlars"]),
        ("20ug ", "micro", ["20 µg"]),
        ("45us ", "micro", ["45 μs"]),
        ("8um ", "micro", ["8µm"]),
        ("ug load ", "micro", ["Load", "µg"]),
        ("ν^2 ", "micro", ["ν²"]),
        ("units -17 ", "micro", ["17", "units"]),
        ("https://doi.org/10.1126/science.777 ", "ids", ["10.1126/science.777"]),
        ("doi:10.1126/science.777 ", "ids", ["DOI 10.1126/science.777"]),
        ("9780134685991 ", "ids", ["978-0-13-468599-1"]),
        ("978-0-262-03384-8 ", "ids", ["9780262033848"]),
        ("+15559876543 ", "phone", ["1 555 987 6543"]),
        ("DE89370400440532013000 ", "iban", ["DE89 3704 0044 0532 0130 00"]),
        ("001a2b3c4d5e ", "iban", ["00:1A:2B:3C:4D:5E"]),
        ("ab12cde ", "iban", ["AB12 CDE"]),
        ("FR76 3000 6000 0112 3456 7890 189 ", "solid", ["FR7630006000011234567890189"]),
        ("kx61 bwn ", "solid", ["KX61BWN"]),
        ("sarscov2 ", "solid", ["SARS-CoV-2"]),
        ("7h45m ", "solid", ["7h 45m"]),
        ("5pm ", "solid", ["5 p.m"]),
        ("SO₄²⁻ ", "scripts", ["SO4^2-"]),
        ("mc² ", "scripts", ["mc^2"]),
        ("x₁ ", "scripts", ["x_1"]),
        ("tnf-α ", "greek", ["TNF-alpha"]),
        ("TNFα ", "greek", ["TNF-alpha"]),
        ("beta-blocker ", "greek", ["β-blocker"]),
        ("ΔG ", "greek", ["Delta G"]),
        ("epsilon ", "greek", ["ε"]),
        ("TNF-beta ", "letters", ["TNFβ"]),
        ("tnf beta ", "letters", ["TNFβ"]),
        ("delta h ", "letters", ["ΔH"]),
        ("25-50mg ", "range", ["25-50 mg"]),
        ("ph6.8 ", "range", ["pH 6.8"]),
        ("200 °C ", "oven", ["200ºC"]),
        ("mueller ", "people", ["Müller"]),
        ("Grönke ", "people", ["Groenke"]),
        ("200ºC ", "oven", ["200ºC"]),
        ("1o ", "oven", ["1º"]),
        ("s2(1) ", "range", ["s 2(1"]),
        ("6yo ", "range", ["6 y.o"]),
    ],
)
def test_sizes_amounts_and_identifiers(
    library: NoteLibrary, query: str, note: str, marks: list[str]
) -> None:
    marked = found(library, query)
    assert next(iter(marked)) == note
    assert set(marks) <= set(marked[note])
    assert library.search(query).missing == ()


DATES = {
    "iso": "2027-03-05",
    "german": "05.03.2027",
    "short": "5.3.27",
    "british": "5 March 2027",
}


@pytest.mark.parametrize(
    "query",
    ["2027-03-05", "2027/3/5", "5.3.2027", "5 March 2027", "March 5, 2027", "5th march 2027"],
)
def test_a_day_is_found_however_it_is_written(library: NoteLibrary, query: str) -> None:
    marked = found(library, f"{query} ")
    assert {name: "".join(marked[name]) for name in DATES} == DATES
    assert "March 5th, 2027" in marked["american"]


@pytest.mark.parametrize("query", ["04/12/2027", "4.12.2027", "04-12-2027"])
def test_a_date_that_is_not_clear_is_found_with_other_zeros(
    library: NoteLibrary, query: str
) -> None:
    assert found(library, f"{query} ")["unclear"] == ["4/12/2027"]


@pytest.mark.parametrize("query", ["30x40", "30×40", "board 30x40"])
def test_a_size_is_found_with_any_sign(library: NoteLibrary, query: str) -> None:
    assert set(found(library, f"{query} ")) >= {"cross", "spaced", "letter"}


@pytest.mark.parametrize(
    "query", ["2345.67", "2,345.67", "2.345,67", "2345,67", "2 345,67", "2'345.67", '"2,345.67"']
)
def test_a_number_with_decimals_is_found_with_any_separators(
    library: NoteLibrary, query: str
) -> None:
    assert found(library, f"{query} ") == {
        "amount": ["2,345.67"],
        "Betrag": ["2.345,67"],
        "decimals": ["2345.67"],
    }


@pytest.mark.parametrize("query", ["19216810025", "325", "0125", "5551234567", "19216", "168100"])
def test_other_numbers_stay_apart(library: NoteLibrary, query: str) -> None:
    assert "other" not in found(library, f'"{query}" ')


@pytest.mark.parametrize("query", ["5 March", "march 5th", "mar 5", "5. März"])
def test_a_day_is_found_without_its_year(library: NoteLibrary, query: str) -> None:
    marked = found(library, f"{query} ")
    assert marked["iso"] == ["03-05"]
    assert marked["british"] in (["5 March"], ["5", "March"])
    assert (marked["german"], marked["short"]) == (["05.03"], ["5.3"])


@pytest.mark.parametrize("query", ["24 April", "april 24th"])
def test_a_day_without_its_year_is_found(library: NoteLibrary, query: str) -> None:
    assert found(library, f"{query} ") == {"yearless": ["24.4", "24/04", "4/24"]}


@pytest.mark.parametrize("query", ["5.3.", "05.03.", "5. 3."])
def test_a_day_in_numbers_is_found_by_the_name_of_its_month(
    library: NoteLibrary, query: str
) -> None:
    marked = found(library, f"{query} ")
    assert marked["british"] in (["5 March"], ["5", "March"])
    assert "March 5th" in marked["american"]
    assert marked["german"] == ["05.03"]


@pytest.mark.parametrize(
    ("query", "note"), [("set 5 ", "set.md"), ("set 2027 ", "set.md"), ("gen 4 ", "gen.md")]
)
def test_an_english_word_is_not_an_italian_month(tmp_path: Path, query: str, note: str) -> None:
    notes = {"set.md": "One set of cups.", "gen.md": "A disk of gen four."}
    due = {"due.md": "Due 2027-09-05, paid 2027-01-04."}
    with indexed(tmp_path, notes | due) as library:
        assert library.search(query, mode="words").sections[0].path == note


def test_months_of_other_languages_are_words_in_english_notes(tmp_path: Path) -> None:
    notes = {"iso.md": "# Visit\n\nWe were there on 2020-03-01."}
    with indexed(tmp_path, notes) as library:
        assert found(library, "mars 2020 ") == {"iso": ["2020"]}
    notes["ete.md"] = "# Voyage\n\nNous sommes partis pour la mer avec les enfants et une tente."
    with indexed(tmp_path, notes) as library:
        assert found(library, "mars 2020 ") == {"iso": ["2020-03"]}


def test_a_name_is_not_a_month_if_notes_have_it(tmp_path: Path) -> None:
    notes = {"jan.md": "# Calls\n\nJan called.", "winter.md": "# Plans\n\nIn January we meet."}
    with indexed(tmp_path, notes) as library:
        assert [s.path for s in library.search("jan ", mode="words").sections] == ["jan.md"]
        assert [s.path for s in library.search("january ", mode="words").sections] == ["winter.md"]


def test_a_version_in_a_note_is_no_date(tmp_path: Path) -> None:
    notes = {"iso.md": "Due 2010-10-10.", "host.md": "The host 192.10.10.10 answers."}
    with indexed(tmp_path, notes) as library:
        assert set(found(library, "10.10.10 ")) == {"host"}


def test_an_english_month_is_found_in_a_date_of_numbers(tmp_path: Path) -> None:
    with indexed(tmp_path, {"due.md": "Due 2027-09-05.", "b.md": "One set of cups."}) as library:
        assert library.search("sept 5 ", mode="words").sections[0].path == "due.md"


@pytest.mark.parametrize("query", ["march 2027", "mar 2027"])
def test_a_month_is_found_in_a_date_of_numbers(library: NoteLibrary, query: str) -> None:
    assert found(library, f"{query} ")["iso"] == ["2027-03"]


def test_a_month_is_found_by_its_short_form(library: NoteLibrary) -> None:
    assert {"american", "british"} <= set(found(library, "mar "))

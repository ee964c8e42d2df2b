"""Words are found however they are written: (query, text of a note, its marks)."""

import string
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from notesearch.results import Respelling
from notesearch.search.search import matches
from tests.folders import write
from tests.search.conftest import LibraryOf, ReaderOf

GERMAN = "Die Häuser stehen an der Straße, und das Verfassungsgericht ist nicht in der Stadt."
FRENCH = "Nous avons mangé les crêpes que vous avez préparées, et elles étaient très bonnes."
RUSSIAN = "Мы поставили ёлку и купили книги, которые были на столе."
TURKISH = "Bu ışık için çok güzel bir lamba var, ve kitaplar da burada."
VIETNAMESE = "Tôi đã đi trên đường này và thấy nhiều xe của bạn."
PERSIAN = "برای تعطیلات ویلا رزرو کردیم و باید ماشین را قبل از سفر سرویس کنیم."
CODE = "Call useState, getElementById, snake_case_name, my-component and dotted.name.here."
ADDRESSES = "Write to john.doe@example.com, https://example.org/a/b?x=1 or C:\\Users\\me\\notes.txt"


@pytest.mark.parametrize(
    ("typed", "text", "marked"),
    [
        # an English small word in notes of several languages
        ("once ", "All at once, it was here.", ["once"]),
        # British and American spelling
        ("color ", "The colour of it", ["colour"]),
        ("favourite ", "My favorite color", ["favorite"]),
        ("organization ", "An organisation", ["organisation"]),
        ("traveling ", "She was travelling", ["travelling"]),
        ("cataloged ", "They catalogued it", ["catalogued"]),
        ("license ", "A licence", ["licence"]),
        ("gray ", "A grey wall", ["grey"]),
        ("sober ", "A sobre dinner", []),
        # stems of the note's own language
        ("haus ", GERMAN, ["Häuser"]),
        ("verfassungsgerichte ", GERMAN, ["Verfassungsgericht"]),
        ("manger ", FRENCH, ["mangé"]),
        ("preparer ", FRENCH, ["préparées"]),
        ("книга ", RUSSIAN, ["книги"]),
        ("kitap ", TURKISH, ["kitaplar"]),
        # a Korean word with the small words that are joined to it
        ("책을 ", "새 책이 왔다. 책을 샀다. 책상.", ["책이", "책을"]),
        ("학교를 ", "학교가 멀다. 학교를 본다. 학교.", ["학교가", "학교를"]),
        # the last syllable of a word is no small word
        ("나이 ", "나는 나이를 안다.", ["나이"]),
        ("사과 ", "집 사이에 사과가 있다.", ["사과"]),
        ("회의 ", "회로 도면은 회의 뒤에 본다.", ["회의"]),
        ("가을 ", "가로 등이 켜진 가을.", ["가을"]),
        # a German word by its last part
        ("gericht ", GERMAN, ["Verfassungsgericht"]),
        ("gerichte ", GERMAN, ["Verfassungsgericht"]),
        ("schrank ", "Der Kühlschrank ist nicht in der Stadt.", ["Kühlschrank"]),
        ("court ", "This is the supercourt of the land, and it is not here.", []),
        # words that have lost their end before an apostrophe, which may be left out
        ("l'eau ", "L’eau est froide", ["L’eau"]),
        ("leau ", "L’eau est froide", ["L’eau"]),
        ("l'eau ", "une eau froide", ["eau"]),
        ("qu'est-ce ", "qu un jour, quiconque", []),
        ("jusqu'au port ", "le port, au sud", ["port", "au"]),
        ("dell'isola ", "dell alba, isola", ["isola"]),
        ("obrien ", "Mr O'Brien came", ["O'Brien"]),
        ("O'Brien ", "Mr Obrien came", ["Obrien"]),
        ("мята ", "м'ята росте", ["м'ята"]),
        ("м'ята ", "мята росте", ["мята"]),
        ("м'ята ", "ята м", []),
        ("пять ", "п’ять днів", ["п’ять"]),
        # initials, telephone numbers and amounts
        ("USA ", "the U.S.A. and us", ["U.S.A"]),
        ("u.s.a. ", "the USA", ["USA"]),
        ("phd ", "a Ph.D. in it", ["Ph.D"]),
        ("491701234567 ", "+49 170 1234567, 49, 170", ["49 170 1234567"]),
        ("+491701234567 ", "+49 170 12345 67", ["49 170 12345 67"]),
        ("5551234567 ", "(555) 123-4567", ["555) 123-4567"]),
        ("5551234567 ", "555 124 4567", []),
        ("100km/h ", "at 100 km/h", ["100 km/h"]),
        ("100 km/h ", "at 100km/h", ["100km/h"]),
        ("3.5 mm ", "a 3.5mm jack", ["3.5mm"]),
        ("3.5mm ", "a 3.5 mm jack", ["3.5 mm"]),
        ("2,5kg ", "2,5 kg Mehl", ["2,5 kg"]),
        ("TV's ", "an old TV", ["TV"]),
        ("we'll ", "a well", []),
        # letters with several ways to type them
        ("strasse ", GERMAN, ["Straße"]),
        ("straße ", "Die Strasse ist hier und nicht da.", ["Strasse"]),
        ("crepe ", FRENCH, ["crêpes"]),
        ("елку ", RUSSIAN, ["ёлку"]),
        ("isik ", TURKISH, ["ışık"]),
        ("duong ", VIETNAMESE, ["đường"]),
        ("lodz ", "Łódź", ["Łódź"]),
        ("ol ", "et øl", ["øl"]),
        ("encyclopaedia ", "an encyclopædia", ["encyclopædia"]),
        ("ελλαδα ", "Η Ελλάδα", ["Ελλάδα"]),
        ("احمد ", "ذهب أحمد", ["أحمد"]),
        ("الكتاب ", "مع الكتـــاب", ["الكتـــاب"]),
        ("ذهب ", "ذَهَبَ", ["ذَهَبَ"]),
        ("שלום ", "שָׁלוֹם עליכם", ["שָׁלוֹם"]),
        ("हिन्दी ", "मैं हिन्दी में", ["हिन्दी"]),
        ("ไทย", "ภาษาไทยสวย", ["ไทย"]),
        ("ខ្មែរ", "ភាសាខ្មែរ", ["ខ្មែរ"]),
        ("ガラス", "赤いｶﾞﾗｽの", ["ｶﾞﾗｽ"]),
        # words of code
        ("state ", CODE, ["useState"]),
        ("useState ", CODE, ["useState"]),
        ("usestate ", CODE, ["useState"]),
        ("element id ", CODE, ["getElementById"]),
        ("snake_case_name ", CODE, ["snake_case_name"]),
        ("dotted.name.here ", CODE, ["dotted.name.here"]),
        # names in code, written in another style
        ("snakeCaseName ", CODE, ["snake_case_name"]),
        ("dottedNameHere ", CODE, ["dotted.name.here"]),
        ("get_element_by_id ", CODE, ["getElementById"]),
        ("httpProxyUrl ", "set HTTP_PROXY_URL", ["HTTP_PROXY_URL"]),
        ("XMLHttpRequest ", "an xml-http-request", ["xml-http-request"]),
        ("parseConfigFile ", "parse config file", ["parse config file"]),
        ("parseConfigFile ", "parse the config, a file", []),
        ("configFile ", "Call parseConfigFile.", ["parseConfigFile"]),
        ("parseConfig ", "Call parseConfigFile.", ["parseConfigFile"]),
        ("http_request ", "an XMLHttpRequest", ["XMLHttpRequest"]),
        ("parseFile ", "Call parseConfigFile.", []),
        ("mycomponent ", CODE, ["my-component"]),
        # hyphens
        ("email ", "an e-mail", ["e-mail"]),
        ("mail ", "an e-mail", ["mail"]),
        ("cooperate ", "they co-operate", ["co-operate"]),
        ("foobar ", "a foo-bar, fooBar", ["foo-bar", "fooBar"]),
        ("foo-bar ", "a foo-bar, fooBar", ["foo-bar", "fooBar"]),
        ("naivete ", "so naïve-té", ["naïve-té"]),
        ("e-mail ", "an email", ["email"]),
        ("e-mail ", "an e-mail", ["e-mail"]),
        ("state-of-the-art ", "a state-of-the-art thing", ["state-of-the-art"]),
        ("utf8 ", "in UTF-8 or utf-16", ["UTF-8"]),
        ("utf-8 ", "in utf8 or utf16", ["utf8"]),
        ("covid19 ", "of COVID-19", ["COVID-19"]),
        ("page2 ", "on page-2026-11", []),
        ('"alive" ', "a live show", []),
        # amounts
        ("5mg ", "5 mg of it", ["5 mg"]),
        ("5 mg ", "5mg of it", ["5mg"]),
        ("take 5 mg ", "take 5mg, or 5 drops", ["take", "5mg", "5"]),
        ("5mg ", "5 drops, a mg", []),
        # a number beside a word
        ("iphone15 ", "an iPhone 15", ["iPhone 15"]),
        ("iphone 15 ", "the iphone15", ["iphone15"]),
        ("mp 3 ", "an MP3 player", ["MP3"]),
        ("iphone15 ", "15 iPhones, an iPhone", []),
        # two words as one
        ("nodejs ", "run node.js", ["node.js"]),
        ("username ", "the user_name or user name", ["user_name", "user name"]),
        ("acdc ", "AC/DC live", ["AC/DC"]),
        ("setup ", "we set up a tent", ["set up"]),
        ("data base ", "a database", ["database"]),
        ("health check ", "each healthcheck", ["healthcheck"]),
        ("username ", "a user of this name", []),
        # letters left out of a word
        ("dont ", "I don't", ["don't"]),
        ("don’t ", "I dont", ["dont"]),
        ("can't ", "I cant", ["cant"]),
        ("can't ", "I can't: a t, a can", ["can't"]),
        ("don't ", "I don’t know Don, a t", ["don’t"]),
        ("what's ", "what else has an s", []),
        ("anna's cats ", "cats of Anna, an s", ["cats", "Anna"]),
        ("l'eau ", "une eau de l", ["eau"]),
        # signs, numbers, addresses
        ("c++ ", "C++ and C", ["C++"]),
        ("c ", "C++ and C", ["C", "C"]),
        ("c# ", "C and C#", ["C#"]),
        (".env ", "put it in .env", [".env"]),
        ("env ", "put it in .env", ["env"]),
        (".net ", "ASP.NET", [".NET"]),
        ("--save-dev ", "use --save-dev or save-dev", ["--save-dev", "save-dev"]),
        ("~/notes/a.md ", "in ~/notes/a.md.", ["~/notes/a.md"]),
        ("AT&T ", "from AT&T, a tea, all t", ["AT&T"]),
        ("(kyoto, ", "(Kyoto, Nara)", ["Kyoto"]),
        ("3.11.7 ", "Python 3.11.7", ["3.11.7"]),
        ("v2 ", "v2 is out", ["v2"]),
        ("v2.10 ", "v2.1, v2.10, 2.10", ["v2.10"]),
        ("2.13.1 ", "v2.13.1, v3.13.1, 13", ["v2.13.1"]),
        ("v2.13.1 ", "v2.13.1, 2.13.1", ["v2.13.1"]),
        # a missing version: the nearest one
        ("3.11.9 ", "Python 3.11.7, 3 times 11", ["3.11"]),
        ("9.8.7 ", "7 of 9", ["7", "9"]),
        ("john.doe@example.com ", ADDRESSES, ["john.doe@example.com"]),
        ("https://example.org/a/b?x=1 ", ADDRESSES, ["https://example.org/a/b?x=1"]),
        ("C:\\Users\\me ", ADDRESSES, ["C:\\Users\\me"]),
        # symbols
        ("🚀", "a 🚀 launch", ["🚀"]),
        ("🚀 launch ", "a 🚀 launch", ["🚀", "launch"]),
        ('"🚀 launch" ', "a 🚀launch 🚀", ["🚀launch"]),
        ("👩‍👩‍👧", "the 👩‍👩‍👧 and a 👩", ["👩‍👩‍👧"]),
        ("❤", "with ❤️", ["❤️"]),
        ("👍🏽", "a 👍", ["👍"]),
        ("🇩🇪", "🇩🇪🇫🇷", ["🇩🇪"]),
        ("→ ", "here → there", ["→"]),
        ("≠ ", "x =\u0338 y", ["=\u0338"]),
        ("🚀", "a launch", []),
        # misspelt
        ("recieve ", "what we receive", ["receive"]),
        ("pyhton ", "some python", ["python"]),
        ("postgers ", "run postgres", ["postgres"]),
        ("kubernets ", "on kubernetes", ["kubernetes"]),
        ("kingfsher ", "a kingfisher", ["kingfisher"]),
        ("cormrant ", "a cormorant", ["cormorant"]),
        ("cormorantt ", "a cormorant", ["cormorant"]),
        ("lingfisher ", "a kingfisher", ["kingfisher"]),
        ("ingfisher ", "a kingfisher", ["kingfisher"]),
        # slips in an ending that the stemmer would cut off
        ("renovaton ", "the renovation", ["renovation"]),
        ("renovatoin ", "the renovation", ["renovation"]),
        ("renovatin", "the renovation", ["renovation"]),
        ("worekd ", "it worked", ["worked"]),
        ("opertaion ", "the opera, an operation", ["operation"]),
        # prefixes with another stem
        ("rigg*", "the rigging", ["rigging"]),
        ("runn*", "running, a runner", ["running", "runner"]),
        ("rigging*", "the rigging", ["rigging"]),
        ("renovatio", "the renovation", ["renovation"]),
        ("makin", "the making", ["making"]),
        ("häuse", GERMAN, ["Häuser"]),
        ("تعطی", PERSIAN, ["تعطیلات"]),
        ("تعطیلا", PERSIAN, ["تعطیلات"]),
        ("getek", "Hij heeft het huis niet getekend, maar wel dit.", ["getekend"]),
        ("القصا", "قرأنا القصائد في هذا البيت.", ["القصائد"]),
        # a sign ends a word
        ("Vec<T>", "vectors to store types", []),
        ("90€", "90 €, of 900", ["90 €"]),
        ("a cat?", "a cat, a catalogue", ["cat"]),
        ("c++", "C++20 and C++", ["C++", "C++"]),
        ("node.", "node.js, nodes", ["node", "nodes"]),
        # no match
        ("c++ ", "Env, a thing", []),
        ("teh ", "the tea", []),
        ("parceling ", "to cancel", []),
        ("trigg*", "the rigging", []),
        ('"recieve" ', "what we receive", []),
        ("flights ", "the lights", []),
        ("京东", "東京都", []),
    ],
)
def test_each_way_to_write_it_matches(
    typed: str, text: str, marked: list[str], reader_of: ReaderOf
) -> None:
    found = matches(reader_of(text), typed, text)
    assert [text[start:end] for start, end in found] == marked


@pytest.mark.parametrize(
    ("query", "spelling"),
    [
        ("recieve ", [Respelling("recieve", "receive")]),
        ("we recieve kubernetes ", [Respelling("recieve", "receive")]),
        ('"recieve" ', []),
        ("-recieve kubernetes ", []),
        # in the index, or a prefix or the stem of a word there
        ("kubern", []),
        ("kubernets ", []),
        ("receiving ", []),
        # another word, too short, no letters
        ("flights ", []),
        ("teh ", []),
        ("pods2 ", []),
        ("東京 ", []),
        ("xqzzyv ", []),
    ],
)
def test_only_words_that_no_section_has_are_corrected(
    query: str, spelling: list[Respelling], library_of: LibraryOf
) -> None:
    library = library_of({"a.md": "We receive pods on kubernetes.", "b.md": "Lights on. 北京"})
    assert list(library.search(query, mode="words").spelling) == spelling


def test_two_words_count_too_if_more_sections_have_these(library_of: LibraryOf) -> None:
    streams = {f"{n}.md": f"# Stream {n}\n\nA readable of Node.js." for n in range(3)}
    library = library_of({**streams, "address.md": "# Learn\n\nOn nodejs.org, or log in."})
    found = library.search("nodejs ", mode="words").sections
    assert {section.path for section in found} == {"address.md", *streams}


@pytest.mark.parametrize(
    ("query", "best"),
    [("parseConfigFile", "camel.md"), ("parse_config_file", "snake.md")],
)
def test_a_name_in_code_finds_its_own_style_first(
    query: str, best: str, library_of: LibraryOf
) -> None:
    library = library_of(
        {
            "camel.md": "Call parseConfigFile early.",
            "snake.md": "Call parse_config_file early.",
            "other.md": "Parse a file after the config.",
        }
    )
    paths = [section.path for section in library.search(f"{query} ", mode="words").sections]
    assert paths[0] == best
    assert set(paths[:2]) == {"camel.md", "snake.md"}


def test_the_numbers_of_a_date_count_only_if_no_note_has_the_date(library_of: LibraryOf) -> None:
    table = "# Nights\n\n6–10 in Kyoto, 13–14 in Osaka."
    library = library_of({"launch.md": "# Launch\n\nOn 14 June.", "trip.md": table})
    found = {
        typed: [section.path for section in library.search(typed, mode="words").sections]
        for typed in ("14.6.", "13.6.")
    }
    assert found == {"14.6.": ["launch.md"], "13.6.": ["trip.md"]}


def test_two_words_that_fewer_sections_have_do_not_count(library_of: LibraryOf) -> None:
    together = {f"{n}.md": f"# Trip {n}\n\nWe go together." for n in range(3)}
    library = library_of({**together, "learn.md": "# Learn\n\nTo gether."})
    found = library.search("together ", mode="words").sections
    assert {section.path for section in found} == together.keys()


def test_a_plural_that_is_being_typed_is_not_cut_in_two(library_of: LibraryOf) -> None:
    # In Italian and Dutch, "definiti ons" has the stems of "defined on".
    both = {f"{n}.md": "# Page\n\nThe definitions are here. It is defined on it." for n in range(2)}
    italian = "# Altra\n\nQuesta è la pagina con i termini definiti e le parole che non sono qui."
    dutch = "# Ander\n\nDit is van ons, en dat is niet de tekst van een ander, maar van ons."
    library = library_of({**both, "it.md": italian, "nl.md": dutch})
    (first, _) = library.search("page definitions", mode="words").sections
    assert [first.snippet.text[a:b] for a, b in first.snippet.marks] == ["definitions"]


def test_a_misspelt_word_finds_the_right_one(library_of: LibraryOf) -> None:
    library = library_of({"a.md": "# Post\n\nWe receive parcels."})
    (section,) = library.search("recieve parcels", mode="words").sections
    assert [section.snippet.text[a:b] for a, b in section.snippet.marks] == ["receive", "parcels"]


@pytest.mark.parametrize(
    ("often", "query", "spelling"),
    [
        (20, "recieve ", [Respelling("recieve", "receive", also=True)]),
        (20, "recieve", [Respelling("recieve", "receive", also=True)]),
        (19, "recieve ", []),
        (20, '"recieve" ', []),
        # a prefix of another word, or in two sections
        (20, "recei", []),
        (20, "perceive ", []),
    ],
)
def test_a_very_rare_word_gets_an_alternative(
    often: int, query: str, spelling: list[Respelling], library_of: LibraryOf
) -> None:
    notes = {f"{number}.md": "We receive it." for number in range(often)}
    library = library_of(notes | {"slip.md": "They recieve and perceive.", "p.md": "I perceive."})
    found = library.search(query, mode="words", limit=30)
    assert list(found.spelling) == spelling
    if spelling:
        assert found.sections[0].path == "slip.md"
        assert len(found.sections) == often + 1


def test_a_word_with_signs_is_not_found_without_them(library_of: LibraryOf) -> None:
    library = library_of({"cpp.md": "Templates of C++.", "c.md": "Pointers of C, in c and C."})
    assert [s.path for s in library.search("c++", mode="words").sections] == ["cpp.md"]


def test_a_name_is_found_by_the_short_form_it_ends_with(library_of: LibraryOf) -> None:
    library = library_of({"net.md": "Use .NET.", "asp.md": "Use ASP.NET.", "no.md": "A net."})
    found = {s.path for s in library.search(".net", mode="words").sections}
    assert found == {"net.md", "asp.md"}


def test_function_words_of_the_language_of_the_notes_are_ignored(library_of: LibraryOf) -> None:
    filler = "Hier ist der Text, und er ist nicht auf Englisch, sondern für uns."
    library = library_of(
        {"a.md": f"Die Butter. {filler}", "b.md": f"Das Mehl und die Eier. {filler}"}
    )
    assert [s.path for s in library.search("wo ist die butter", mode="words").sections] == ["a.md"]
    assert len(library.search("die und das", mode="words").sections) == 2


def test_english_words_are_function_words_in_a_question_in_another_language(
    library_of: LibraryOf,
) -> None:
    german = "Hier ist der Text, und er ist nicht auf Englisch, sondern für uns."
    english = "This is the text of the other notes, and it is not in German but for us."
    library = library_of(
        {
            "a.md": f"Das Brot. {german}",
            "b.md": f"Der Krieg war lang, den man hat. {german}",
            "c.md": f"The war and the den of a man. {english}",
            "d.md": f"A hat. {english}",
        }
    )
    asked = library.search("wer hat denn das Brot, den Teig und die Butter, und wo war man")
    assert [s.path for s in asked.sections if not s.by_meaning_alone] == ["a.md"]
    found = library.search("war", mode="words").sections
    assert {section.path for section in found} == {"b.md", "c.md"}


@pytest.mark.parametrize("query", ["qu'est-ce que le pain", "c'est quoi, le pain", "d'un pain"])
def test_function_words_that_lost_their_end_are_ignored(query: str, library_of: LibraryOf) -> None:
    filler = "Nous avons ce texte ici, et il est dans notre langue pour que ce soit clair."
    library = library_of(
        {
            "a.md": f"Pain. {filler}",
            "b.md": f"Lait. {filler} Qu'est-ce que c'est ? Un jour d'un mois.",
            "c.md": f"Eau. {filler} qu qu qu",
        }
    )
    assert [s.path for s in library.search(f"{query} ", mode="words").sections] == ["a.md"]


def test_a_german_compound_is_found_by_its_last_part(library_of: LibraryOf) -> None:
    filler = "Hier ist der Text, und er ist nicht auf Englisch, sondern für uns."
    library = library_of({"a.md": f"Der Kühlschrank. {filler}", "b.md": f"Schranken. {filler}"})
    found = library.search("schrank ", mode="words")
    assert [s.path for s in found.sections] == ["b.md", "a.md"]
    assert found.spelling == ()


def test_a_german_note_among_many_english_ones_is_found_by_a_last_part(
    library_of: LibraryOf,
) -> None:
    filler = "Hier ist der Text, und er ist nicht auf Englisch, sondern für uns."
    english = {f"en/{n}.md": f"This is the text of note {n}, and it is English." for n in range(60)}
    library = library_of({**english, "de.md": f"Der Kühlschrank. {filler}"})
    found = library.search("schrank ", mode="words")
    assert [s.path for s in found.sections] == ["de.md"]
    assert found.spelling == ()


def test_a_last_part_is_found_once_a_note_has_it(library_of: LibraryOf, vault: Path) -> None:
    filler = "Hier ist der Text, und er ist nicht auf Englisch, sondern für uns."
    library = library_of({"a.md": f"Die Milch. {filler}"})
    assert library.search("schrank ", mode="words").sections == ()
    write(vault, {"b.md": f"Der Kühlschrank. {filler}"})
    library.refresh()
    assert [s.path for s in library.search("schrank ", mode="words").sections] == ["b.md"]


GERMAN_AND_ENGLISH = {
    "way.md": "# Way back\n\nWe came back and then went to the garden with her.",
    "return.md": "# Return\n\nShe wants it back, and they gave it to her.",
    "geld.md": "# Lohn\n\nDas Geld ist noch nicht auf dem Konto, und der Chef weiß es nicht.",
}


@pytest.mark.parametrize(
    "query", ["backt", "wer backt den Kuchen", "gekauft ", "eingekauft", "geübt", "übte"]
)
def test_a_german_verb_is_found_in_another_form(query: str, library_of: LibraryOf) -> None:
    text = "Am Sonntag backen wir, und ich kaufe Eier. Die Kinder sollen üben und einkaufen."
    library = library_of({**GERMAN_AND_ENGLISH, "kuchen.md": f"# Kuchen\n\n{text}"})
    result = library.search(query, mode="words")
    assert [section.path for section in result.sections] == ["kuchen.md"]
    assert result.spelling == ()


def test_a_word_is_corrected_to_one_of_the_language_of_the_query(library_of: LibraryOf) -> None:
    library = library_of(GERMAN_AND_ENGLISH)
    assert library.search("backt ihr das für uns", mode="words").spelling == ()
    assert library.search("who gave it bakck", mode="words").spelling
    spelling = library.search("wo ist das Kotno", mode="words").spelling
    assert spelling == (Respelling("Kotno", "konto"),)


SPANISH = "Hay que pintar las que están en el salón, porque son de la casa y no de los vecinos."


def test_a_word_of_one_language_is_not_corrected_to_one_of_another(library_of: LibraryOf) -> None:
    many = {f"{n}.md": f"# Page {n}\n\nThe pages of the parades are with us." for n in range(30)}
    buch = "# Buch\n\nDas Buch ist nicht bei uns, und die pagas sind es auch nicht."
    library = library_of({**many, "buch.md": buch, "es.md": f"# Pared\n\n{SPANISH}"})
    found = library.search("paredes ", mode="words")
    assert [section.path for section in found.sections] == ["es.md"]
    assert found.spelling == ()
    assert library.search("pagas ", mode="words").spelling == ()
    (first, *_) = library.search("parrades ", mode="words").spelling
    assert first.meant == "parades"


def test_a_phrase_with_function_words_may_lack_their_accents(library_of: LibraryOf) -> None:
    notes = {
        "es.md": f"También vale la pena. {SPANISH}",
        "cs.md": "---\nlang: cs\n---\nProsím ještě jednou, který je to?\n",
        "it.md": "---\nlang: it\n---\nNon so perché piove.\n",
    }
    library = library_of(notes)
    for phrase, path in (
        ("tambien vale", "es.md"),
        ("jeste jednou", "cs.md"),
        ("perche piove", "it.md"),
    ):
        found = library.search(f'"{phrase}"', mode="words")
        assert [section.path for section in found.sections] == [path]


def test_a_turkish_capital_matches_the_plain_letter(library_of: LibraryOf) -> None:
    library = library_of({"tr.md": f"İzmir'de. {TURKISH}", "en.md": "A ferry to İzmir."})
    for typed in ("izmir ", "Izmir ", "İzmir ", "izm"):
        found = library.search(typed, mode="words").sections
        assert {s.path for s in found} == {"tr.md", "en.md"}, typed


def test_a_stem_of_one_language_is_no_function_word_of_another(library_of: LibraryOf) -> None:
    filler = "Hier ist der Text, und er ist nicht auf Englisch, sondern für uns."
    library = library_of(
        {
            "de.md": f"# Zeugnis\n\nEine Note und viele Noten. {filler}",
            "not.md": "It is not here, but all of them know.",
            "note.md": "This is a note on the theme of the house, and it was for us.",
        }
    )
    found = library.search("note ", mode="words").sections
    assert {s.path for s in found} == {"note.md", "de.md"}
    assert [s.path for s in library.search("noten ", mode="words").sections] == ["de.md"]
    assert [s.path for s in library.search("not ", mode="words").sections] == ["not.md"]


def test_a_moved_note_keeps_its_stems(library_of: LibraryOf) -> None:
    library = library_of({"a.md": GERMAN})
    (library.vault / "neu").mkdir()
    (library.vault / "a.md").rename(library.vault / "neu" / "a.md")
    library.refresh()
    assert [s.path for s in library.search("haus ", mode="words").sections] == ["neu/a.md"]
    assert library.check().problems == ()


_LETTERS = (string.ascii_letters, "äöüßéèçñøåæ", "абвгдеёжийы", "αβγδέήίς", "אבגדהו", "ابتثجأةى",
            "東京都入門", "ガラスひら", "한국어책", "ภาษาไทย", "हिन्दी",
            "🚀→❤️👍🏽👩‍🇩🇪")  # fmt: skip
_WORDS = st.sampled_from(_LETTERS).flatmap(lambda of: st.text(of, min_size=2, max_size=12))


@given(words=st.lists(_WORDS, min_size=1, max_size=5), data=st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_word_of_a_note_finds_it(
    words: list[str], data: st.DataObject, reader_of: ReaderOf
) -> None:
    text = " ".join(words)
    reader = reader_of(text)
    word = data.draw(st.sampled_from(words))
    assume(reader.lexicon.tokens(word) and word not in {"OR", "AND", "NOT"})
    assert matches(reader, f"{word} ", text)


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("مدرسة ", ["كمدرسة"]),
        ("مدينة ", ["لمدينة"]),
        ("مدين", ["لمدينة"]),
        ("فندق ", ["بفندق"]),
        ("لام ", []),  # "speech" is not "as mother"
    ],
)
def test_arabic_particles_before_a_word(
    library_of: LibraryOf, typed: str, found: list[str]
) -> None:
    text = "هذا المكان كمدرسة صغيرة، ذهبنا لمدينة بعيدة ونمنا بفندق جميل. الكلام كثير هنا."
    sections = library_of({"ar.md": text}).search(typed, mode="words").sections
    marks = [s.snippet.text[start:end] for s in sections for start, end in s.snippet.marks]
    assert marks == found


@pytest.mark.parametrize(
    ("query", "path", "missing"),
    [
        ("ideas.md", "ideas.md", ()),
        ("IDEAS.md cake", "ideas.md", ()),
        ("2026-05-01 fair.md", "plans/2026-05-01 fair.md", ()),
        ("plans/2026-05-01 fair.md", "plans/2026-05-01 fair.md", ()),
        ("where is ideas.md, cake", "ideas.md", ()),
        # a name with signs of the query language
        ("notes (old).md", "notes (old).md", ()),
        ("notes (old).md fluff", "notes (old).md", ()),
        ("plans/notes (old).md", "notes (old).md", ()),
        ("(old) shed 1 000.md", "(old) shed 1 000.md", ()),
        ("re: shed, old.md", "re: shed, old.md", ()),
        ("-draft.md", "-draft.md", ()),
        ('the "big" tree.md', "the big tree.md", ()),
    ],
)
def test_the_type_of_a_file_that_is_named_is_not_missed(
    query: str, path: str, missing: tuple[str, ...], library_of: LibraryOf
) -> None:
    notes = {"ideas.md": "# Bake\n\nA cake.", "plans/2026-05-01 fair.md": "# Stalls\n\nTents."}
    names = ("notes (old)", "(old) shed 1 000", "-draft", "re: shed, old", "the big tree")
    notes |= {f"{name}.md": "# Dust\n\nFluff." for name in names}
    found = library_of(notes).search(f"{query} ", mode="words")
    assert (found.sections[0].path, found.missing) == (path, missing)


@pytest.mark.parametrize(
    ("query", "found"),
    [("run-time ", ["a.md"]), ("run-ti", ["a.md"]), ("time-run ", ["a.md", "b.md"])],
)
def test_words_joined_by_a_hyphen_are_found_apart_only_if_no_note_has_them_together(
    library_of: LibraryOf, query: str, found: list[str]
) -> None:
    library = library_of({"a.md": "A run-time error.", "b.md": "We run. It takes time."})
    assert sorted(s.path for s in library.search(query, mode="words").sections) == found

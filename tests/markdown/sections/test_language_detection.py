"""The language of a note: from its front matter, else from its script and words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notesearch.function_words import FUNCTION_WORDS
from notesearch.markdown.sections.language_detection import (
    detected_language,
    named_language,
    query_language,
)
from notesearch.markdown.sections.note_parser import parse_note


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("We went to the market and bought some of the apples that they had.", "en"),
        ("Wir gingen auf den Markt und haben die Äpfel gekauft, die es nur dort gibt.", "de"),
        ("Nous sommes allés au marché et nous avons acheté des pommes pour la tarte.", "fr"),
        ("Fuimos al mercado y compramos las manzanas que había para el pastel.", "es"),
        ("Siamo andati al mercato e abbiamo comprato delle mele per la torta che è buona.", "it"),
        ("Fomos ao mercado e não havia maçãs para o bolo que você queria.", "pt"),
        ("We gingen naar de markt en kochten appels voor de taart die het lekkerst is.", "nl"),
        ("Vi gick till torget och köpte äpplen som är bra för en kaka.", "sv"),
        ("Poszliśmy na targ i kupiliśmy jabłka, które są dobre do ciasta.", "pl"),
        ("Мы пошли на рынок и купили яблоки, которые хороши для пирога.", "ru"),
        ("Ми пішли на ринок і купили яблука, які є добрими для пирога.", "uk"),
        ("Pazara gittik ve çok güzel elma aldık; bu elmalar pasta için iyi.", "tr"),
        ("Chúng tôi đã đi chợ và mua những quả táo để làm bánh.", "vi"),
        ("ذهبنا إلى السوق واشترينا التفاح الذي كان في الحديقة", "ar"),
        ("הלכנו לשוק וקנינו תפוחים לעוגה", "he"),
        ("Πήγαμε στην αγορά και αγοράσαμε μήλα", "el"),
        ("私たちは市場へ行ってりんごを買いました。", "ja"),
        ("我们去市场买了一些苹果来做蛋糕。", "zh"),
        ("우리는 시장에 가서 사과를 샀습니다.", "ko"),
        ("เราไปตลาดและซื้อแอปเปิลมาทำขนม", "th"),
        ("हम बाज़ार गए और सेब खरीदे", "hi"),
        ("पुरानी फाइल को खोलना", "hi"),
        ("बिरालोलाई खोप लगाइयो", "ne"),
        ("छोरीको परीक्षा असारमा हुन्छ।", "ne"),
        # names and code in Latin letters do not hide the language
        ("使用 Python 和 NumPy 计算矩阵 import numpy as np", "zh"),
        # a note of a few words
        ("Zobacz dokumentację oryginalnego polecenia: to polecenie jest aliasem.", "pl"),
        ("Kauce se vrátí příští měsíc. Dvacet krabic.", "cs"),
        ("Vonattal mentünk, és egy régi házban aludtunk.", "hu"),
        ("Depozito gelecek ay geri verilecek. Arka lastik patladı, zinciri yağladım.", "tr"),
        ("Keitän linssejä sipulin ja kuminan kanssa puoli tuntia.", "fi"),
        ("Тази команда е псевдоним на друга команда.", "bg"),
        ("Ова наредба је псеудоним за другу наредбу.", "sr"),
        # Norwegian and Danish have the same short words
        ("Foreldremøtet er i november. Læreren sier at han må øve på matte.", "nb"),
        ("Jeg skal af sted efter mødet, og så må du ringe til mig.", "da"),
        # letters decide where no words do
        ("Київ, їжак, ґанок, подорож", "uk"),
        ("Зелёный чай, улица Ленина", "ru"),
        ("المدرسة القهوة كتاب جديد", "ar"),
        ("چای ایرانی پرتقال", "fa"),
        ("کتاب خواهم دانشگاه", "fa"),
        # too little to tell
        ("", ""),
        ("Tokyo 2024", ""),
        ("Scales in C minor", ""),
        ("Publish it on crates.io", ""),
        ("npm i -D @playwright/test", ""),
        ("git clone https://example.org/0a30d52feeb3ff60f7d8636b0bde296b.git", ""),
        ("Go to Settings → Tasks", ""),
        ("Ports undx1, derx2, istx3, diex4", ""),
        ("a = b + c; return d", ""),
        ("let v = vec; v.push(v); v.pop(v); drop(v)", ""),
        ("東京", ""),
    ],
)  # fmt: skip
def test_the_language_of_a_text(text: str, language: str) -> None:
    assert detected_language([text]) == language


@pytest.mark.parametrize(
    ("properties", "language"),
    [
        ({"lang": "de"}, "de"),
        ({"Language": "German"}, "de"),
        ({"lang": "pt-BR"}, "pt"),
        ({"lang": "zh_Hans"}, "zh"),
        ({"lang": "no"}, "nb"),
        ({"lang": "ne-NP"}, "ne"),
        ({"language": "Deutsch "}, "de"),
        ({"language": "python"}, ""),
        ({"lang": "latin"}, ""),
        ({"lang": ""}, ""),
        ({"title": "de"}, ""),
        ({}, ""),
    ],
)
def test_front_matter_names_a_language(properties: dict[str, str], language: str) -> None:
    assert named_language(properties) == language


def test_front_matter_overrides_the_text() -> None:
    english = "This is what we had and this is what they have."
    assert parse_note(english, "a.md").language == "en"
    assert parse_note(f"---\nlang: de\n---\n{english}", "a.md").language == "de"
    assert parse_note(f"---\nlanguage: rust\n---\n{english}", "a.md").language == "en"


def test_the_main_part_of_a_note_decides() -> None:
    german = "Hier ist der Text, und er ist nicht auf Englisch, sondern für uns in Deutsch. " * 4
    assert parse_note(f"# The list of all\n\n{german}", "a.md").language == "de"


@pytest.mark.parametrize(
    ("query", "language"),
    [
        ("помидори огурки", ""),  # may be Ukrainian
        ("как и когда нужно посадить помидоры", "ru"),
        ("як і коли треба садити її", "uk"),
        ("ντομάτα στον κήπο", "el"),
        ("wie und wann werden Tomaten gepflanzt", "de"),
        ("tomatoes", ""),
    ],
)
def test_the_language_of_a_query_is_not_guessed(query: str, language: str) -> None:
    assert query_language(query) == language


def test_function_words_are_lower_case() -> None:
    assert all(word == word.lower() for words in FUNCTION_WORDS.values() for word in words)


@given(st.text(max_size=200))
def test_any_text_has_a_language_or_none(text: str) -> None:
    assert len(detected_language([text])) in {0, 2}

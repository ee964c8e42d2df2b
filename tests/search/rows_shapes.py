"""Rows about the shape of notes: short and long, templates, copies, journals; and about meaning."""

from tests.search.rows import MEANING, Row, Theme, rambling


def _day(date: str, weather: str, thanks: str) -> str:
    return f"# {date}\n\n## Weather\n\n{weather}\n\n## Thankful for\n\n{thanks}\n\n## Tasks\n"


SHAPES = Theme(
    "short, long, hollow, copied and daily",
    {
        "guests/Welcome.md": "# Welcome\n\n## Wifi password\n\nbadger-seven-lamp\n\n## Bins\n\n"
        "Thursday.\n",
        "guests/Story of the house.md": f"# Story of the house\n\n{rambling(30)} The wifi is new"
        f" and so is its password. {rambling(30)}\n",
        "journal/2024-03-14.md": _day("2024-03-14", "Hail at noon.", "The new kettle."),
        "journal/2024-03-15.md": _day("2024-03-15", "Clear and cold.", "A letter."),
        "journal/2024-03-16.md": _day("2024-03-16", "Fog until ten.", "Soup."),
        "templates/Day.md": "# {{date}}\n\n## Weather\n\n## Thankful for\n\n## Tasks\n",
        "mind/Being thankful.md": "# Being thankful\n\nWrite down three things each evening.\n",
        "plans/Orchard.md": "# Orchard\n\nTwelve quinces along the southern wall.\n",
        "archive/Orchard (copy).md": "# Orchard\n\nTwelve quinces along the southern wall.\n",
        "shop/Contacts.md": "# Contacts\n\n## Paint\n\n## Glass\n\nMiss Orme cuts glass to size.\n",
        "shop/Painting.md": "# Painting\n\nTwo coats of paint, and wait a day between.\n",
        "choir/Pieces.md": "# Pieces\n\n"
        + "".join(f"## Motet {i}\n\nA motet for {i} voices.\n\n" for i in range(2, 9)),
        "choir/Concert.md": "# Concert\n\nOne motet, two carols.\n",
    },
    (
        Row("wifi password", ("guests/Welcome.md#Wifi password", "guests/Story of the house.md")),
        Row("password for the wifi", ("guests/Welcome.md#Wifi password",)),
        Row("wi-fi password", ("guests/Welcome.md#Wifi password",)),
        Row("2024-03-15", ("journal/2024-03-15.md",)),
        Row("hail", ("journal/2024-03-14.md#Weather",)),
        Row("weather fog", ("journal/2024-03-16.md#Weather",), below=("templates/Day.md#Weather",)),
        Row("thankful kettle", ("journal/2024-03-14.md#Thankful for",)),
        Row("being thankful", ("mind/Being thankful.md",)),
        Row("orchard quinces", ("plans/Orchard.md", "archive/Orchard (copy).md")),
        Row("glass orme", ("shop/Contacts.md#Glass",)),
        Row("motet", ("choir/Pieces.md", "choir/Concert.md")),
        Row("motet carols", ("choir/Concert.md", "choir/Pieces.md")),
        Row("motet 5 voices", ("choir/Pieces.md#Motet 5",)),
    ),
)

MEANINGS = Theme(
    "other words for it",
    {
        "house/Cover.md": "# Cover\n\nThe vehicle policy must be extended each autumn, or we drive"
        " uninsured.\n",
        "house/Calls.md": "# Calls\n\nRang about the car. Renewal of the insurance is due.\n",
        "health/Winter.md": "# Winter\n\n## Low spirits\n\nWhen days are short I get gloomy and"
        " tired; the bright lamp at breakfast lifts it.\n",
        "home/Rugs.md": "# Rugs\n\nSpilt merlot: blot it, then salt and soda water.\n",
        "health/Back.md": "# Back\n\nStretching each morning eases the pain in my spine.\n",
        "travel/Fares.md": "# Fares\n\nLow-cost airlines sell seats for less on Tuesdays.\n",
        "garden/Slugs.md": "# Slugs\n\nThey eat the lettuce at night; put down copper tape.\n",
        "work/Leaving.md": "# Leaving\n\nHand in notice a month before quitting the firm.\n",
        "kids/Sleep.md": "# Sleep\n\nThe baby wakes at three; feed, change, and back to the cot.\n",
    },
    (
        Row("car insurance renewal", ("house/Calls.md", "house/Cover.md"), modes=MEANING),
        Row("feeling sad when it gets dark early", ("health/Winter.md",), modes=MEANING),
        Row("red wine stain on the carpet", ("home/Rugs.md",), modes=MEANING),
        Row("exercises against backache", ("health/Back.md",), modes=MEANING),
        Row("cheap flights", ("travel/Fares.md",), modes=MEANING),
        Row("snails eating my salad", ("garden/Slugs.md",), modes=MEANING),
        Row("how to resign", ("work/Leaving.md",), modes=MEANING),
        Row("infant crying in the night", ("kids/Sleep.md",), modes=MEANING),
        Row("xqzzt vrrmbl", (), absent=("kids/Sleep.md",)),
    ),
)

FILTERS = Theme(
    "filters before the best are chosen",
    {
        "ward/Rota March.md": "---\ntags: [rota]\nmonth: 3\n---\n# Rota March\n\n## Evenings\n\n"
        "- [ ] ask Imogen about the evening shift\n",
        "ward/Rota April.md": "---\ntags: [rota, old/2020]\nmonth: 4\n---\n# Rota April\n\n"
        "## Evenings\n\n- [x] ask Imogen about the evening shift\n",
        "ward/Handover.md": "# Handover\n\n## Evenings\n\nImogen has the keys; the evening shift"
        " ends at eight.\n\n| bed | who |\n|---|---|\n| 4 | Mr Quill |\n",
    },
    (
        Row("imogen march tag:rota", ("ward/Rota March.md",), absent=("ward/Handover.md",)),
        Row("imogen -tag:rota", ("ward/Handover.md",), absent=("ward/Rota March.md",)),
        Row("imogen tag:old", ("ward/Rota April.md",), absent=("ward/Rota March.md",)),
        Row("imogen task:todo", ("ward/Rota March.md",), absent=("ward/Rota April.md",)),
        Row("imogen task:done", ("ward/Rota April.md",), absent=("ward/Rota March.md",)),
        Row("evening shift has:table", ("ward/Handover.md",), absent=("ward/Rota April.md",)),
        Row("evening shift prop:month>3", ("ward/Rota April.md",), absent=("ward/Rota March.md",)),
        Row("evening shift file:handover", ("ward/Handover.md",), absent=("ward/Rota March.md",)),
        Row("quill OR nobodyatall", ("ward/Handover.md",)),
        # No filter of that name: it is searched as text, which no note has.
        Row("quill foo:bar", ("ward/Handover.md",)),
    ),
)

TYPOS = Theme(
    "slips of the keyboard",
    {
        "birds/Kingfisher.md": "# Kingfisher\n\nSeen at the weir, a blue flash.\n",
        "birds/Watching.md": "# Watching\n\nAll observations of the year, by dusk and by day.\n",
        "birds/Heron.md": "# Heron\n\nStands in the reeds until dusk.\n",
        "birds/Cormorant.md": "# Cormorant\n\nDries its wings on the buoy.\n",
    },
    (
        Row("kingfihser", ("birds/Kingfisher.md",)),
        Row("kingfsher", ("birds/Kingfisher.md",)),
        Row("kingfisherr", ("birds/Kingfisher.md",)),
        Row("cormrant", ("birds/Cormorant.md",)),
        Row("hreon", ("birds/Heron.md",)),
        Row("cormorrant wings", ("birds/Cormorant.md",)),
        # A slip in the ending, which the stemmer cuts off in the index.
        Row("observatons at dusk", ("birds/Watching.md",)),
        Row("observtaion", ("birds/Watching.md",)),
        Row("kingfisher wier", ("birds/Kingfisher.md",)),
    ),
)

THEMES = (SHAPES, MEANINGS, FILTERS, TYPOS)

"""Rows about words: all before some, phrases, unfinished words, stems, questions, code."""

from tests.search.rows import Row, Theme, rambling

TOGETHER = Theme(
    "all words before some, and together before apart",
    {
        "van/Overhaul.md": "# Overhaul\n\n## Putting it back\n\nA new gasket first, then tighten"
        " the bolts to the torque in the manual.\n",
        "van/Torque.md": "# Torque\n\nTorque is force times length. Torque wrenches want care.\n",
        "van/Gaskets.md": "# Gaskets\n\nCork, rubber, copper.\n",
        "street/Number nine.md": "# Number nine\n\nThey painted the blue door last week.\n",
        "street/Number ten.md": "# Number ten\n\nThe door is new. The bins are blue.\n",
        "street/Number six.md": f"# Number six\n\nA door. {rambling(12)} Everything is blue.\n",
        "fruit/Apple pie.md": "# Apple pie\n\nShort crust, sharp apples.\n",
        "fruit/Apple trees.md": "# Apple trees\n\nPrune the apple in winter.\n",
        "camp/Kit.md": "# Kit\n\n## Sleeping\n\nThe tent for three.\n\n## Kitchen\n\nThe stove and"
        " a pan.\n\n## Finding the way\n\nThe map and a whistle.\n",
        "camp/Shop.md": "# Shop\n\nThey sell a stove.\n",
        "camp/Fair.md": "# Fair\n\nBeer in a tent.\n",
        "camp/School.md": "# School\n\nA map on the wall.\n",
    },
    (
        # With meaning, a note named by one of the words may rank above it.
        Row(
            "gasket torque", ("van/Overhaul.md#Putting it back", "van/Torque.md"), modes=("words",)
        ),
        Row(
            "torque gasket", ("van/Overhaul.md#Putting it back", "van/Gaskets.md"), modes=("words",)
        ),
        Row(
            '"blue door"',
            ("street/Number nine.md",),
            absent=("street/Number ten.md",),
        ),
        Row("blue door", ("street/Number nine.md", "street/Number ten.md")),
        Row("blue door ", ("street/Number nine.md", "street/Number six.md")),
        Row("apple -pie", ("fruit/Apple trees.md",), absent=("fruit/Apple pie.md",)),
        Row(
            "stove tent map",
            ("camp/Kit.md",),
        ),
        Row("camp kit map", ("camp/Kit.md#Finding the way",)),
    ),
)

TYPING = Theme(
    "the word being typed, and other forms of it",
    {
        "larder/Pomegranate.md": "# Pomegranate\n\n## Molasses\n\nBoil the juice for an hour.\n\n"
        "## Seeds\n\nFreeze them flat.\n",
        "wine/Port.md": "# Port\n\nRuby or tawny, with cheese.\n",
        "work/Portfolio.md": "# Portfolio\n\nTen drawings, no more.\n",
        "pets/Cat.md": "# Cat\n\nSleeps on the boiler.\n",
        "shelf/Catalogue.md": "# Catalogue\n\nEvery record by number.\n",
        "larder/Kimchi.md": "# Kimchi\n\nIt fermented for nine days in the cellar.\n",
        "bills/Chimney.md": "# Chimney\n\nThe estimate came to ninety.\n",
        "garden/Hedges.md": "# Hedges\n\nTrimmed twice. Trimming again in August.\n",
        "toys/Bricks.md": "# Bricks\n\nThe red ones are lost; he used them and their PDFs.\n",
        "desk/Lamp.md": "# Lamp\n\nIt is on, for us.\n",
        "story/Geese.md": "# Geese\n\nThe geese crossed the yard in the evening.\n",
    },
    (
        Row("pomegr", ("larder/Pomegranate.md#Pomegranate",)),
        Row("pomegranate mol", ("larder/Pomegranate.md#Molasses",)),
        Row("port", ("wine/Port.md", "work/Portfolio.md")),
        Row("portf", ("work/Portfolio.md",), absent=("wine/Port.md",), modes=("words",)),
        Row("cat", ("pets/Cat.md", "shelf/Catalogue.md")),
        Row("cat ", ("pets/Cat.md",), absent=("shelf/Catalogue.md",), modes=("words",)),
        Row("fermenting", ("larder/Kimchi.md",)),
        Row("estimates", ("bills/Chimney.md",)),
        Row("trim hedge", ("garden/Hedges.md",)),
        # No stem of English is a different word.
        Row("one ", (), absent=("desk/Lamp.md",), modes=("words",)),
        Row("use ", (), absent=("desk/Lamp.md",), modes=("words",)),
        Row("red one he uses", ("toys/Bricks.md",)),
        Row("pdf ", ("toys/Bricks.md",)),
        Row("boil juices", ("larder/Pomegranate.md#Molasses",)),
    ),
)

QUESTIONS = Theme(
    "questions and common words",
    {
        "house/Router.md": "# Router\n\n## Factory reset\n\nHold the pin for ten seconds.\n\n"
        "## Cables\n\nGrey for the phone.\n",
        "house/Spare keys.md": "# Spare keys\n\nUnder the third pot.\n",
        "house/How we live.md": "# How we live\n\nHow do we do it? I do not know how I do what I"
        " do. What is there to do, and how is it to be done?\n",
        "maths/Monads.md": "# Monads\n\nA monoid in the category of endofunctors.\n",
        "theatre/Hamlet.md": "# Hamlet\n\nTo be, or not to be, that is the question.\n",
        "theatre/Props.md": "# Props\n\nThe skull is to be found or to be made.\n",
        "theatre/Not to forget.md": "# Not\n\n## Not paid\n\nThe lamps.\n\n## Not mine\n\nA"
        " chair, not a stool.\n\n## Is not ours\n\nThe rug.\n",
        "car/Winter tyres.md": "# Winter tyres\n\nChange them when it is below seven degrees.\n",
        "car/Log.md": "# Log\n\nWhen it was time, I went to the man and the tyres were there.\n",
    },
    (
        Row("how do i reset the router", ("house/Router.md#Factory reset",)),
        Row("how do I reset the router?", ("house/Router.md#Factory reset",)),
        Row("where are the spare keys", ("house/Spare keys.md",), below=("house/How we live.md",)),
        Row("what is a monad", ("maths/Monads.md",), below=("house/How we live.md",)),
        Row("what is a monad?", ("maths/Monads.md",)),
        Row(
            "to be or not to be",
            ("theatre/Hamlet.md",),
            below=("theatre/Props.md", "theatre/Not to forget.md"),
        ),
        Row("when do I change to winter tyres", ("car/Winter tyres.md", "car/Log.md")),
    ),
)

SIGNS = Theme(
    "numbers and code, as typed",
    {
        "bills/4711.md": "# Boiler\n\nInvoice 4711, paid.\n",
        "bills/4712.md": "# Gutter\n\nInvoice 4712, paid.\n",
        "bills/Overview.md": "# Overview\n\nInvoice 14711 is not ours, invoice 471 is.\n",
        "dev/Release 3.14.2.md": "# Release 3.14.2\n\nFixes the clock.\n",
        "dev/Release 3.15.0.md": "# Release 3.15.0\n\nFixes the calendar.\n",
        "dev/Errors.md": "# Errors\n\n## E1042\n\nThe disk is full.\n\n## E1043\n\nNo disk.\n",
        "dev/Paths.md": "# Paths\n\nJoin with `os.path.join`, never by hand.\n",
        "dev/Queries.md": "# Queries\n\n```python\ndef fetch_user_by_id(key): ...\n```\n",
        "dev/Users.md": "# Users\n\nFetch a user by name; the id is on the card.\n",
        "dev/Hooks.md": "# Hooks\n\nSkip them with `--no-verify`.\n",
        "dev/Effects.md": "# Effects\n\nReact calls `useEffect` after painting.\n",
        "dev/Moves.md": "# Moves\n\nHand it over with `std::move`.\n",
        "dev/C++.md": "# C++\n\nTemplates and destructors.\n",
        "dev/C.md": "# C\n\nPointers. The compiler of C++ reads most of it.\n",
        "dev/Secrets.md": "# Secrets\n\nThey are in `.env`, which is not committed.\n",
        "dev/Environment.md": "# Environment\n\nEnv is short for it. Env, env, env.\n",
        "dev/Parser.md": "# Parser\n\n`XmlHttpRequestParser` is ours.\n",
        "people/Plumber.md": "# Mr Hale\n\nTelephone 0161 496 0018, hale@example.org\n",
    },
    (
        Row("invoice 4711", ("bills/4711.md",), below=("bills/4712.md", "bills/Overview.md")),
        Row("4712", ("bills/4712.md",)),
        Row("release 3.14.2", ("dev/Release 3.14.2.md",), below=("dev/Release 3.15.0.md",)),
        Row("3.15.0", ("dev/Release 3.15.0.md",)),
        Row("e1042", ("dev/Errors.md#E1042",), below=("dev/Errors.md#E1043",)),
        Row("os.path.join", ("dev/Paths.md",)),
        Row(
            "fetch_user_by_id",
            ("dev/Queries.md",),
            below=("dev/Users.md",),
        ),
        Row("--no-verify", ("dev/Hooks.md",)),
        Row("useEffect", ("dev/Effects.md",)),
        Row("std::move", ("dev/Moves.md",)),
        Row("c++", ("dev/C++.md",)),
        Row(".env", ("dev/Secrets.md",), below=("dev/Environment.md",)),
        Row("http request parser", ("dev/Parser.md",)),
        Row("xmlhttprequestparser", ("dev/Parser.md",)),
        Row("0161 496 0018", ("people/Plumber.md",)),
        Row("hale@example.org", ("people/Plumber.md",)),
        Row("hale@example", ("people/Plumber.md",)),
    ),
)

SYMBOLS = Theme(
    "symbols, as typed",
    {
        "sky/Balloon.md": "# 🎈 Balloon\n\nThe basket holds four.\n",
        "sky/Kite.md": "# Kite\n\n🎈 Not a balloon, but it flies, too.\n",
        "sky/Status.md": "# Status\n\n## Done\n\n✅ lines waxed\n\n## Left\n\n❌ tail sewn\n",
        "sky/Route.md": "# Route\n\nHarbour → lighthouse → quarry.\n",
        "sky/Walk.md": "# Walk\n\nFrom the harbour to the lighthouse.\n",
        "sky/Crew.md": "# Crew\n\n👩‍🚒 Ines, 👩 Ida, 👍🏿 Olu.\n",
        "sky/Price.md": "# Price\n\nThe silk was 90€, or £75.\n",
    },
    (
        Row("🎈", ("sky/Balloon.md", "sky/Kite.md")),
        # A title is exact without its symbol, too.
        Row("balloon", ("sky/Balloon.md", "sky/Kite.md")),
        Row("🎈 balloon", ("sky/Balloon.md", "sky/Kite.md")),
        Row("✅", ("sky/Status.md#Done",), absent=("sky/Status.md#Left",)),
        Row("❌ tail", ("sky/Status.md#Left",)),
        Row("harbour → lighthouse", ("sky/Route.md", "sky/Walk.md")),
        Row("👩‍🚒 ", ("sky/Crew.md",)),
        Row("👍", ("sky/Crew.md",)),
        Row("€", ("sky/Price.md",)),
        Row("£ silk", ("sky/Price.md",)),
        Row("🦑", (), absent=("sky/Crew.md",)),
    ),
)

THEMES = (TOGETHER, TYPING, QUESTIONS, SIGNS, SYMBOLS)

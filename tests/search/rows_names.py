"""Rows about names: titles, aliases, headings and their parents, tags, folders, files."""

from tests.search.rows import Row, Theme, rambling

TITLES = Theme(
    "the very name stands first",
    {
        "cooking/Pancakes.md": "# Pancakes\n\nFlour, milk and two eggs; rest the batter.\n\n"
        "## Thin ones\n\nMore milk, a hot pan.\n",
        "cooking/Breakfasts.md": "# Breakfasts\n\nPancakes on Sunday, pancakes with berries,"
        " pancakes again when the children are home, cold pancakes on Monday.\n",
        "people/Elizabeth Marsh.md": "---\naliases: [Lizzie, Auntie Beth]\n---\n"
        "# Elizabeth Marsh\n\nLives in Leeds, plays the cello.\n",
        "letters/From the coast.md": "# From the coast\n\nLizzie wrote again. Lizzie says the"
        " house is damp, and Lizzie wants the blankets back.\n",
        "people/Rota.md": "# Rota\n\nBeth on Monday. Auntie on call. Beth on Friday.\n",
        "office/Moving in.md": "# Moving in\n\n## Parking permits\n\nAsk at the desk.\n\n"
        "## Keys\n\nTwo each.\n",
        "office/Complaints.md": "# Complaints\n\nParking permits were late, parking permits were"
        " lost, and nobody knows who prints parking permits.\n",
        "net/SSH tunnels.md": "---\ntitle: Reaching machines behind a jump host\n---\n"
        "Forward a port with the -L switch.\n",
        "net/Firewall.md": "# Firewall\n\nNo SSH tunnels from outside; SSH tunnels are logged.\n",
        "money/Budget.md": "# Budget\n\nWhat comes in and what goes out.\n",
        "money/Wedding.md": "# Wedding\n\nIn June.\n\n## Budget\n\nNine thousand.\n\n"
        "## Budget for flowers\n\nThree hundred.\n",
        "places/Café Müller.md": "# Café Müller\n\nThe cake is dry, the coffee strong.\n",
        "places/Mill.md": "# Mill\n\nThe miller keeps a cafe of sorts.\n",
        "plot/Weeding.md": "# Weeding\n\nWeeds by hand, weeding with the hoe, and weeds again.\n",
        "plot/Weeds.md": "# Weeds\n\nBindweed, ground elder; weeding never ends, keep weeding.\n",
        "plot/April.md": "# April\n\n## Hoeing\n\nA hoe, hoeing at noon.\n\n## Hoes\n\nTwo.\n",
        "music/The Who.md": "# The Who\n\nSaw them in Leeds.\n",
        "music/Gigs.md": "# Gigs\n\nWho came, who paid, who drove the van, and the who's who.\n",
    },
    (
        Row("pancakes", ("cooking/Pancakes.md#Pancakes", "cooking/Breakfasts.md")),
        Row("Pancakes", ("cooking/Pancakes.md#Pancakes",)),
        Row("pancake", ("cooking/Pancakes.md#Pancakes", "cooking/Breakfasts.md")),
        Row("weeds", ("plot/Weeds.md", "plot/Weeding.md")),
        Row("weeding", ("plot/Weeding.md", "plot/Weeds.md")),
        Row("hoes", ("plot/April.md#Hoes", "plot/April.md#Hoeing")),
        Row("hoeing", ("plot/April.md#Hoeing", "plot/April.md#Hoes")),
        Row("lizzie", ("people/Elizabeth Marsh.md", "letters/From the coast.md")),
        Row("auntie beth", ("people/Elizabeth Marsh.md", "people/Rota.md")),
        Row("elizabeth", ("people/Elizabeth Marsh.md",)),
        Row("parking permits", ("office/Moving in.md#Parking permits", "office/Complaints.md")),
        Row("parking permit", ("office/Moving in.md#Parking permits", "office/Complaints.md")),
        Row("ssh tunnels", ("net/SSH tunnels.md", "net/Firewall.md")),
        Row(
            "budget",
            ("money/Budget.md", "money/Wedding.md#Budget"),
        ),
        Row("wedding budget", ("money/Wedding.md#Budget",)),
        Row("flowers budget", ("money/Wedding.md#Budget for flowers",)),
        Row("cafe muller", ("places/Café Müller.md",)),
        Row("CAFÉ MÜLLER", ("places/Café Müller.md",)),
        Row("the who", ("music/The Who.md",)),
    ),
)

ABOVE = Theme(
    "headings above, and notes by the same heading",
    {
        "trips/Japan 2019.md": "# Japan 2019\n\n## Kyoto\n\n### Restaurants\n\nNoodles by the"
        " river.\n\n### Temples\n\nGo at six.\n\n## Osaka\n\n### Restaurants\n\nOctopus balls,"
        " standing.\n\n### Hotel\n\nNear the loop line.\n",
        "trips/Wales.md": "# Wales\n\n## Restaurants\n\nThe one in the old bank.\n\n## Weather\n\n"
        "Wet.\n",
        "build/Suppliers.md": "# Suppliers\n\n## Timber\n\n### Oak\n\nGreen oak from the yard at"
        " Ludlow.\n\n### Larch\n\nCladding, sawn to order.\n\n## Slate\n\nSecond-hand.\n",
        "build/Diary.md": "# Diary\n\nThe timber came late. Suppliers always say Tuesday.\n",
    },
    (
        Row(
            "kyoto restaurants",
            ("trips/Japan 2019.md#Restaurants",),
            below=("trips/Wales.md#Restaurants",),
        ),
        Row("osaka hotel", ("trips/Japan 2019.md#Hotel",)),
        Row("restaurants in wales", ("trips/Wales.md#Restaurants",)),
        Row("japan temples", ("trips/Japan 2019.md#Temples",)),
        Row("timber larch", ("build/Suppliers.md#Larch",)),
        Row("suppliers oak", ("build/Suppliers.md#Oak",), below=("build/Diary.md",)),
        # A bare heading: its subsections answer.
        Row("suppliers timber ludlow", ("build/Suppliers.md#Oak",)),
    ),
)

LABELS = Theme(
    "tags, folders and files",
    {
        "hobby/Spring jobs.md": "---\ntags: [beekeeping]\n---\n# Spring jobs\n\nCheck the frames,"
        " feed syrup.\n",
        "hobby/Honey cake.md": "# Honey cake\n\nA jar from the shop will do.\n",
        "plans/Telescope.md": "---\ntags: [project/stargazing]\n---\n# Telescope\n\nGrind the"
        " mirror.\n",
        "apollo/Minutes.md": "# Minutes\n\nAgreed on the colour of the doors.\n",
        "zeus/Minutes.md": "# Minutes\n\nAgreed on the colour of the roof.\n",
        "papers/2023-tax-return.md": "Sent in October, refund in December.\n",
        "papers/2022-tax-return.md": "Sent in January, in a hurry.\n",
        "papers/Receipts.md": "# Receipts\n\nKeep them for the tax office, return what is"
        f" broken. {rambling(4)}\n",
        "drafts/meeting_with_landlord_v2.md": "He wants to sell in spring.\n",
    },
    (
        Row("beekeeping", ("hobby/Spring jobs.md",)),
        Row("#beekeeping", ("hobby/Spring jobs.md",)),
        Row("stargazing", ("plans/Telescope.md",)),
        Row("apollo minutes", ("apollo/Minutes.md", "zeus/Minutes.md")),
        Row("minutes zeus", ("zeus/Minutes.md", "apollo/Minutes.md")),
        Row("return tax 2023", ("papers/2023-tax-return.md",), below=("papers/Receipts.md",)),
        Row("tax return 2022", ("papers/2022-tax-return.md",)),
        Row("2023-tax-return", ("papers/2023-tax-return.md",)),
        Row("landlord meeting", ("drafts/meeting_with_landlord_v2.md",)),
        Row("meeting_with_landlord", ("drafts/meeting_with_landlord_v2.md",)),
    ),
)

PLAIN = Theme(
    "a heading that says the query alone stands above one that says more",
    {
        "code/Branches.md": "# Branches\n\n## v-else-if\n\nAnother branch of the template, tested"
        " in its turn.\n\n## v-else\n\nThe branch of the template if no test holds.\n",
        "garden/Beds.md": "# Beds\n\n## Watering with cans\n\nTwice in July, early.\n\n"
        "## Watering\n\nTwice in July, late.\n",
        "boat/Sails.md": "# Sails\n\n## Mending after the autumn storms\n\nWax the thread.\n\n"
        "## Mending\n\nA palm and a needle.\n",
        "flat/Workshop.md": "# Moving to the old workshop\n\n## Who drives\n\nTom, from nine.\n\n"
        "## Workshop keys\n\nThe old workshop keys: moving day, from the neighbour. Moving the old"
        " workshop bench.\n",
        "shop/Orders.md": "# Orders\n\n## Returns that customers dispute\n\nAsk Ada first.\n\n"
        "## Returns\n\nWithin thirty days.\n",
    },
    (
        Row("branches v-else", ("code/Branches.md#v-else", "code/Branches.md#v-else-if")),
        Row("beds watering", ("garden/Beds.md#Watering",)),
        Row("sails mending", ("boat/Sails.md#Mending",)),
        Row("orders returns", ("shop/Orders.md#Returns",)),
        Row(
            "moving old workshop",
            ("flat/Workshop.md#Moving to the old workshop", "flat/Workshop.md#Workshop keys"),
        ),
    ),
)

THEMES = (TITLES, ABOVE, LABELS, PLAIN)

"""Rows about addresses, in links and in texts."""

from tests.search.rows import Row, Theme

LINKS = Theme(
    "where links lead",
    {
        "reading/Languages.md": "# Languages\n\n## Ferrous\n\nTo learn by example there is [the"
        " online book](https://doc.ferrous.example/by-example/) and its index.\n\n## Sources\n\n"
        "The compiler has [a repository of its own][repo], the linter [another"
        " one](https://code.example.net/ferrous/linter/?tab=readme#usage).\n\n"
        "[repo]: https://code.example.net/ferrous/compiler\n",
        "reading/Examples.md": "# Examples\n\nDocs by example, of anything but a ferrous book.\n",
        "council/Glazier.md": "# Glazier\n\nWrite to [the workshop]"
        "(mailto:windows@glazier.example.com?subject=Glass) before ten.\n",
        "council/Minutes of May.md": "# Minutes of May\n\nThe plan is at"
        " https://council.example.com/plans/bridge and was read out.\n",
        "council/Bridge.md": "# Bridge\n\nAll of it is in [the plan of the"
        " bridge](https://www.council.example.com/plans/bridge/).\n",
        "council/Pavement.md": "# Pavement\n\nSee [their page](HTTP://Council.Example.com/Plans/"
        "Pavement?year=2024&part=2#costs).\n",
        "pictures/Ferry.md": "# Ferry\n\nMorning.\n\n![the ferry at the pier]"
        "(https://pictures.example.io/2024/ferry%20at%20pier.jpg)\n",
        "pictures/Pier.md": "# Pier\n\n<p><a href='https://maps.example.io/?q=pier&amp;z=9'>where"
        " it stands</a></p>\n",
        "clippings/Ferns.md": "---\nsource: https://blog.example.io/2024/05/on-ferns\n---\n"
        "Ferns like shade.\n",
        "travel/Abroad.md": "# Abroad\n\n- [Cologne](http://www.xn--kln-sna.example/dom)\n"
        "- [coffee](https://encyclopedia.example.io/wiki/Caf%C3%A9)\n"
        "- [brackets](https://encyclopedia.example.io/wiki/Pier_(bridge))\n",
        "code/Calls.md": "# Calls\n\n`app.config` is set before `app.mount` is called.\n",
        "code/Hosts.md": "# Hosts\n\nThey run [an app of maps](https://app.mountains.example.io/).\n",
    },
    (
        Row("https://doc.ferrous.example/by-example/", ("reading/Languages.md#Ferrous",)),
        Row("doc.ferrous.example/by-example", ("reading/Languages.md#Ferrous",)),
        Row("DOC.Ferrous.EXAMPLE", ("reading/Languages.md#Ferrous",)),
        Row("ferrous.example", ("reading/Languages.md#Ferrous",)),
        Row("doc.ferrous.exa", ("reading/Languages.md#Ferrous",)),
        Row("https://doc.fer", ("reading/Languages.md#Ferrous",)),
        Row("by example doc.ferrous.example", ("reading/Languages.md#Ferrous",)),
        Row('"doc.ferrous.example"', ("reading/Languages.md#Ferrous",),
            absent=("reading/Examples.md",)),
        Row("example -doc.ferrous.example", (), absent=("reading/Languages.md#Ferrous",)),
        Row("code.example.net/ferrous/compiler", ("reading/Languages.md#Sources",)),
        Row("code.example.net/ferrous/linter ", ("reading/Languages.md#Sources",)),
        Row("https://code.example.net/ferrous/linter/?tab=readme#usage",
            ("reading/Languages.md#Sources",)),
        Row("code.example.net/ferrous/linter?utm_source=feed", ("reading/Languages.md#Sources",)),
        Row("code.example.net/ferr ", (), absent=("reading/Languages.md#Sources",),
            modes=("words",)),
        Row("windows@glazier.example.com", ("council/Glazier.md",)),
        Row("mailto:windows@glazier.example.com", ("council/Glazier.md",)),
        Row("glazier.example.com", ("council/Glazier.md",)),
        Row("windows@gla", ("council/Glazier.md",)),
        Row("https://council.example.com/plans/bridge",
            ("council/Minutes of May.md", "council/Bridge.md"), absent=("council/Pavement.md",)),
        Row("council.example.com", ("council/Minutes of May.md", "council/Bridge.md")),
        Row("council.example.com", ("council/Minutes of May.md", "council/Pavement.md")),
        Row("council.example.com/plans/pavement?year=2024&part=2#costs", ("council/Pavement.md",)),
        Row("council.example.com/plans/pavement", ("council/Pavement.md",)),
        Row("path:council council.example.com/plans/pavement", ("council/Pavement.md",)),
        Row("path:travel council.example.com/plans/pavement", (), absent=("council/Pavement.md",)),
        Row("doc.ferrous.example OR windows@glazier.example.com",
            ("reading/Languages.md#Ferrous", "council/Glazier.md")),
        Row("pictures.example.io/2024/ferry%20at%20pier.jpg", ("pictures/Ferry.md",)),
        Row("maps.example.io/?q=pier&z=9", ("pictures/Pier.md",)),
        Row("[where](https://maps.example.io/?q=pier&z=9)", ("pictures/Pier.md",)),
        Row("https://blog.example.io/2024/05/on-ferns", ("clippings/Ferns.md",)),
        Row("köln.example/dom", ("travel/Abroad.md",)),
        Row("https://encyclopedia.example.io/wiki/Café", ("travel/Abroad.md",)),
        Row("https://encyclopedia.example.io/wiki/Pier_(bridge)", ("travel/Abroad.md",)),
        Row("app.mount", ("code/Calls.md",)),
        Row("app.m", ("code/Calls.md",)),
    ),
)  # fmt: skip

THEMES = (LINKS,)

"""The words a reader sees in inline Markdown and HTML."""

import re
import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from notesearch.markdown.sections.html_text import plain_html
from notesearch.markdown.sections.inline_metadata import inline_properties, inline_tags, task_state
from notesearch.markdown.sections.inline_text import plain, plain_heading, without_block_names


@pytest.mark.parametrize(
    ("source", "word"),
    [
        ("un**believ**able", "unbelievable"),
        ("*un*believable", "unbelievable"),
        ("un***believ***able", "unbelievable"),
        ("re==cover==able", "recoverable"),
        ("==high==light", "highlight"),
        ("high==light==", "highlight"),
        ("un~~do~~ing", "undoing"),
        ("H~2~O", "H2O"),
        ("CO~2~", "CO2"),
        ("SO~4~^2−^", "SO42−"),
        ("x^2^y", "x2y"),
        ("press ++ctrl+alt+s++, in C++ i++ or ++j", "press ctrl+alt+s, in C++ i++ or ++j"),
        (r"\section{Keel} an \textbf{old} \emph{oak}", "Keel an old oak"),
        (r"$\textbf{x}$ and `\emph{y}`", r"$\textbf{x}$ and \emph{y}"),
        ("1^st^", "1st"),
        ("<b>w</b>ord", "word"),
        ('w<span style="color: red">or</span>d', "word"),
        ("w<!-- o -->rd", "wrd"),
        ("H<sub>2</sub>O", "H2O"),
        ("un[believ](x.md)able", "unbelievable"),
        ("[[Note]]s", "Notes"),
        ("[[Note|un]]known", "unknown"),
        ("`foo`s", "foos"),
        ("un**[believ](x.md)**able", "unbelievable"),
        ("重**点**后", "重点后"),
        ("**重点。**后面", "重点。后面"),
        ("naïve**té**", "naïveté"),
    ],
)
def test_a_word_with_marks_inside_is_one_word(source: str, word: str) -> None:
    assert plain(source) == word
    assert plain(f"so {source}, then") == f"so {word}, then"


@pytest.mark.parametrize(
    "source",
    ["a==b and c==d", "if x == 1", "~100 km and ~200 km", "a~b", "2^10", "a ^ b ^ c", "x^a b^",
     "snake_case_x", "a == b == c", "~user/~other", "f(a, ^b)", "f(x){y=1}"],
)  # fmt: skip
def test_signs_that_are_no_marks_are_text(source: str) -> None:
    assert plain(source) == source


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("plain words", "plain words"),
        ("soft\nbreak  \nand hard\\\nbreak", "soft break and hard break"),
        ("the har-\nbour -\nnot 3-\n5 -\n", "the har-bour - not 3- 5 -"),
        ("Ein-\nund Ausgang, pre-\nand postwar", "Ein- und Ausgang, pre- and postwar"),
        ("<ruby>東<rt>とう</rt>京<rt>きょう</rt></ruby>へ", "東京(とうきょう)へ"),
        ("<ruby>東京<rp>(</rp><rt>とうきょう</rt><rp>)</rp></ruby>", "東京(とうきょう)"),
        # emphasis
        ("*one* **two** ***three*** _four_ __five__", "one two three four five"),
        ("~~gone~~ ==marked==", "gone marked"),
        ("5 * 3 * 2, 2*3, a_b_c, snake_case_name", "5 * 3 * 2, 2*3, a_b_c, snake_case_name"),
        ("中文**强调**中文", "中文强调中文"),
        ("a==b and c==d", "a==b and c==d"),
        ("*args, **kwargs", "*args, **kwargs"),
        ("~100 km", "~100 km"),
        # links and images
        ("[text](https://a.example/x_y_z 'title')", "text"),
        ("[a [b] c](<my note.md>) [d](e(f)g)", "a [b] c d"),
        ("[![alt](i.png)](page.md) ![photo|300](p.jpg)", "alt photo"),
        ("![alt](i.png \"The quay\") ![](i.png 'At dawn')", "alt The quay At dawn"),
        ('![quay](i.png "quay") [x](i.png "no words") ![](https://x.org/i.png)', "quay x"),
        # a picture without other words is found by the name of its file
        (
            '![](a/IMG_2044.jpeg) ![|300](<my pics/a b.png>) ![](c%20d.png "")',
            "IMG_2044.jpeg a b.png c d.png",
        ),
        ("![](data:image/png;base64,x) ![](C:/i.png) ![](//x.org/i.png) [](a.md)", ""),
        ("[broken](no closing", "[broken](no closing"),
        ("<https://a.example/_x_> <me@a.example>", "https://a.example/_x_ me@a.example"),
        ("https://a.example/some_page", "https://a.example/some_page"),
        ("[[Note]] [[Note#Part]] [[Note|shown]] [[#Here]]", "Note Note Part shown Here"),
        ("![[photo.png]] ![[photo.png|200x100]]", "photo.png photo.png"),
        ("[ ] and [x] and array[0][1]", "[ ] and [x] and array[0][1]"),
        ("text[^1] and [^note]: more", "text and more"),
        # code and escapes are literal
        ("`*a*` and ``b ` [c](d)``", "*a* and b ` [c](d)"),
        (r"\*not\* \[x\](y) \`z\` C:\path", r"*not* [x](y) `z` C:\path"),
        ("`unclosed *code*", "`unclosed code"),
        ("`<b>` & &amp; &#65; &nosuch; `&amp;`", "<b> & & A &nosuch; &amp;"),
        # HTML
        ("a <b>bold</b> H<sub>2</sub>O<br>x", "a bold H2O x"),
        ('<img src="i.png" alt="a cat"> <a href="x?a>b">link</a>', "a cat link"),
        ("List<String> and x < y > z", "List<String> and x < y > z"),
        ('<Badge type="tip" text="new" /> word', "word"),
        ("a <!-- hidden --> b <!-- open", "a b open"),
        # Obsidian and documentation dialects
        ("a %%hidden%% b %% open", "a b %% open"),
        ("words ^block-id", "words"),
        ("2^10 and x ^2 y", "2^10 and x ^2 y"),
        ("[!warning]- Mind the gap", "Mind the gap"),
        ("[!tip]", "tip"),
        ("::: tip The *keel*", "The keel"),
        ("::: tip", "tip"),
        ("::: code-group", ""),
        ("NUL \0 0\0 0\0", "NUL \ufffd 0\ufffd 0\ufffd"),
    ],
)
def test_visible_words(source: str, shown: str) -> None:
    assert plain(source) == shown


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        # Logseq, Hugo, Jekyll: addresses in links
        ("a [keel]([[Big keel]]) b", "a keel b"),
        ('[keel]({{< ref "keel.md" >}}) [mast]({{% relref "/m.md#top" %}})', "keel mast"),
        ("[keel]({% link _posts/keel.md %}) [mast]({% post_url 2024-01-02-m %})", "keel mast"),
        ("[keel]({ x }) [mast]({{ x }})", "[keel]({ x }) [mast]({{ x }})"),
        # lines of attributes: kramdown, Wiki.js, MyST
        ("keel\n{.is-info}", "keel"),
        ("{: .note #keel }\nkeel\n{: width='3' }", "keel"),
        ("(keel-label)=\nkeel", "keel"),
        ("{#each items as keel}\n(a)=\n`{.keel}`", "{#each items as keel} (a)= {.keel}"),
        ("{.5}\n{a=1}\n{1, 2}\nf(x)= y", "{.5} {a=1} {1, 2} f(x)= y"),
        # CriticMarkup
        ("{++new++} {--old--} {~~a~>b~~} {==x==}{>>why<<}", "new old a b x why"),
        ("for {++i; j--} {--i++}", "for {++i; j--} {--i++}"),
        # Roam
        ("==keel==^[of oak]", "keel (of oak)"),
        ("^^high^^ light, a^^b and c^^d", "high light, a^^b and c^^d"),
        # gaps of cards, sizes of pictures, labels of captions, attributes of emphasis
        ("{{c1::keel::hint}} and {{cloze mast}}", "keel (hint) and mast"),
        ("![keel](a.png){:height 100, :width 200}", "keel"),
        ("Of oak {#fig:keel}", "Of oak"),
        ("*Of* oak{:.wood} []{#mark .anchor}**and**{: .x} `ash`{=html}", "Of oak and ash"),
        ("f{:.2f} {:.3f} x{:a 1}", "f{:.2f} {:.3f} x{:a 1}"),
        # frames of Org, included files
        ("#+BEGIN_QUOTE\nkeel\n#+END_QUOTE", "keel"),
        ('--8<-- "a/keel.md"', ""),
        ("--8<--\na.md\nb.md\n--8<--", ""),
        ('-8<-\n; docs/a\n"b c"\n-8<-\nkeel', "keel"),
        ("--8<--\nan oak\n--8<--\nkeel", "--8<-- an oak --8<-- keel"),
        # words of a person that only look like that
        ("oak{:height 3 feet} ash", "oak{:height 3 feet} ash"),
        ("oak {#sec: of the keel} ash", "oak {#sec: of the keel} ash"),
        ("*oak*{=of the keel}", "oak{=of the keel}"),
        ("#+BEGIN_QUOTE oak\nash", "#+BEGIN_QUOTE oak ash"),
        ("-8<-\ncut the oak here\n-8<-", "-8<- cut the oak here -8<-"),
        ('--8<-- "oak" and ash', '--8<-- "oak" and ash'),
        ('import numbers from "the ledger"', 'import numbers from "the ledger"'),
        ('import "the good oak"', 'import "the good oak"'),
        ("import {a} from 'a'\nimport b from './b'\nimport './c.css'\nkeel", "keel"),
        ("import {\n  a,\n  b,\n} from 'a'\nkeel", "keel"),
        ("+++ {oak}", "+++ {oak}"),
        # what nobody means as HTML
        ("Dear <your name>, mail @<Ann Lee>", "Dear <your name>, mail @<Ann Lee>"),
        ("if a <b and c> d", "if a <b and c> d"),
        ("cp <source file> <table name>", "cp <source file> <table name>"),
        ("List<Map of X> <details open>oak<hr noshade>", "List<Map of X> oak"),
        (r"\sum_{i=1} 2*{b=c} *oak*{style='x'}", r"\sum_{i=1} 2*{b=c} oak"),
        ("Oak :contentReference[oaicite:0]{index=0} boat", "Oak boat"),
        ("#+BEGIN_SRC python\nkeel\n#+END_SRC", "keel"),
        ("<contact @ann> <Save @click='c'>", "<contact @ann>"),
        ("Ann: <Media omitted>", "Ann: <Media omitted>"),
        ("<Tab open>keel</Tab> <mast high>top</mast> <x-y z=1>", "keel top"),
        # Docusaurus
        (":::note[The *keel*]", "The keel"),
        ("<TabItem value='a' label=\"Oak\">keel</TabItem> <b title='x'>y</b>", "Oak keel y"),
        ('<LessonLink href="/x" title="A lesson"/> keel', "keel"),  # a tooltip
        ("A {/* no */} keel `{/* b */}`", "A keel {/* b */}"),
        # Jekyll and Quarto
        ("{% comment %}no{% endcomment %} A {% include x.html content='keel *b*' %}", "A keel b"),
        (": Keels {#tbl-keel}", ": Keels"),
        # Craft and other elements that HTML lacks, if they are closed
        ("<callout>*Keel*</callout> <ink hue='a'>oa</ink>k List<String>", "Keel oak List<String>"),
        # mdBook; icons of Material for MkDocs
        ("{{#include ../keel.rs:1}}\nkeel {{ mast }}", "keel {{ mast }}"),
        ("[:octicons-star-16: Keel](a){ .b } :material-oak:{ .lg .x } oak", "Keel oak"),
        ("`:material-oak:` :materials: 10:30:", ":material-oak: :materials: 10:30:"),
        # what ChatGPT cites
        (
            "oak【12†source】【5:3†a.pdf】 or ash【注】 \ue200cite\ue202turn0search3\ue201",
            "oak (a.pdf) or ash【注】",
        ),
        (
            'by \ue200entity\ue202["people","Ann Lee","a poet"]\ue201 `【1†a】`',
            "by Ann Lee 【1†a】",
        ),
        ("[Oak](a)[Ash](b)s [松](c)[树](d) [[Elm]][[Yew]]", "Oak Ashs 松树 Elm Yew"),
        ("<a href='x'>Oak</a><a href='y'>Ash</a>s", "Oak Ashs"),
        (":::note[An *oak*]{.x}\nElm", "An oak Elm"),
        (
            '{{< tab "Oak" >}}{% details An *ash* %}{%- fold elm -%}{{< tabs "id" >}}yew{% tab %}',
            "Oak An ash elm yew",
        ),
        ("oak 【4†source】and 【4†L1-L9】elm【4†source】樹【4†embed_image】", "oak and elm 樹"),
        # formulas of TeX, as assistants write them; or escaped brackets
        (r"\( x = \frac{a}{b} \) and \[ a_1*b_2*c \]", r"$x = \frac{a}{b}$ and $$a_1*b_2*c$$"),
        (r"\[1\] \(as above\) \[FILE_NAME\] `\(x^2\)`", r"[1] (as above) [FILE_NAME] \(x^2\)"),
        # MyST: the end of a cell
        ('+++ {"tags": []}\nkeel', "keel"),
        ("H$_2$O, SO$_4^{2-}$ and 10$^{-5}$ m$^2$", "H2O, SO42- and 10-5 m2"),
        (r"$E_a = 1.5\,\mathrm{eV}$ $\{x\}$", r"$E_a = 1.5\,\mathrm{eV}$ $\{x\}$"),
        (r"costs \$5_or_ \$6 and `$a\,b$` $c$", r"costs $5_or_ $6 and $a\,b$ $c$"),
        (r"`$\mathrm{}$` **or** `$\mathbf{}$`", r"$\mathrm{}$ or $\mathbf{}$"),
        (r"$\mathrm{SEQ}_{=k}(x)$", r"$\mathrm{SEQ}_{=k}(x)$"),
        ("cd <dir> here", "cd <dir> here"),
        ("the <output> of <base>, <title>", "the <output> of <base>, <title>"),
        ("an <output>x</output> <b>b</b> a<br>b <b", "an x b a b <b"),
        # components
        ('<Card title="Start"/> <Tab label="Mac">', "Start Mac"),
        ("a quote\n^id", "a quote"),
        # Confluence and Word
        (
            '<ac:link><ri:page ri:content-title="Oak" /></ac:link> a<o:p></o:p> <v:x y="1"/>',
            "Oak a",
        ),
        ("<ac:link><ac:body><![CDATA[shown]]></ac:body></ac:link> `<a:b/>`", "shown <a:b/>"),
        ("`H$_2$O` a$b_c$", "H$_2$O a$b_c$"),
        ("[![oak](a(b(c)).svg)](d(1(2))){ .x } ash", "oak ash"),
        # Denote, HackMD, Outline
        ('![mast](m.png " =300x20") ![keel](k.png "=300x")', "mast keel"),
        ("[keel](denote:20240131T093000) ![mast](m.png =300x20) a = b", "keel mast a = b"),
        # MyST and Sphinx: roles, containers
        ("the {ref}`great keel <keel>` and {term}`mast`", "the great keel and mast"),
        ("{doc}`Keel <../keel>`, {py:func}`~boat.sail`", "Keel, boat.sail"),
        ("{kbd}`Ctrl` ``{ref}`x` `` ${a}`b` {a} `b`", "Ctrl {ref}`x` ${a}b {a} b"),
        (":::{note} A *keel*\n:class: x\nof oak\n:::", "A keel of oak"),
        (":::{note}\n:class: x\nof oak", "Note of oak"),
        ("::: {.callout-warning collapse=true}\nof oak", "Warning of oak"),
        ("::: {.column width=40%}\nof oak", "of oak"),
        (
            'the [keel]({{ site.baseurl }}/keel/), [mast]({{ "/mast" | relative_url }})',
            "the keel, mast",
        ),
        ("the [keel]({{ site.baseurl }}{% link keel.md %}) of oak", "the keel of oak"),
        # Hugo, Jekyll, GitBook: shortcodes and tags
        ('{{< figure src="a.png" title="The keel" >}} a', "The keel a"),
        ('{{% notice tip %}}oak{{% /notice %}} {{< button "Sail away" >}}', "oak Sail away"),
        ("{% highlight c %}x{% endhighlight %} {%- if a -%}b{%- endif %}", "x b"),
        ("`{{< x >}}` {{ page.title }} {{< open", "{{< x >}} {{ page.title }} {{< open"),
        # plugins of Obsidian: boards of cards, columns, flash cards
        ("call Ann @{2024-03-02} @@{14:30}", "call Ann 2024-03-02 14:30"),
        ("`@{2024-03-02}` HEAD@{2} @{user}", "@{2024-03-02} HEAD@{2} @{user}"),
        ("--- start-multi-column: ID_a", ""),
        ("the keel\n--- column-break ---\nof oak\n--- end-multi-column", "the keel of oak"),
        ("the keel\n=== end-column ===", "the keel"),
        ("oak --- end-column", "oak --- end-column"),
        ("What is oak?\n?\nA tree", "What is oak? A tree"),
        ("What is oak?\n??\nA tree", "What is oak? A tree"),
        ("oak\n? a tree\n?", "oak ? a tree ?"),
        # Docusaurus
        ("<img src={require('./a.png').default} alt=\"A keel\" />", "A keel"),
        ("<b style={{color: 'red'}}>oak</b>", "oak"),
        ('<img src={{ site.url }}/{id}.png alt="keel"> <a href=/{id}/a>oak</a>', "keel oak"),
        # Logseq and Roam
        ("{{youtube https://a.org}} {{[[video]]: https://b.org}}", "https://a.org https://b.org"),
        ("{{query (todo now)}} {{name}}", "(todo now) {{name}}"),
        # sizes of pictures
        ("![[a.png|A keel|300x200]] ![[a.png| 300 ]]", "A keel a.png"),
        ("![A keel | 300](a.png) [[Note|2 keels]]", "A keel 2 keels"),
        # places for a table of contents
        ("[TOC]", ""),
        ("[[toc]]", ""),
        ("[[_TOC_]]", ""),
        ("TOC\n{:toc}", ""),
        ("@[toc]", ""),
        ("@[TOC](In this note)", ""),
        ("${toc}", ""),
        ("{{TOC}}", ""),
        ("{{>toc}}", ""),
        ("see [TOC] and [[toc]]", "see [TOC] and toc"),
    ],
)
def test_marks_of_other_programs_are_not_shown(source: str, shown: str) -> None:
    assert plain(source) == shown


def test_references_to_blocks_are_told_apart_from_ellipses() -> None:
    one, two = "64f0c0de-1111-4222-8333-444455556666", "64f0c0de-2222-4222-8333-444455556666"
    source = f"… **(({one}))** [x]((({two}))) `(({two}))` {{{{embed (({two}))}}}}"
    shown, blocks = without_block_names(plain(source, names_blocks=True))
    assert shown == plain(source) == f"… … x (({two})) …"
    assert blocks == ((2, one), (len(shown) - 1, two))


def test_reference_links_need_a_definition() -> None:
    source = "[one][ref], [Ref][], [ref] and [two][other]"
    assert plain(source, {"REF"}) == "one, Ref, ref and [two][other]"
    assert plain(source) == source


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("Setup {#setup}", "Setup"),
        ("Setup { data-toc-label='Start' }", "Setup"),
        ("The set {a, b=c}", "The set {a, b=c}"),
        ("Setup { .class #id }", "Setup"),
        ("Setup {: #id }", "Setup"),
        ("The set {1, 2}", "The set {1, 2}"),
        ("`f()` <sup>3.4+</sup> {#f}", "f() 3.4+"),
        ("The keel[]{#keel .anchor}", "The keel"),
        ("}", "}"),
        ("{}", "{}"),
        ("{#id}", ""),
        ("if (keel) }", "if (keel) }"),
        ("The keel [#](#the-keel)", "The keel"),
        ('The keel[¶](https://a.example/b#keel "Link here")', "The keel"),
        ("The keel¶", "The keel"),
        ("The sign ¶", "The sign ¶"),
        ("¶", "¶"),
        ("The [keel](#keel)", "The keel"),
        ("[The keel]{#keel}", "The keel"),
    ],
)
def test_attributes_of_headings_are_not_shown(source: str, shown: str) -> None:
    assert plain_heading(source) == shown


@pytest.mark.parametrize(
    ("source", "tags"),
    [
        ("#one and #two/three, #four-4_x.", ["one", "two/three", "four-4_x"]),
        ("#Ünï #日本 #y2024", ["Ünï", "日本", "y2024"]),
        ("#123 #1/2 a#b ##c # d #", []),
        ("`#code` \\#escaped [x](#anchor) https://a.example/#part [[#Heading]]", []),
        ("<span>#inside</span> *#no* (#yes, #yes) x(#no) (（#no)", ["inside", "yes", "yes"]),
        ("tags: `one` `two words`", ["one", "two words"]),
        ("All tags: `one` `two`", []),
        ("（#日本） (#[[two words]])", ["日本", "two words"]),
        ("Heading { #no } { .class #no data-x=1 }", []),
        ("![](x.png){: width=9 #no } {.class #no} {a #yes} { #yes", ["yes"] * 2),
        ('<b style="color: #fff">#yes</b> <a title=" #no ">x</a> a < #yes >', ["yes"] * 2),
    ],
)
def test_inline_tags(source: str, tags: list[str]) -> None:
    assert list(inline_tags(source)) == tags


@given(st.text(alphabet="ab \n*_`~=[]()!<>&;#\\|%^:/\"'{}-1\0\ud7ff中", max_size=60))
@example("\0" + "1\0")
def test_no_source_raises(source: str) -> None:
    plain(source, {"A"})
    plain_html(source)
    list(inline_tags(source))


@given(st.text(alphabet="abc .,;?\n中é", max_size=80))
@example("a\n?\n")
@example("a\nb\n?")
def test_words_without_syntax_are_kept(source: str) -> None:
    sides = re.split(r"(?<=\S)\n\?\??[ ]*(?=\n\s*\S)", source)  # of a flash card
    assert plain(source).split() == " ".join(sides).split()


@pytest.mark.parametrize(
    "unit",
    ["[", "![", "[[", "[a](b ", "](", "*", "*a", "*a ", "_a", "`", "<!--", "<a", "<a b='", "&a",
     "\\", "~~", "==a ", "%%", "^a ", "[^", "[a](<", '](a "', "<a:", "<a@", ":::", "#a ", "{",
     "{.#a ", "<script>", "<!", "\n", " ", "{a=", "^[", "#a b", "[a]{", "+-", "+=", "::: {",
     "[x]({{< ref ", "{: a=", "{++"],
)  # fmt: skip
def test_time_is_linear_on_hostile_input(unit: str) -> None:
    source = unit * 20_000
    started = time.thread_time()
    plain(source, {"A"})
    plain_heading(source + "}")
    plain_html(source)
    list(inline_tags(source))
    assert time.thread_time() - started < 1


@pytest.mark.parametrize("source", ["oak@† ash\ue202", "{{< tab oak@= >}}", "{% tab oak@=%}"])
def test_blanks_in_a_citation_or_a_shortcode_take_linear_time(source: str) -> None:
    started = time.thread_time()
    plain(source.replace("@", " " * 40_000))
    assert time.thread_time() - started < 1


@pytest.mark.parametrize(
    ("source", "tags"),
    [
        ("#two words here# #last", ["two words here", "last"]),
        ("#one# and #home/my garden#.", ["one", "home/my garden"]),
        ("#tag and C# code", ["tag"]),
        ("#1 and so#", []),
        ("#foo bar #baz", ["foo", "baz"]),
        ("#foo bar#baz", ["foo"]),
    ],
)
def test_tags_of_several_words_as_bear_writes_them(source: str, tags: list[str]) -> None:
    assert list(inline_tags(source)) == tags


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("Note^[said *within* [a](b)] here", "Note (said within a) here"),
        ("[words]{.small #id} and ![alt](x.png){width=50%}", "words and alt"),
        ("`code`{.py} [link](x){: .button }", "code link"),
        ("f(x){return 1} {a} [a] {b}", "f(x){return 1} {a} [a] {b}"),
        ('::: {.callout-note title="Take care"}', "Take care"),
        ("<https://example.org>{.uri} a", "https://example.org a"),
        ('::: {.theorem #t name="Pythagoras"}\na', "Pythagoras a"),
    ],
)
def test_marks_of_pandoc_are_not_shown(source: str, shown: str) -> None:
    assert plain(source) == shown


@pytest.mark.parametrize(
    "tag",
    ["work", "कविता", "കവിത", "เที่ยว", "பயணம்", "السَّفَر", "می\u200cخواهم", "ক্\u200dষ", "שָׁלוֹם", "Việt",
     "日本語", "ロック・ポップ", "여행", "col·lecció", "👩\u200d💻", "❤️", "work/🚀", "a/b/c", "a_b",
     "x-y", "2024-01", "1a", "abc", "fed", "DBB", "ff8800", "Straße"],
)  # fmt: skip
def test_tags_of_every_script(tag: str) -> None:
    for around in ("#{}", "see #{} here", "#{}, and", "#{}.", "a\n#{}\nb", "#{}!", "<b>#{}</b>"):
        assert list(inline_tags(around.format(tag))) == [tag]


def test_tags_that_differ_in_unicode_form_alone_are_the_same() -> None:
    assert list(inline_tags("#Cafe\u0301 #Caf\u00e9")) == ["Café", "Café"]


@pytest.mark.parametrize(
    "source",
    ["#", "# a", "#123", "#१२३", "#1/2", "#️⃣", "a#b", "a(#no)", "`#no`", "https://x.example/#no",
     "[x](#no)", "[x](a.md#no)", "## no", "#!", r"\#no", '<a href="#no">x</a>', "#-", "[[#no]]",
     "[[Note#no]]", "x{ #no }"],
)  # fmt: skip
def test_what_is_no_tag(source: str) -> None:
    assert list(inline_tags(source)) == []


@pytest.mark.parametrize(
    ("source", "tags"),
    [
        ("#[[two words]] x", ["two words"]),
        ("x #[[Über uns]], #[[a/b c]]", ["Über uns", "a/b c"]),
        ("a#[[no]] [[no]] #[[]] #[[ ]]", []),
        ("tags:: one, two words", ["one", "two words"]),
        ("Tags:: [[Open water]], #sea, x", ["sea", "Open water", "sea", "x"]),
        ("text\ntags:: #[[Open water]] #sea\nmore", ["Open water", "sea", "Open water", "sea"]),
        ("status:: one, two", []),
        ("mytags:: one", []),
    ],
)
def test_tags_of_several_words(source: str, tags: list[str]) -> None:
    assert list(inline_tags(source)) == tags


@pytest.mark.parametrize(
    ("source", "properties"),
    [
        ("mood:: calm", [("mood", "calm")]),
        ("**Due date**:: 2024-01-31", [("Due date", "2024-01-31")]),
        ("text\nmood:: calm and glad\nmore", [("mood", "calm and glad")]),
        ("up at [hour:: 7] (mood:: calm), then", [("hour", "7"), ("mood", "calm")]),
        ("[by:: [[Ann Lee]]]", [("by", "[[Ann Lee]]")]),
        ("`mood:: calm` std::string a::b mood::", []),
        ("as he said that day:: nothing", []),
    ],
)
def test_properties_in_the_text(source: str, properties: list[tuple[str, str]]) -> None:
    assert list(inline_properties(source)) == properties


@pytest.mark.parametrize(
    ("source", "state", "rest"),
    [
        ("[ ] a", "open", "a"),
        ("[\u00a0] a", "open", "a"),
        ("[\u3000] a", "open", "a"),
        ("[ ]\u00a0a", "open", "a"),
        ("[x] a", "done", "a"),
        ("[X]  a", "done", "a"),
        ("[/] a", "started", "a"),
        ("[-] a", "cancelled", "a"),
        *((f"[{mark}] a", "open", "a") for mark in '!?><*"libIpcfkwud+'),
        ("TODO a", "open", "TODO a"),
        ("TODO [#A] a", "open", "TODO [#A] a"),
        ("LATER a", "open", "LATER a"),
        ("TODO: a", "open", "TODO: a"),
        ("DONE: a", "done", "DONE: a"),
        ("WAITING a", "open", "WAITING a"),
        ("WAIT a", "open", "WAIT a"),
        ("DOING a", "started", "DOING a"),
        ("NOW a", "started", "NOW a"),
        ("IN-PROGRESS a", "started", "IN-PROGRESS a"),
        ("DONE", "done", "DONE"),
        ("CANCELED a", "cancelled", "CANCELED a"),
        ("CANCELLED a", "cancelled", "CANCELLED a"),
        ("{{[[TODO]]}} a", "open", "a"),
        ("{{TODO}} a", "open", "a"),
        ("{{[[DONE]]}} a", "done", "a"),
    ],
)
def test_states_of_tasks(source: str, state: str, rest: str) -> None:
    found = task_state(source)
    assert found is not None
    assert (found[0], source[found[1] :]) == (state, rest)


@pytest.mark.parametrize(
    "source", ["[x](a.md) b", "[x]", "[[x]] a", "[ab] c", "[] a", "Todo a", "TODOs", "NOWHERE", "x"]
)
def test_what_is_no_task(source: str) -> None:
    assert task_state(source) is None

"""The preview's HTML for Markdown as people write it: CommonMark, GFM, Obsidian, VitePress."""

import re
import subprocess
import sys

import pytest

from notesearch.markdown.render import default_dialect, render
from notesearch.markdown.render.qt_html import CUT_NOTICE
from notesearch.markdown.render.section_html import MAX_SOURCE
from notesearch.markdown.sections.note_parser import parse_note


def shown(html: str) -> str:
    """Return the text of ``html`` with its white space folded."""
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        # Headings: named by their line; the section's own heading leads, whatever its level
        ("# Trip", '<h1 id="line-1">Trip</h1>'),
        ("#### Food\n##### Prices", '<h2 id="line-1">Food</h2>\n<h3 id="line-2">Prices</h3>'),
        ("Food\n====", '<h1 id="line-1">Food</h1>'),
        ("## Food {#eat}", '<h2 id="line-1">Food</h2>'),
        ("## Set {a, b}", '<h2 id="line-1">Set {a, b}</h2>'),
        # Inline
        ("**b** *i* ~~s~~ `c`", "<strong>b</strong> <em>i</em> <s>s</s> <code>c</code>"),
        ("a ==marked *text*== b", 'a <span class="mark">marked <em>text</em></span> b'),
        ("1 == 1 and 2 == 2", "1 == 1 and 2 == 2"),
        ("Press <kbd>Ctrl</kbd>+K", 'Press <span class="kbd">Ctrl</span>+K'),
        ("H<sub>2</sub>O x<sup>2</sup>", "H<sub>2</sub>O x<sup>2</sup>"),
        ("one<br>two<br/>three", "one<br>two<br>three"),
        ("costs $5 and $6", "costs $5 and $6"),
        ("so $a_1 + b_1$ is", '<p>so <img src="math:'),
        ("$\\unheard{a}$", '<var class="math">\\unheard{a}</var>'),
        ("$a_1^", "<p>$a_1^</p>"),
        (
            "so\n\\begin{align}\na &= 1 \\\\\nb &= 2\n\\end{align}",
            '<p class="formula"><img src="math:',
        ),
        ("\\begin{equation}\n\\unheard{a}\n\\end{equation}", '<pre><span class="k">\\begin</span>'),
        ("in *$HOME* and `$PATH`", "<p>in <em>$HOME</em> and <code>$PATH</code></p>"),
        # Links
        ("[t](https://a.example/x?y=1&z=2)", '<a href="https://a.example/x?y=1&amp;z=2">t</a>'),
        ("<https://a.example>", '<a href="https://a.example">https://a.example</a>'),
        ("see www.example.com.", '<a href="http://www.example.com">www.example.com</a>.'),
        ("read README.md", "<p>read README.md</p>"),
        ("[t](mailto:a@b.example)", '<a href="mailto:a@b.example">t</a>'),
        ("[t](My%20note.md#Some%20part)", '<a href="note:My%20note.md%23Some%20part">t</a>'),
        ("[t](../up/Note.md)", '<a href="note:..%2Fup%2FNote.md">t</a>'),
        ("[t](#part)", '<a href="note:%23part">t</a>'),
        ("[[Note]]", '<a href="note:Note">Note</a>'),
        ("[[Note#Part|words]]", '<a href="note:Note%23Part">words</a>'),
        ("[[Note#Part#^id]]", '<a href="note:Note%23Part%23%5Eid">Note &gt; Part &gt; id</a>'),
        ("[[#Part]]", '<a href="note:%23Part">Part</a>'),
        ("| a |\n|-|\n| [[Note\\|words]] |", '<td align="left"><a href="note:Note">words</a></td>'),
        ("![[Note#Part]]", '<a href="note:Note%23Part">Note &gt; Part</a>'),
        ("`[[Note]]`", "<code>[[Note]]</code>"),
        ("`[a]([[Note]])`", "<code>[a]([[Note]])</code>"),
        # Tags
        ("a #winter/cold day", 'a <var class="tag">#winter/cold</var> day'),
        ("a (#winter) day", 'a (<var class="tag">#winter</var>) day'),
        ("a (#[[cold day]]) b", 'a (<var class="tag">#cold day</var>) b'),
        ("#5 and C# and x#y and `#z`", "<p>#5 and C# and x#y and <code>#z</code></p>"),
        # Attributes, and notes within a line
        ("[a](b.md){.x key=1} [words]{.y}", '<p><a href="note:b.md">a</a> words</p>'),
        ("[[Note]]{.x} `c`{.py}", '<p><a href="note:Note">Note</a> <code>c</code></p>'),
        ("f(x){y=1} [a]{b} `[a]{.b}` \\[a\\]{.b}", "f(x){y=1} [a]{b} <code>[a]{.b}</code> [a]{.b}"),
        ("see^[a [link](b.md), [[c]]]", '(a <a href="note:b.md">link</a>, <a href="note:c">c</a>)'),
        ("see^[a *note*] x^[a](b)", 'see (a <em>note</em>) x^<a href="note:b">a</a>'),
        # Pictures
        ("![a](b.png){width=50%}", '<p><img src="image:b.png"><br><span class="alt">a</span></p>'),
        (
            '![of oak](b.png "Keel")',
            '<img src="image:b.png"><br><span class="alt">of oak · Keel</span>',
        ),
        ("![of oak](b.png)\n*of oak*", '<p><img src="image:b.png"><br><em>of oak</em></p>'),
        ("![of oak](b.png)\n\nof oak", '<br><span class="alt">of oak</span></p>'),
        ("![](b.png)\n![](c.png)", '<img src="image:b.png">\n<img src="image:c.png">'),
        (
            '<figure><img src="b.png" alt="x"><figcaption>of oak</figcaption></figure>',
            '<img src="image:b.png"><p class="caption">of oak</p>',
        ),
        (
            '{{< figure src="b.png" title="of oak" >}}',
            '<img src="image:b.png"><br><span class="alt">of oak</span>',
        ),
        ('`{{< figure src="b.png" >}}`', "<p><code>{{&lt; figure src="),
        (
            '{{< figure\nsrc="b.png" >}} a',
            '<p><img src="image:b.png"> a</p>',
        ),
        ("![of oak|90x9](b.png)", '<img src="image:b.png#90"><br><span class="alt">of oak</span>'),
        ("![[b.png|of oak]]", '<img src="image:b.png"><br><span class="alt">of oak</span>'),
        (
            "![keel](Keel%201.png)![](c.png)",
            '<p><img src="image:Keel%201.png"><img src="image:c.png"></p>',
        ),
        ("![a](img/my%20map.png)", '<img src="image:img%2Fmy%20map.png">'),
        ("![](b.png)" * 201, '<img src="image:b.png">b.png</p>'),
        ("![[map.png]]", '<img src="image:map.png">'),
        ("![[map.png|300]]", '<img src="image:map.png#300">'),
        ('<img src="map.png" width="300" onerror="x">', '<img src="image:map.png#300">'),
        (
            "![a](https://pics.example/x.png)",
            '<a href="https://pics.example/x.png"><img src="ui:remote/pics.example"></a>',
        ),
        # Lists and tasks
        ("- [ ] a\n- [x] b", '<li class="task"><img src="ui:unchecked"> a</li>'),
        ("- [x] b", '<img src="ui:checked"> b'),
        ("- [ ]\n- [x]", '<img src="ui:unchecked"> </li>\n<li class="task"><img src="ui:checked">'),
        ("- [/] c", '<img src="ui:started"> c'),
        ("- [-] d", '<img src="ui:cancelled"> d'),
        ("- [link](x.md)", '<li><a href="note:x.md">link</a></li>'),
        ("4. four\n5. five", '<ol start="4">'),
        ('<ol start="5"><li>five</li></ol>', '<ol start="5">'),
        # Pages and films of the web
        (
            '<iframe width="560" src="https://films.example/a?b=1&amp;c=2">none</iframe>',
            '<a href="https://films.example/a?b=1&amp;c=2">https://films.example/a?b=1&amp;c=2</a>',
        ),
        (
            'See <video controls><source src="https://films.example/a.mp4"></video> here.',
            'See <a href="https://films.example/a.mp4">https://films.example/a.mp4</a>',
        ),
        ('Hear <audio src="a/b.mp3"></audio>', 'Hear <a href="note:a%2Fb.mp3">b.mp3</a>'),
        ('<video>\n<source src="a b.mp4">\n</video>', '<a href="note:a%20b.mp4">a b.mp4</a>'),
        # Tables
        ("|a|b|\n|-|-:|\n|c|d|", '<td align="right">d</td>'),
        ("|a|b|\n|-|-:|\n|c|d|", '<table class="grid" cellspacing="0" cellpadding="0">'),
        ("|אחת|API|\n|-|-|\n|שלוש|4|", '<tr>\n<th align="right">API</th>\n<th align="right">אחת'),
        ("|API|תיאור|\n|-|-|\n|get|ערך|", '<td align="right">ערך</td>\n<td align="right">get</td>'),
        ("|אחת|מה|\n|-|-:|\n|שלוש|4|", '<td align="right">4</td>\n<td align="right">שלוש</td>'),
        ("|אחת|מה|\n|-|:-|\n|שלוש|4|", '<td align="left">4</td>\n<td align="right">שלוש</td>'),
        ("|name|שם|\n|-|-|\n|word|מלה|", '<th align="left">name</th>\n<th align="left">שם'),
        # Verses of Pandoc
        (
            "| The keel\n|   of *oak*\n|\n| holds",
            "<p>The keel<br>\nof <em>oak</em><br>\n<br>\nholds",
        ),
        ("| a keel\n\n| b", "<p>| a keel</p>"),
        # Quotes and callouts
        ("> said", '<td class="bar-quote" width="3"></td><td class="quoted-quote">'),
        ("> [!tip] Do *this*\n> now", '<p class="callout-title">Do <em>this</em></p>'),
        ("> [!tip] Do\n> now", '<td class="bar-tip" width="3"></td><td class="quoted-tip">'),
        ("> [!WARNING]-\n> hot", '<p class="callout-title">Warning</p>\n<p>hot</p>'),
        ("> [!own kind]\n> x", '<td class="quoted-note">\n<p class="callout-title">Own kind</p>'),
        (':::danger{title="Hot"}\nstove\n:::', '<p class="callout-title">Hot</p>'),
        (":::danger[Hot]{.wide}\nstove\n:::", '<p class="callout-title">Hot</p>'),
        ("::: details Hot {open}\nstove\n:::", '<p class="callout-title">Hot</p>'),
        ("::: danger The set {1, 2}\nstove\n:::", '<p class="callout-title">The set {1, 2}</p>'),
        ("::: danger The ${HOT}\nstove\n:::", '<p class="callout-title">The ${HOT}</p>'),
        ("::: danger {{ hot }}\nstove\n:::", '<p class="callout-title">{{ hot }}</p>'),
        ("::: danger Hot\nstove\n:::", '<td class="quoted-danger"><p class="callout-title">Hot'),
        ("::: tip See [docs](#a)\nstove\n:::", "See <a"),
        (
            '::: {.callout-tip title="Hot"}\nstove\n:::',
            '<td class="quoted-tip"><p class="callout-title">Hot</p>\n<p>stove</p>',
        ),
        (
            '::: {.column title="Left"}\nx\n:::',
            '<td class="quoted-quiet"><p class="callout-title">Left</p>',
        ),
        (
            '::: {.callout-tip collapse="true"}\n## Hot\nstove\n:::',
            '<p class="callout-title">Hot</p>\n<p>stove</p>\n</td>',
        ),
        (":::: columns\n::: column\nleft\n:::\n::::", "<div>\n<div>\n<p>left</p>\n</div>\n</div>"),
        ('::: {.wide width="50%"}\nx\n:::', "<div>\n<p>x</p>\n</div>"),
        (":::tip\ncut off here", '<td class="quoted-tip"><p class="callout-title">Tip</p>'),
        ('!!! bug "Known"\n    text', '<td class="quoted-danger"><p class="callout-title">Known'),
        (
            "```{tip} Do *this*\n:class: x\nnow\n```",
            '<p class="callout-title">Do <em>this</em></p>',
        ),
        ("```{tip} See [a]\nnow\n```", '<p class="callout-title">See [a]</p>'),
        ("```{warning}\n- a\n```", 'quoted-warning"><p class="callout-title">Warning</p>\n<ul>'),
        (":::{danger}\n:class: x\nhot\n:::", '<p class="callout-title">Danger</p>\n<p>hot</p>'),
        ("````{note}\n```{tip}\na\n```\n````", '<p class="callout-title">Tip</p>\n<p>a</p>'),
        ("Keel\n: Of *oak*", "<dt>Keel</dt>\n<dd>Of <em>oak</em></dd>"),
        ("<your name>", "&lt;your name&gt;"),
        ("the <output> of a <title>", "the &lt;output&gt; of a &lt;title&gt;"),
        ("<title>\nwords", "words"),
        ('<Card title="Start">\n\na\n\n</Card>', "<b>Start</b>"),
        ("+---+---+\n| a | b |\n+===+===+\n| c | d |\n| e |   |\n+---+---+", ">c\ne</td>"),
        ("<ac:link>a</ac:link>", "<p> a </p>"),
        ("<contact @ann>", "&lt;contact @ann&gt;"),
        ('Oak <Save :a="b" @click="c" /><template #x> ash', "<p>Oak  ash</p>"),
        ("a <b and c> d", "a &lt;b and c&gt; d"),
        ("{++new++} {~~a~>b~~} {{c1::keel::hint}}", "<p>new <s>a</s> b keel (hint)</p>"),
        ("![[Plan.canvas|300]]", ">Plan.canvas</a>"),
        ("```ad-tip\ntitle: Oak\ncollapse: open\nOf *ash*\n```", "Oak</p>\n<p>Of <em>ash</em></p>"),
        ("```{code-cell} python\n:tags: [x]\n1\n```", "<pre>1</pre>"),
        ("> > > > > five", "<div>\n<p>five"),
        ("{/*\na\n\nb\n*/}\nc {/* d */} `{/* e */}`", "<p>c  <code>{/* e */}</code></p>"),
        ("<div>\n<https://example.org>\n</div>", "&lt;https://example.org&gt;"),
        (
            "> مرحبا",
            '<td class="quoted-quote">\n<p>مرحبا</p>\n</td><td class="bar-quote" width="3">',
        ),
        ("> 1 **שלום**", "</td><td class="),
        # Pictures and options of MyST
        (
            "```{figure} ./b.png\n---\nname: keel\nalt: of oak\n---\nA *caption*\n```",
            '<br><span class="alt">of oak</span></p>\n<p>A <em>caption</em></p>\n</div>',
        ),
        ("```{image} b.png\n:alt: of oak\n```", '<img src="image:b.png"><br><span class="alt">of'),
        ("```{figure}\n![](b.png)\n\nkeel\n```", '<img src="image:b.png"></p>\n<p>keel</p>'),
        (":::{figure} b.png\n:name: x\nkeel\n:::", '<img src="image:b.png"></p>\n<p>keel</p>'),
        ("```{note}\n---\nclass: x\n---\na\n```", "Note</p>\n<p>a</p>"),
        ("```{code-block} r\n---\nlineno-start: 1\n---\nx\n```", "<pre>x</pre>"),
        # Tags of MDX, on lines of their own
        ('<TabItem label="Oak">\n```\nkeel\n```\n</TabItem>', "<b>Oak</b>"),
        ('<Listing caption="Of `T`">\n\na\n\n</Listing>', "<b>Of <code>T</code></b>"),
        ('<TabItem label="Oak">\n```\nkeel\n```\n</TabItem>', "<pre>keel</pre>"),
        ("<Tabs\n  a='b'\n  c={[{d: 'e'}, {f: 1}]}\n>\n- keel\n</Tabs>", "<ul>\n<li>keel</li>"),
        ("Write\n<Name>\nhere", "<p>Write\n&lt;Name&gt;\nhere</p>"),
        ("keel\n</Tabs>\noak", "<p>keel</p>\n\n\n<p>oak</p>"),
        # Names below tables
        ("|a|b|\n|--|--|\n|c|d|\n^keel", '<td align="left">d</td>\n</tr>\n\n</table>\n'),
        ("|a|b|\n|--|--|\n|c|d|\n{: .wide }", '<td align="left">d</td>\n</tr>\n\n</table>\n'),
        ("![[b.png|right|30]]Keel", '<p><img src="image:b.png#30">Keel</p>'),
        ("$$ $$", ""),
        ("{{video https://example.org/a}}", '<a href="https://example.org/a">'),
        # Where it stands
        ('<p align="center">a</p>', '<p align="center">a</p>'),
        ("<center>a</center>", '<div align="center">a</div>'),
        ('<h2 align="right">a</h2>', '<h2 align="right">a</h2>'),
        ('<p align="url(x)">a</p>', "<p>a</p>"),
        (
            "<table><tr><td colspan=2 rowspan='3'>a</td></tr></table>",
            '<td colspan="2" rowspan="3" align="left">a</td>',
        ),
        ("<table><tr><td colspan=9999>a</td></tr></table>", '<td align="left">a</td>'),
        # Marks of other programs
        ("{ref}`the keel <keel>`", "<p>the keel</p>"),
        ("{doc}`Keel <keel>`", '<a href="note:keel">Keel</a>'),
        ("a\n\n[TOC]\n\nb", "<p>a</p>\n\n<p>b</p>"),
        ("{{< tip >}}\nkeel\n{{< /tip >}}", "<p>keel</p>"),
        (
            '| a | b |\n|---|---|\n| {{< icon "x" >}} | two |',
            '<td align="left"> </td>\n<td align="left">two</td>',
        ),
        (
            "| a | b |\n|---|---|\n| one | {: .c} |",
            '<td align="left">one</td>\n<td align="left"></td>',
        ),
        ('<TabItem value="a" label="Oak">\n\nkeel\n\n</TabItem>', "<b>Oak</b>"),
        ("- ☐ keel", "<li>☐ keel</li>"),
        ("## [x] keel", '<img src="ui:checked"> keel</h2>'),
        ("## [1] keel", ">[1] keel</h2>"),
        # Code
        ("```{code-block} python\nx\n```", "<pre>"),
        ("```\na < b\n```", "<pre>a &lt; b</pre>"),
        ("```python\ndef f(): # c\n```", '<span class="k">def</span> <span class="f">f</span>'),
        ("```diff\n- a\n+ b\n```", '<span class="s">+ b</span>'),
        ("```no-such-language\nx\n```", "<pre>x</pre>"),
        ("    indented", "<pre>indented</pre>"),
        ("```mermaid\ngraph TD\n```", "graph TD"),
        ("in $$x^2$$ a line", '<p>in </p><p class="formula"><img src="math:'),
        ("in $$\\unheard{a}$$ a line", "<pre>"),
        ("<!-- ash -->\n\n<!-- oak\n\nelm", "oak\n\nelm"),
        ("{{c1::oak::a tree}}", "oak (a tree)"),
        ("of $`x^2`$ oak", 'of <img src="math:'),
        ("$`x` costs $5", "$<code>x</code> costs $5"),
        ("$$x^2$$ `$$` $$", '<p class="formula"><img src="math:'),
        ("$$\n\\sum x\n$$", '<p class="formula"><img src="math:'),
        ("```math\n\\sum x\n```", '<p class="formula"><img src="math:'),
        ("$$\n\\unheard x\n$$", "\\unheard</span> x"),
        # Footnotes stay where they are, with or without their other half
        ("text[^1]\n\n[^1]: note", '<sup><a href="#fn-1">1</a></sup>'),
        ("[^1]: note", '<div class="footnote" id="fn-1"><p><sup>1</sup> note</p>'),
        ("text[^1]", "text<sup>[1]</sup>"),
        # HTML: harmless parts stay, unknown tags are what somebody forgot to mark as code
        ("List<String> and <your name>", "List&lt;String&gt; and &lt;your name&gt;"),
        ("cp <source file> <table name>", "cp &lt;source file&gt; &lt;table name&gt;"),
        (r"\sum_{i=1} oak", r"\sum_{i=1} oak"),
        ("<callout>The *keel*</callout> <T>", "<p>The <em>keel</em> &lt;T&gt;</p>"),
        (r"\( x_1 \) or \(a\)", "(a)</p>"),
        (r"\( \sum x \)", '<img src="math:'),
        ("![a](b.png =30x)", '<img src="image:b.png">'),
        ("# Oak { data-toc-label='Ash' }", ">Oak</h1>"),
        ("[oak](d(1(2))){ .x } ash", "oak</a> ash"),
        ('```js title="__a__.js" {1}\nx\n```', "<p><code>__a__.js</code></p>"),
        ("```js [a.js]\nx\n```", "<p><code>a.js</code></p>"),
        ("```r [1] x\ny\n```\n\noak", "<p>oak</p>"),
        (
            "<details><summary>More</summary>\n\ntext\n\n</details>",
            '<td class="quoted-quiet"><p class="callout-title">More</p>\n\n<p>text</p>\n</td>',
        ),
        ("<p>a</p>\n<img src='b.png'>", '<p>a</p>\n<p><img src="image:b.png"></p>'),
        ("<p>a</p>\n<img src='b.png'> c", '<p>a</p>\n<p><img src="image:b.png"> c\n</p>'),
        ("a ![of oak](b.png)", '<img src="image:b.png"> <span class="alt">of oak</span>'),
        ("| | |\n|---|---|\n| a | b |", 'cellpadding="0">\n\n\n<tr>\n<td align="left">a</td>'),
        ("> a\n\n---", '</td></tr></table>\n<p class="gap">\u200b</p><hr>'),
        ("a\n$$x$$\nb", "</p><p>b</p>"),
        ("oak\n\n<Listing caption='elm'>\n\n```\nx\n```\n\n</Listing>", "<p><b>elm</b></p>"),
        ("<table><tr><td><p>oak</p>elm</td></tr></table>", "<p>oak</p><p>elm</p></td>"),
        ("- a\n  ```\n  x\n  ```\n  b *c*\n- d", "</table><p>\nb <em>c</em></p></li>"),
        ('a <sup class="new" data-text="3" /> b <br/> <sub>c</sub>', "a  b <br> <sub>c</sub>"),
        ("<a href=https://example.org/>b</a>", '<a href="https://example.org/">b</a>'),
        ("> a $$x$$", "</p>\n</td></tr></table>"),
        ('<div class="x">\n\ntext\n\n</div>', "<p>text</p>"),
        (
            "<p style='color: red; text-align: center'>a</p>",
            '<p align="center"><span class="red">a</span></p>',
        ),
        ("<ruby>漢<rt>kan</rt></ruby>", "漢<sup>kan</sup>"),
        ("<ul><li>a<br></li><li>b<br><br></li></ul>", "<li>a</li><li>b<br></li>"),
        ("<VueLink href='x'/>", ""),
    ],
)
def test_markdown_becomes(source: str, expected: str) -> None:
    assert expected in render(source)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("words %%secret%% more", "words more"),
        ("a\n\n%%\nsecret\n\n# too\n%%\n\nb", "a b"),
        ("50%% off", "50%% off"),
        ("<!-- secret -->shown", "shown"),
        ("a paragraph ^block-1", "a paragraph"),
        ("a list:\n- item ^id-2", "a list: item"),
        ("x ^ y", "x ^ y"),
        ("|a|b|\n|-|-|\n|c|d|\n^keel\n\ne", "a b c d e"),
        ("## a\n:PROPERTIES:\n:heading: true\n:END:\nb", "a b"),
        ("a\n:PROPERTIES:\n:ID:  7-e\n:later: 1610000000000\n:END:\nb", "a b"),
        ("a\n:PROPERTIES:\n:author: Ann\n:END:", "a :PROPERTIES: :author: Ann :END:"),
        ("a\n:PROPERTIES:\nnever closed", "a :PROPERTIES: never closed"),
        (":::", ""),
        ("end of a container\n:::\nafter", "end of a container after"),
        ("<script>alert(1)</script>", ""),
        ("<style>p {}</style>\n\ntext", "text"),
    ],
)
def test_only_hidden_syntax_is_hidden(source: str, expected: str) -> None:
    assert shown(render(source)) == expected


@pytest.mark.parametrize(
    ("source", "bold"),
    [
        ("**重点。**后面", "重点。"),
        ("**注意：**这里", "注意："),
        ("这是**“重点”**内容", "“重点”"),
        ("これは**「重要」**です", "「重要」"),
        ("これは**(重要)**です", "(重要)"),
        ("한국어**(괄호)**는", "(괄호)"),
        ("文**`code`**文", "<code>code</code>"),
        ("他**说：**「好」", "说："),
        ("中**bold**文", "bold"),
    ],
)
def test_emphasis_beside_punctuation_that_no_space_follows(source: str, bold: str) -> None:
    assert f"<strong>{bold}</strong>" in render(source)
    assert "*" not in render(source)


def test_strike_out_beside_such_punctuation() -> None:
    assert render("~~（删除）~~文字") == "<p><s>（删除）</s>文字</p>\n"


@pytest.mark.parametrize("source", ["中 * 文 * 字", "中** 文**", "a * b", "中*文", "**.**b"])
def test_stars_that_are_no_emphasis(source: str) -> None:
    assert render(source) == f"<p>{source}</p>\n"


@pytest.mark.parametrize(
    ("row", "cells"),
    [
        ("| [[week 9|nine]] | Ann |", ['<a href="note:week%209">nine</a>', "Ann"]),
        ("| `a|b` | Ann |", ["<code>a|b</code>", "Ann"]),
        ("| a | b | c |", ["a", "b | c"]),
        ("| a", ["a", ""]),
    ],
)
def test_cells_of_a_table_stay_where_they_are(row: str, cells: list[str]) -> None:
    html = render(f"| x | y |\n|---|---|\n{row}\n")
    assert re.findall(r'<td align="left">(.*?)</td>', html) == cells


def test_marks_within_words() -> None:
    assert render("re==cover==able H~2~O x^2^ a==b and c==d ~1 km ~2 km") == (
        '<p>re<span class="mark">cover</span>able H<sub>2</sub>O x<sup>2</sup>'
        " a==b and c==d ~1 km ~2 km</p>\n"
    )


def test_tasks_show_their_state() -> None:
    html = render("- [x] a\n- [!] b\n- [/] c\n- [-] d\n- [\u00a0] e\n- TODO f\n- DONE g\n")
    assert re.findall(r'ui:(\w+)"> ([\w ]+)<', html) == [
        ("checked", "a"), ("unchecked", "b"), ("started", "c"), ("cancelled", "d"),
        ("unchecked", "e"), ("unchecked", "TODO f"), ("checked", "DONE g"),
    ]  # fmt: skip


def test_headings_have_anchors_by_line() -> None:
    html = render("### Food\n\ntext\n\n#### Prices\n", first_line=42)
    assert '<h2 id="line-42">Food' in html
    assert '<h3 id="line-46">Prices' in html


def test_headings_in_quotes_have_no_anchor() -> None:
    assert "line-" not in render("> # Quoted\n")


def test_a_long_section_is_cut_at_a_line_end_with_a_notice() -> None:
    html = render("word\n" * (MAX_SOURCE // 2))
    assert len(html) < 2 * MAX_SOURCE
    assert "Open the note in the editor" in html
    assert "Open the note in the editor" not in render("word\n" * 100)


@pytest.mark.parametrize(
    "contents",
    ["[TOC]", "[toc]", "[[toc]]", "[[TOC]]", "[[_TOC_]]", "@[toc]", "@[TOC](In it)", "${toc}",
     "{{TOC}}", "{{>toc}}", "<!-- toc -->", "TOC\n{:toc}", "{{< toc >}}"],
)  # fmt: skip
def test_the_place_of_a_table_of_contents_shows_nothing(contents: str) -> None:
    assert render(f"{contents}\n\nOak\n").strip() == "<p>Oak</p>"
    assert parse_note(f"{contents}\n\nOak\n", "a.md").sections[0].text == "Oak"


def test_a_mail_quoted_twenty_deep_is_shown_to_its_end() -> None:
    mail = "\n>\n".join(f"{'> ' * depth}{'Words of the crew. ' * 80}{depth}" for depth in range(20))
    html = render(mail)
    assert all(f"crew. {depth}</p>" in html for depth in range(19))
    assert "crew. 19" in html
    assert CUT_NOTICE not in html


def test_rendered_html_names_no_colour() -> None:
    html = render("> [!tip] a\n> b\n\n```python\nx = 1\n```\n\n==m== `c`\n\n|a|\n|-|\n|b|\n")
    assert "color" not in html
    assert "style=" not in html


def test_importing_the_module_imports_no_parser() -> None:
    code = (
        "import sys, notesearch.markdown.render.section_html;"
        "sys.exit(any(m in sys.modules for m in ('markdown_it', 'nh3', 'pygments')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    "source",
    [
        "{{< x >}}\nkeel\n{{< /x >}}\noak",
        "keel\n{{< x >}} <!-- a -->\noak\n{: .b }\n:material-home:",
    ],
)
def test_a_line_of_nothing_shown_leaves_no_gap(source: str) -> None:
    html = default_dialect.to_html(source, keeps_lines=True)
    assert html.replace("/>", ">").replace(" ", "") == "<p>keel<br>\noak</p>\n"


@pytest.mark.parametrize("hidden", [":material-home:", "{{< toc >}}", "{: .lead }"])
def test_a_paragraph_of_nothing_shown_leaves_no_gap(hidden: str) -> None:
    assert render(f"{hidden}\n\nOtters").strip() == "<p>Otters</p>"

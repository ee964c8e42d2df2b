"""Makes prose of snippets: short addresses, Unicode for formulas, no paths of included files."""

import re

from notesearch.notes import Span
from notesearch.results import Marked

CELL = " | "
"""What the index writes between the cells of a table."""
_SEPARATOR = " · "
_ADDRESS = re.compile(r"\bhttps?://(?:www\.)?([^\s/?#:]+)[^\s…]*[^\s….,;:!?)\]'\"]")
_TEX = re.compile(r"\$\$([^$]{1,80})\$\$|(?<![\w$])\$(?=\S)([^$]{1,60}?)(?<=\S)\$(?![\w$])")
_INCLUDED = re.compile(
    r"--8<--\s*(?:[\"'][^\"']*[\"'])?\s?|\{%-?\s*include\b.*?%\}\s?|\{\{\s*#\w*include\b.*?\}\}\s?"
)
_TYPE = re.compile(
    r"(?:^|(?<=^… ))(?:note|abstract|summary|tldr|info|todo|tip|hint|important|success|check|done"
    r"|question|help|faq|warning|caution|attention|failure|fail|missing|danger|error|bug|example"
    r"|quote|cite|seealso|details)\n",
    re.IGNORECASE | re.MULTILINE,
)
"""The type of a callout without a title, which has a line of its own."""
_LINE_END = re.compile(r"(?<![\s.!?…:;,。！？：；，、(\[{])\n(?![\s)\]}])")
"""The end of a list item, a paragraph or a line of code that no sign of its own ends."""
_FRACTION = re.compile(r"\\[td]?frac\{([^{}]{1,20})\}\{([^{}]{1,20})\}")
_COMMAND = re.compile(r"\\([A-Za-z]+|[,;! ])")
_NAMES = """
alpha α beta β gamma γ delta δ epsilon ε varepsilon ε zeta ζ eta η theta θ lambda λ mu μ nu ν xi ξ
pi π rho ρ sigma σ tau τ phi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Pi Π Sigma Σ
Phi Φ Psi Ψ Omega Ω to → rightarrow → leftarrow ← Rightarrow ⇒ leq ≤ le ≤ geq ≥ ge ≥ neq ≠ approx ≈
times × cdot · pm ± infty ∞ sum ∑ prod ∏ int ∫ sqrt √ in ∈ notin ∉ subset ⊂ cup ∪ cap ∩ forall ∀
exists ∃ partial ∂ nabla ∇ degree ° circ ° ldots … dots …
""".split()
_SIGNS = dict(zip(_NAMES[::2], _NAMES[1::2], strict=True))
_SIGNS |= dict.fromkeys([",", ";", "!", " "], " ")
_SIGNS |= dict.fromkeys(["left", "right", "text", "mathrm"], "")
_RAISED = dict(zip("0123456789+-=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ", strict=True))
_LOWERED = dict(zip("0123456789+-=()aeijkmnt", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑᵢⱼₖₘₙₜ", strict=True))


def prose(cut: Marked, *, has_table: bool = False) -> Marked:
    """Return a snippet as a person would read it aloud.

    Addresses are shortened to their host, simple formulas become Unicode; dots separate cells of
    tables and lines, such as list items; paths of included files and names of callouts' types are
    left out. What matches the query stays as it is.
    """
    edits = [(found.span(), _host(found)) for found in _ADDRESS.finditer(cut.text)]
    edits += [(found.span(), unicode_of(found[1] or found[2])) for found in _TEX.finditer(cut.text)]
    edits += [(found.span(), "") for found in _INCLUDED.finditer(cut.text)]
    edits += [(found.span(), "") for found in _TYPE.finditer(cut.text)]
    edits += [(found.span(), _SEPARATOR) for found in _LINE_END.finditer(cut.text)]
    if has_table:
        edits += [(found.span(), _SEPARATOR) for found in re.finditer(re.escape(CELL), cut.text)]
    text, marks, at = "", list[Span](), 0
    waiting = list(cut.marks)
    for (start, end), instead in sorted(edits):
        if start < at or any(a < end and start < b for a, b in cut.marks):
            continue
        by = len(text) - at
        while waiting and waiting[0][1] <= start:
            marks.append((waiting[0][0] + by, waiting[0][1] + by))
            waiting.pop(0)
        text += cut.text[at:start] + instead
        at = end
    by = len(text) - at
    line = (text + cut.text[at:]).replace("\n", " ")
    return Marked(line, (*marks, *((a + by, b + by) for a, b in waiting)))


def _host(address: re.Match[str]) -> str:
    return address[1]


def unicode_of(formula: str) -> str:
    """Return a simple formula of TeX in Unicode; a difficult one without its signs of TeX."""
    text = _FRACTION.sub(r"\1/\2", formula)
    text = _COMMAND.sub(lambda found: _SIGNS.get(found[1], found[1]), text)
    for signs, place in ((_RAISED, "^"), (_LOWERED, "_")):
        small = re.compile(rf"\{place}(?:\{{([^{{}}]{{1,8}})\}}|(\w))")
        text = small.sub(lambda found: _small(found, signs), text)  # noqa: B023 - used at once
    return " ".join(text.replace("{", "").replace("}", "").split())


def _small(found: re.Match[str], signs: dict[str, str]) -> str:
    letters = found[1] or found[2]
    if all(letter in signs for letter in letters):
        return "".join(signs[letter] for letter in letters)
    return found[0]

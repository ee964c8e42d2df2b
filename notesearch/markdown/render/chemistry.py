r"""Writes ``\ce{…}``, the chemical formulas of the TeX package mhchem, as usual TeX."""

import re

_GROUP = r"\{(?:[^{}]|\{[^{}]*\})*\}"
_FORMULA = re.compile(rf"\\ce\s*({_GROUP})")
_PART = re.compile(
    rf"(?P<arrow><=>>?|<<=>|<-->|<->|-->|->|<-)(?:\[(?P<above>[^\[\]]*)\])?(?:\[(?P<below>[^\[\]]*)\])?"
    rf"|(?P<tex>\$[^$]*\$|\\[A-Za-z]+(?:{_GROUP})*)"
    rf"|(?P<script>[\^_](?:{_GROUP}|\d*[+-]|\d+|[A-Za-z]))"
    r"|(?P<gas>\^)"
    r"|(?P<solid>(?<!\S)v(?!\S))"
    r"|(?P<charge>(?<=[A-Za-z0-9)\]}])[+-](?![A-Za-z0-9(]))"
    r"|(?P<count>(?<=[A-Za-z)\]}])\d+)"
    r"|(?P<letters>[A-Za-z]+)"
    r"|(?P<bond>[#*.])"
    r"|(?P<other>\s+|.)",
    re.DOTALL,
)
_ARROWS = {
    "<=>": r"\rightleftharpoons",
    "<=>>": r"\rightleftharpoons",
    "<<=>": r"\rightleftharpoons",
    "<->": r"\leftrightarrow",
    "<-->": r"\leftrightarrow",
    "<-": r"\longleftarrow",
}
_BONDS = {"#": r"\equiv ", "*": r"\cdot ", ".": r"\cdot "}


def usual_tex(source: str) -> str:
    """Return ``source`` with the chemical formulas in it as usual TeX."""
    return _FORMULA.sub(lambda found: f"{{{_formula(found[1][1:-1])}}}", source)


def _formula(content: str) -> str:
    parts: list[str] = []
    for part in _PART.finditer(content):
        match part.lastgroup, part[0]:
            case (("arrow" | "above" | "below"), _):
                parts.append(_arrow(part))
            case "tex", text:
                parts.append(text.strip("$"))
            case "script", text:
                before = "" if parts and parts[-1].strip() else "{}"
                parts.append(f"{before}{text[0]}{{{text[1:]}}}")
            case "gas", _:
                parts.append(r"\uparrow ")
            case "solid", _:
                parts.append(r"\downarrow ")
            case "charge", sign:
                parts.append(f"^{{{sign}}}")
            case "count", number:
                parts.append(f"_{{{number}}}")
            case "letters", text:
                parts.append(rf"\mathrm{{{text}}}")
            case "bond", sign:
                parts.append(_BONDS[sign])
            case _, text:
                parts.append(text)
    return "".join(parts)


def _arrow(part: re.Match[str]) -> str:
    arrow = _ARROWS.get(part["arrow"], r"\longrightarrow")
    if part["above"]:
        arrow = rf"\overset{{{_formula(part['above'])}}}{{{arrow}}}"
    if part["below"]:
        arrow = rf"\underset{{{_formula(part['below'])}}}{{{arrow}}}"
    return rf"\;{arrow}\;"

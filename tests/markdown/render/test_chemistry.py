"""Chemical formulas of mhchem are drawn as TeX."""

import pytest

from notesearch.markdown.render.formulas import (
    FormulaPainter,
    unicode_formulas,
    without_chemistry,
)


@pytest.mark.parametrize(
    ("chemistry", "tex"),
    [
        ("H2O", r"\mathrm{H}_{2}\mathrm{O}"),
        ("2H2 + O2", r"2\mathrm{H}_{2} + \mathrm{O}_{2}"),
        ("(NH4)2SO4", r"(\mathrm{NH}_{4})_{2}\mathrm{SO}_{4}"),
        ("Na+ + Cl-", r"\mathrm{Na}^{+} + \mathrm{Cl}^{-}"),
        ("SO4^2-", r"\mathrm{SO}_{4}^{2-}"),
        ("^14_6C", r"{}^{14}_{6}\mathrm{C}"),
        ("BaSO4 v", r"\mathrm{BaSO}_{4} \downarrow "),
        ("N2 ^", r"\mathrm{N}_{2} \uparrow "),
        ("CuSO4.5H2O", r"\mathrm{CuSO}_{4}\cdot 5\mathrm{H}_{2}\mathrm{O}"),
        ("HC#CH", r"\mathrm{HC}\equiv \mathrm{CH}"),
        ("A <=> B", r"\mathrm{A} \;\rightleftharpoons\; \mathrm{B}"),
        (r"A ->[\Delta] B", r"\mathrm{A} \;\overset{\Delta}{\longrightarrow}\; \mathrm{B}"),
        ("$n$ H2O", r"n \mathrm{H}_{2}\mathrm{O}"),
    ],
)
def test_a_chemical_formula_becomes_tex(chemistry: str, tex: str) -> None:
    assert without_chemistry(rf"x \ce{{{chemistry}}} y") == f"x {{{tex}}} y"
    assert FormulaPainter(60).draw(rf"\ce{{{chemistry}}}", display=False) is not None


@pytest.mark.parametrize(
    ("chemistry", "text"),
    [
        ("H2O -> OH^-", "H₂O → OH⁻"),
        ("N2 ^ + BaSO4 v", "N₂ ↑ + BaSO₄ ↓"),
        ("A <-> B", "A ↔ B"),
    ],
)
def test_a_row_shows_a_chemical_formula_in_unicode(chemistry: str, text: str) -> None:
    assert unicode_formulas(rf"of $\ce{{{chemistry}}}$ now") == f"of {text} now"

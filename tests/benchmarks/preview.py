"""Measures how fast the preview shows a section, from its Markdown to painted."""

import time
from collections.abc import Callable, Iterator, Sequence
from random import Random
from statistics import median

from tests.benchmarks.measured import Figure, percentile, spread

SEED = 7
_PARTS = (
    "The **stalls** open before nine, and what is `warm` is gone [by ten](Market.md). ",
    "We asked [[Trip to Japan#Food|twice]] where the ==best== ones stand, and nobody knew. ",
)


def painting_times(most: int) -> Iterator[Figure]:
    """Yield the figures of the preview, with ``most`` sections of each labelled vault (0: all)."""
    from PySide6.QtWidgets import QApplication

    _ = QApplication.instance() or QApplication(["notesearch"])
    paint = _painter()
    paint(_made_up(560))
    times = [paint(_made_up(560)) for _ in range(30)]
    yield _painted("a section of 560 words, Markdown to painted", times, 10)
    times = [paint(_made_up(5_000)) for _ in range(10)]
    yield _painted("a note of 5,000 words, first paint", times, 100)
    times = [paint(_made_up(50_000)) for _ in range(3)]
    yield _painted("a note of 50,000 words, first paint", times, 500)
    yield from _vaults(paint, most)


def _painted(name: str, times: Sequence[float], most: int) -> Figure:
    value = spread(times, "ms", 1)
    return Figure(name, value, f"<= {most} ms", "processor time", median(times) <= most)


def _painter() -> Callable[[str], float]:
    """Return a function that shows Markdown in a preview, and returns how many ms that took."""
    from notesearch.gui.preview.document import PreviewContent, body_html
    from notesearch.gui.preview.preview_pane import PreviewPane
    from notesearch.gui.preview.vault_images import Pictures
    from notesearch.gui.widgets.theme import LIGHT
    from notesearch.markdown.render import render
    from notesearch.markdown.render.section_html import rendered, warm_up
    from notesearch.results import SectionText

    warm_up()  # as the reading thread does soon after the start
    render("$a$")  # a formula was seen before
    pane = PreviewPane(LIGHT)
    pane.resize(680, 640)
    pane.show()

    def paint(source: str) -> float:
        """Show ``source``; return the processor time, which other programs hardly change."""
        text = SectionText("a.md", "A", "A", ("A",), 1, 1, 9, source)
        started = time.thread_time()
        at_once = pane.browser.visible_lines() * 80
        page = rendered(source, seconds=0.01, at_once=at_once)
        pictures = Pictures(formulas=page.formulas)
        pane.show_content(PreviewContent(text, body_html(page.html, ()), 1, pictures=pictures))
        pane.browser.viewport().grab()
        return (time.thread_time() - started) * 1000

    return paint


def _made_up(words: int) -> str:
    """Return Markdown of about ``words`` words: paragraphs, lists, tables, code."""
    chosen = Random(SEED)
    blocks = ["# A section"]
    count = 0
    while count < words:
        kind = chosen.random()
        said = " ".join(chosen.choice(_PARTS) for _ in range(4))
        if kind < 0.7:
            blocks.append(said)
        elif kind < 0.85:
            blocks.append("\n".join(f"- {part}" for part in said.split(". ")))
        elif kind < 0.93:
            blocks.append("| place | dish |\n|---|---|\n| Nishiki | doughnuts |\n| Gion | tofu |")
        else:
            blocks.append("```python\ndef price(yen: int) -> float:\n    return yen / 150\n```")
        count += len(blocks[-1].split())
    return "\n\n".join(blocks)


def _vaults(paint: Callable[[str], float], most: int) -> Iterator[Figure]:
    from tests.markdown.fidelity import EVAL, sections

    folders = sorted(path for path in EVAL.iterdir() if path.is_dir()) if EVAL.exists() else []
    everything: list[float] = []
    for folder in folders:
        found = list(sections(folder))
        if most and len(found) > most:
            found = Random(SEED).sample(found, most)
        everything += [paint(source) for _, _, source in found]
    if everything:
        value = (
            f"p50 {percentile(everything, 0.5):.1f}, p95 {percentile(everything, 0.95):.1f},"
            f" p99 {percentile(everything, 0.99):.1f}, at most {max(everything):.0f} ms"
        )
        note = f"{len(everything):,} sections of {len(folders)} vaults"
        name, met = "each section of the labelled vaults", percentile(everything, 0.99) <= 50
        yield Figure(name, value, "p99 <= 50 ms", note, met)

"""The colours of raw HTML in a note, as one of a few names.

The theme decides how each name looks, so that coloured text can be read on a dark ground, too.
"""

import re
from collections.abc import Mapping
from colorsys import hls_to_rgb, rgb_to_hls

COLOURS = "red orange yellow green blue purple pink grey".split()

_OTHER_NAMES = {
    "crimson": "red",
    "maroon": "red",
    "tomato": "red",
    "salmon": "red",
    "brown": "orange",
    "coral": "orange",
    "gold": "yellow",
    "lime": "green",
    "olive": "green",
    "teal": "green",
    "aqua": "blue",
    "cyan": "blue",
    "navy": "blue",
    "indigo": "purple",
    "violet": "purple",
    "fuchsia": "pink",
    "magenta": "pink",
    "gray": "grey",
    "silver": "grey",
}
_HUES = {
    15: "red",
    45: "orange",
    70: "yellow",
    170: "green",
    255: "blue",
    290: "purple",
    345: "pink",
}
"""The hue, in degrees, at which the range of each name ends; it begins where another ends."""
_GREY = 0.12
"""Saturation below which a colour is grey."""
_EXTREME = 0.15
"""Distance in lightness from black and from white within which a grey is no colour."""

_TEXT = re.compile(r"(?<![\w-])color\s*:\s*([^;]{1,40})", re.IGNORECASE)
_GROUND = re.compile(r"(?<![\w-])background(?:-color)?\s*:\s*([^;]{1,40})", re.IGNORECASE)
_HIGHLIGHTR = re.compile(r"\bhltr-([a-z]{1,12})", re.IGNORECASE)
_HEX = re.compile(r"#([0-9a-f]{3,8})")
_RGB = re.compile(r"rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})")
_HSL = re.compile(r"hsla?\(\s*(-?\d{1,4})(?:\.\d*)?(?:deg)?[\s,]+(\d{1,3})[^\s,]*[\s,]+(\d{1,3})")


def colour_classes(attributes: Mapping[str, str]) -> str:
    """Return the classes for the text colour and the highlight of a tag with these attributes."""
    style = attributes.get("style", "")
    text = _TEXT.search(style)
    ground = _GROUND.search(style) or _HIGHLIGHTR.search(attributes.get("class", ""))
    own = colour_name(text[1] if text else attributes.get("color", ""))
    behind = colour_name(ground[1]) if ground else ""
    return f"{own} {f'mark-{behind}' if behind else ''}".strip()


def colour_name(css: str) -> str:
    """Return one of ``COLOURS`` for a CSS colour; empty for black, white and any other text."""
    css = css.lower().replace("!important", "").strip()
    rgb = _red_green_blue(css)
    if rgb is None:
        known = (*COLOURS, *_OTHER_NAMES)
        name = next((name for name in known if css.endswith(name)), "")
        return _OTHER_NAMES.get(name, name)
    hue, light, saturation = rgb_to_hls(*rgb)
    if saturation < _GREY or not 0.02 < light < 1:
        return "grey" if _EXTREME < light < 1 - _EXTREME else ""
    return next((name for end, name in _HUES.items() if hue * 360 < end), "red")


def _red_green_blue(css: str) -> tuple[float, float, float] | None:
    """Return the three parts of a colour, each from 0 to 1; None if ``css`` has no numbers."""
    found = _HSL.match(css)
    if found:
        hue, saturation, light = (int(number) for number in found.groups())
        return hls_to_rgb(hue / 360, min(1, light / 100), min(1, saturation / 100))
    found = _RGB.match(css)
    if found:
        red, green, blue = (min(1, int(number) / 255) for number in found.groups())
        return red, green, blue
    found = _HEX.match(css)
    if found is None:
        return None
    digits = found[1]
    if len(digits) < len("rrggbb"):
        digits = "".join(2 * digit for digit in digits)
    red, green, blue = (int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4))
    return red, green, blue

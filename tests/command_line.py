"""A command on a folder of two notes, for the tests of the command line."""

from collections.abc import Callable

from click.testing import Result

NOTES = {
    "river.md": "---\ntags: [water]\ncategory: land\n---\n# River\n\nWater flows.\n\n"
    "## Banks\n\nReeds grow there.\n\n### Reeds\n\nThey bend.\n",
    "hills/peak.md": "---\ntitle: The peak\n---\nSnow lies on it.\n",
}

Run = Callable[..., Result]

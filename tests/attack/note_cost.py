"""Prints as JSON what a hostile note costs in a new process: time and memory of each step.

python -m tests.attack.note_cost "headings" 8000000 [--words]

The size is in bytes. ``--words`` leaves out search by meaning.
"""

import json
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from notesearch.errors import NotesearchError
from notesearch.library import NoteLibrary
from notesearch.markdown.render.section_html import rendered
from notesearch.processes import keep_little_memory
from tests.attack.structures import STRUCTURES

_STATUS = Path("/proc/self/status")
_RESET_PEAK = "5"
"""Resets the peak of the process's memory, if it is written to ``clear_refs``."""

PORTION_S = 4.0
"""Seconds of embedding to measure; later passages take no more memory."""

Costs = dict[str, tuple[float, float]]
"""By step: seconds of the processor, and the peak of memory in megabytes above the idle program."""


def costs(text: str, folder: Path, *, meaning: bool = True) -> Costs:
    """Return what each step with a note of ``text`` costs in an empty ``folder``."""
    vault = folder / "notes"
    vault.mkdir()
    (vault / "other.md").write_text("# Other\n\nThe zebra swims.\n", "utf-8")
    found: Costs = {}
    keep_little_memory()  # as the window and the servers do
    with NoteLibrary.open(vault, home=folder / "home") as library:
        library.refresh()
        assert library.search("zebra").sections
        rendered(library.read_at("other.md", 1).text)
        idle = _memory("VmRSS")

        @contextmanager
        def step(name: str) -> Iterator[None]:
            Path("/proc/self/clear_refs").write_text(_RESET_PEAK, "ascii")
            started = time.process_time()
            try:
                yield
            except NotesearchError as error:
                name = f"{name}: {error.sentence.code}"
            found[name] = (time.process_time() - started, _memory("VmHWM") - idle)

        (vault / "hostile.md").write_text(text, "utf-8", errors="surrogatepass", newline="")
        with step("words"):
            library.refresh(patience=0)
        if meaning:
            with step("meaning"):
                library.refresh(patience=PORTION_S)
        with step("search"):
            assert library.search("zebra swims").sections
            library.search("word h tide a")
        with step("sections"):
            sections = library.sections("hostile.md")
        with step("read"):
            library.read("hostile.md")
        longest = max(sections, key=lambda one: one.words, default=None)
        line = longest.line if longest else 1
        with step("preview"):
            rendered(library.read_at("hostile.md", line).text)
        with step("again"):
            with (vault / "hostile.md").open("a") as file:
                file.write("\n\nmore\n")
            library.refresh(patience=0)
        with step("delete"):
            (vault / "hostile.md").unlink()
            library.refresh(patience=0)
    return found


def _memory(field: str) -> float:
    """Return a field of ``/proc/self/status``, such as ``VmRSS``, in megabytes."""
    lines = _STATUS.read_text("ascii").splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith(field))) / 1000


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        size = int(sys.argv[2])
        written = STRUCTURES[sys.argv[1]](size).encode("utf-8", "surrogatepass")
        text = written[:size].decode("utf-8", "ignore")
        print(json.dumps(costs(text, Path(folder), meaning="--words" not in sys.argv)))

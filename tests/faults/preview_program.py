"""Shows everything hostile in a real preview pane; run by a test that records its system calls.

    python -m tests.faults.preview_program FOLDER WEB-ADDRESS

What happens between the two looks at ``BEGIN`` and ``END`` is what notes have caused.
"""

import sys
from pathlib import Path

BEGIN, END = Path("/begin of the notes"), Path("/end of the notes")


def main(folder: Path, web: str) -> None:
    """Make the vault in ``folder`` and show one note after the other, in both dialects."""
    from PySide6.QtWidgets import QApplication

    from notesearch.config import Settings
    from notesearch.gui.preview.preview_pane import PreviewPane
    from notesearch.gui.preview.svg import DrawingProcess
    from notesearch.gui.widgets.theme import LIGHT
    from notesearch.library import NoteLibrary
    from tests.faults.hostile_vault import DRAWINGS, Opener, everything_hostile, make_pictures, show
    from tests.folders import write

    application = QApplication(["preview_program"])
    vault = folder / "vault"
    write(vault, {"Home.md": "# Home\n", "travel/mkdocs.yml": "site_name: a\n"})
    make_pictures(vault)
    settings = Settings(model=str(folder / "none"))
    drawings, pane = DrawingProcess(), PreviewPane(LIGHT)
    pane.show()
    with (
        NoteLibrary.open(vault, home=folder / "home", settings=settings) as library,
        Opener().listening() as opener,
    ):
        library.refresh(patience=0)
        usual = "# a\n\n`a` $a$ 京 ✓ **b** *i* [[Home]] ![](here.png)\n\n```python\na = 1\n```\n"
        for name in ("travel/mkdocs.yml", ""):
            assert library.links("travel/note.md").ready(60)
            assert drawings.ready(60)
            show(pane, library, usual + f"![]({next(iter(DRAWINGS))})", drawings)
            application.processEvents()
            BEGIN.exists()
            for source in everything_hostile(web):
                show(pane, library, source, drawings)
                application.processEvents()
            END.exists()
            if name:
                (vault / name).unlink()
        drawings.close()
        print(len(opener.opened))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])

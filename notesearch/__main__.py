"""``python -m notesearch``: the command line."""

from notesearch.cli import main

if __name__ == "__main__":
    main(prog_name="notesearch")

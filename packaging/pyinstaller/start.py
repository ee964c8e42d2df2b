"""The frozen program's first lines."""

from notesearch.__main__ import main

if __name__ == "__main__":
    main()

#!/bin/sh
# Run Script of Alfred: opens the chosen section at its line, in the editor of notesearch's settings.
PATH="$HOME/.local/bin:/opt/homebrew/bin:/usr/local/bin:$PATH"
# Alfred sets the variable of the item.
exec notesearch read --open --vault "${vault:?}" -- "$1"

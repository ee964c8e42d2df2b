#!/bin/sh
# @raycast.schemaVersion 1
# @raycast.title Open in Notes
# @raycast.mode silent
# @raycast.packageName notesearch
# @raycast.icon 📝
# @raycast.description Open the best section at its line, in the editor of notesearch's settings
# @raycast.argument1 { "type": "text", "placeholder": "words or meaning" }
PATH="$HOME/.local/bin:/opt/homebrew/bin:/usr/local/bin:$PATH"

if ! command -v notesearch >/dev/null; then
    echo "notesearch was not found: install it, or add its folder to PATH."
    exit 1
fi
notesearch search --open -- "$1" 2>&1 # Raycast shows the last line

#!/bin/sh
# @raycast.schemaVersion 1
# @raycast.title Find in Notes
# @raycast.mode fullOutput
# @raycast.packageName notesearch
# @raycast.icon 🔎
# @raycast.description Show the sections that words or a meaning find
# @raycast.argument1 { "type": "text", "placeholder": "words or meaning" }
PATH="$HOME/.local/bin:/opt/homebrew/bin:/usr/local/bin:$PATH"

if ! command -v notesearch >/dev/null; then
    echo "notesearch was not found: install it, or add its folder to PATH."
    exit 1
fi
notesearch search -- "$1" 2>&1 || [ $? -eq 1 ] # 1: nothing was found, and it said so

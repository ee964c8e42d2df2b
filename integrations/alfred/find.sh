#!/bin/sh
# Script Filter of Alfred: prints the sections that a query finds, as items.
PATH="$HOME/.local/bin:/opt/homebrew/bin:/usr/local/bin:$PATH"

say() { # title
    jq -n --arg title "$1" '{items: [{title: $title, valid: false}]}'
}

if ! command -v notesearch >/dev/null; then
    echo '{"items": [{"title": "notesearch was not found: install it, or add its folder to PATH.", "valid": false}]}'
    exit
fi

said=$(mktemp)
trap 'rm -f "$said"' EXIT
found=$(notesearch search --json --limit 20 -- "$1" 2>"$said")
case $? in
    0) printf '%s' "$found" | jq -f "$(dirname "$0")/items.jq" ;;
    1) say "Nothing was found." ;;
    *) say "$(tail -n 1 "$said")" ;;
esac

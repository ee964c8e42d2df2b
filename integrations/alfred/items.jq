# The answer of "notesearch search --json" as items of Alfred.
.folders as $folders
| { items: [
      .results[]
      | . as $note
      | .sections[]
      | {
          title: ([$note.title] + (.section_path - [$note.title]) | join(" › ")),
          subtitle: (.snippet | gsub("\\s+"; " ")),
          arg: "\($note.path):\(.passage_line)-\(.passage_end_line)",
          variables: { vault: $folders[$note.vault] }
        }
  ] }

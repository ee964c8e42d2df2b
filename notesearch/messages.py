"""All messages of the library, by their codes: errors, remarks on notes, results of checks.

The windows translate a sentence by its code and fields. The English text is for logs, the command
line and programs.
"""

# ``notesearch quick`` asks the running program before it loads ``typing`` and the like.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Self

Field = str | int | tuple[str, ...]
"""A value in a sentence: a text (which may be another sentence), a number, or several texts."""

SENTENCES = {
    "": "",
    # The notes folder
    "vault_missing": "The notes folder {vault} is missing. Check its path, or connect its drive.",
    "vault_unopenable": (
        "The notes folder {vault} cannot be opened: {reason}. Check its drive and its permissions."
    ),
    "library_unopenable": "Your notes cannot be opened ({error}). Start notesearch again.",
    "vault_is_file": "{vault} is a file. Give the folder that contains it.",
    "vault_name_unknown": "No notes folder is called “{name}”. Use one of these: {near}.",
    "vaults_unlisted": (
        "There is no notes folder in the list. Add one with “notesearch vaults add”."
    ),
    "vault_outdated": "“{vault}” is not up to date: {reason}",
    "vault_silent": "“{vault}” was not searched: {reason}",
    "vault_emptied": (
        "The notes folder {vault} is empty, but it held {count} notes before. If you deleted the"
        " notes yourself, run “notesearch index” twice to confirm that."
    ),
    "vault_replaced": (
        "{count} notes are missing from the notes folder {vault}. If you deleted them yourself,"
        " run “notesearch index” twice to confirm that."
    ),
    # A note or a section that somebody asks for
    "note_outside": "“{path}” is not in the notes folder. Choose a note that is.",
    "note_path_invalid": "“{path}” cannot be the path of a note. Check it for typos.",
    "note_gone": "“{path}” was moved or deleted since the last update. Search for it again.",
    "note_unreadable": "“{path}” cannot be read: {reason}. Check its permissions.",
    "note_unusable": "“{path}” cannot be read. {why}",
    "note_link_unknown": "There is no note “{name}”. Correct the link.",
    "note_without_sections": (
        "“{path}” is empty or not indexed yet. Choose another note, or update the index."
    ),
    "note_name_unknown": "No note is called “{name}”. Search for a word that it contains.",
    "note_name_unknown_near": "No note is called “{name}”. Did you mean {near}?",
    "note_name_ambiguous": "{count} notes are called “{name}”: {paths}. Give the path.",
    "section_unknown": "{path} has no section “{section}”. Its sections: {sections:; }",
    "section_unknown_of_many": (
        "{path} has no section “{section}”. Its sections: {sections:; }; and {more} more"
    ),
    "section_unknown_empty": "{path} has no section “{section}”. The note is empty.",
    "section_ambiguous": (
        "{path} has more than one section “{section}”. Choose one of these names: {sections:; }"
    ),
    "lines_beyond_end": "{path} has only {count} lines. Choose a range within them.",
    "continuation_unknown": "This continuation is unknown. Ask again without one.",
    "continuation_elsewhere": (
        "This continuation belongs to another note, section or list. Ask again without one."
    ),
    "continuation_outdated": (
        "The note has changed since you read its first page. Read it again from the start,"
        " without a continuation."
    ),
    # Files and rules that stand out while the folder is listed and read
    "file_unreadable": "It cannot be read: {reason}.",
    "file_memory_full": "There is not enough memory for it. Close other programs.",
    "parser_fault": "It cannot be read because of a bug in notesearch ({error}). Report the bug.",
    "file_special": "It is not a regular file.",
    "file_too_large": (
        "It is too large ({size}; the limit is {limit}). Raise “max_note_bytes” in the settings."
    ),
    "file_name_not_unicode": "Its name is not valid Unicode. Rename the file.",
    "file_name_twin": "Its name looks like the name of another note. Rename one of them.",
    "file_not_text": "It is not a text file.",
    "file_partly_text": "Some characters are not valid {encoding} and may be read wrongly.",
    "file_guessed_encoding": "It was read as {encoding}, not UTF-8.",
    "file_guessed_utf16": "It was read as UTF-16, although it has no byte-order mark.",
    "file_encrypted": "It is encrypted. Save a copy without a password to search it.",
    "file_without_text": "Its pages are pictures without text. Run text recognition (OCR) on it.",
    "file_damaged": (
        "It is damaged, or its name has the wrong file type. Try to open it in its own program."
    ),
    "file_too_costly": "Reading it took too much time or memory. Split it into several files.",
    "file_pages_over": "Only its first {limit} pages are searched.",
    "file_read_by_other_version": "Another version of notesearch could not read it completely.",
    "note_lines_over": (
        "It is unusually long or deeply nested. Only its lines up to {lines} are read as Markdown."
        " The rest is searched as plain text."
    ),
    "note_text_over": "Only its first {limit} characters are searched.",
    "note_headings_over": (
        "Only its first {limit} headings become sections. The rest is searched as part of the last"
        " one."
    ),
    "note_marks_over": "Only its first {limit} links and tags count. The others are plain text.",
    "note_names_over": "Only its first {limit} tags and aliases count.",
    "note_passages_over": (
        "Only its first {limit} passages are searched by meaning. The rest is searched by words"
        " alone."
    ),
    "folder_unreadable": "This folder cannot be listed: {reason}. Check its permissions.",
    "link_to_file": "It is a link to another file. Links are not followed.",
    "link_to_folder": "It is a link to another folder. Links are not followed.",
    "folder_unmounted": (
        "No drive is mounted on this folder now. Its notes can still be found; to remove them,"
        " delete the folder."
    ),
    "link_dead": "It is a link to something that does not exist right now.",
    "link_to_parent": "It is a link to a folder that contains this one, so it is not followed.",
    "link_to_known_folder": "It is a link to a folder that is already searched.",
    "link_to_known_note": "It is a link to a note that is already searched.",
    "patterns_too_many": "Only the first {count} patterns are used. Delete some.",
    "pattern_costly": "Pattern {number} (“{pattern}”) has too many wildcards. Use fewer.",
    "pattern_invalid": "Pattern {number} (“{pattern}”) is not valid. Correct it.",
    "obsidian_pattern_invalid": (
        "The pattern “{pattern}” in Obsidian’s excluded files is not valid, or too costly. Correct"
        " it there."
    ),
    # Watching the folder
    "watching_failed": (
        "The folder cannot be watched ({reason}). notesearch looks for changes from time to time"
        " instead."
    ),
    "watching_limited": (
        "The folder cannot be watched ({reason}). notesearch looks for changes from time to time"
        " instead. Raise {limit} (sysctl) to see them at once."
    ),
    "watching_silent_file_system": (
        "The file system of the folder ({type}) does not report every change. notesearch looks"
        " for changes from time to time as well."
    ),
    "watching_folders_limited": (
        "{count} folders cannot be watched because the system allows no more. Raise"
        " fs.inotify.max_user_watches (sysctl) to see changes at once."
    ),
    # The index
    "index_missing": "The notes in {vault} are not indexed yet. Run “notesearch index”.",
    "index_busy_here": "This folder is already being indexed. Wait until that has finished.",
    "index_busy": (
        "Another notesearch is indexing this folder. This one only searches until you quit that"
        " one."
    ),
    "index_claimed": "Another notesearch is updating the index. This one continues afterwards.",
    "index_lock_deleted": "The index’s lock file was deleted. Indexing starts again in a moment.",
    "index_in_use": "Another program is using the index. Try again.",
    "index_damaged": (
        "The index {file} was damaged and is being rebuilt. Your notes are not affected."
    ),
    "index_text_damaged": (
        "The text in the index was damaged and is being rebuilt. Your notes are not affected."
    ),
    "index_incomplete": "The index {file} was incomplete and is being rebuilt.",
    "index_other_version": "The index {file} was made by another version and is being rebuilt.",
    "index_version_in_use": (
        "Another version of notesearch is using the index. Quit that version; it may be running in"
        " the tray."
    ),
    "index_replaced": "The index file was deleted or replaced and is being rebuilt.",
    "index_check_failed": "A check found the index damaged. It was rebuilt.",
    "index_rebuild_asked": ("Rebuilding the index. You can search notes as soon as they are read."),
    "index_unopenable": (
        "The index {file} cannot be opened or written, because the system reports an error. Check"
        " the disk."
    ),
    "index_disk_read_only": (
        "The index {file} cannot be opened or written, because its disk is read-only. Set"
        " NOTESEARCH_HOME to a folder on another disk."
    ),
    "index_forbidden": (
        "The index {file} cannot be opened or written, because you do not have permission."
        " Check the permissions of its folder."
    ),
    "index_checksums_missing": (
        "This build of apsw lacks SQLite’s checksums. Install it again with “pip install"
        " --force-reinstall apsw”."
    ),
    "index_disk_full": (
        "There is no space left for the index in {folder}. Free some space and try again."
    ),
    "index_memory_full": (
        "There is not enough memory for this. The index has not changed. Try again."
    ),
    "index_folder_uncreatable": (
        "The index folder {folder} cannot be created: {reason}. Set NOTESEARCH_HOME to another"
        " folder."
    ),
    "index_folder_unwritable": (
        "The index folder {folder} cannot be written: {reason}. Set NOTESEARCH_HOME to another"
        " folder."
    ),
    "index_undeletable": (
        "The index {file} cannot be deleted: {reason}. Quit programs that use it, and try again."
    ),
    "record_undeletable": (
        "Not everything was forgotten, because {file} cannot be deleted: {reason}. Delete it"
        " yourself."
    ),
    "index_immovable": "The damaged index {file} cannot be moved: {reason}. Delete it yourself.",
    "index_on_network": (
        "The index is on a file system ({type}) where programs cannot share memory, so writing"
        " takes longer. Set NOTESEARCH_HOME to a folder on a disk of this computer."
    ),
    "index_open_to_others": (
        "Other users of this computer can read the index, because the drive of {folder} does not"
        " support permissions. Set NOTESEARCH_HOME to a folder on another drive."
    ),
    "index_outside_profile": (
        "Other users of this computer may be able to read the index, because {folder} is not in"
        " your profile. Set NOTESEARCH_HOME to a folder in it."
    ),
    "indexing_failed": (
        "Indexing failed because of a bug in notesearch ({error}) and starts again by itself. You"
        " can keep searching. The log says more."
    ),
    "bug_met": "Something went wrong. Your notes are safe. Details are in {file}.",
    "passages_missing": "Nothing to compare with yet: index some notes first.",
    # What the doctor finds and does
    "found_file_damaged": "The index file is damaged. Your notes are not affected.",
    "found_file_other_version": "The index file was made by another version.",
    "found_index_contradictory": "The index is inconsistent. Your notes are not affected.",
    "found_passages_without_vector": "{count} passages have no vector, and none is being computed.",
    "found_paths_without_vector": (
        "{count} sections have a heading path without a vector, and none is being computed."
    ),
    "found_vectors_not_searched": "{count} vectors are missing from the search table.",
    "found_vectors_without_passage": "{count} vectors belong to no passage but can still be found.",
    "found_vectors_differ": "{count} vectors differ between the search table and the store.",
    "found_vectors_unusable": "The vectors cannot be searched.",
    "found_notes_not_indexed": "{count} notes are not indexed yet.",
    "found_notes_changed": "{count} notes have changed since the last update.",
    "found_notes_gone": "{count} notes are gone but still indexed.",
    "found_notes_unlike": "{count} notes differ from the index despite an unchanged date.",
    "found_passages_waiting": "{count} passages wait for a vector.",
    "repaired_file": "The damaged index file was set aside and the index was rebuilt.",
    "repaired_vectors": "The search table of the vectors was rebuilt from the stored ones.",
    "repaired_folder": "The index was brought up to date with the folder.",
    # Searching
    "search_cancelled": "The search was cancelled.",
    "filter_unmet": "No notes match “{filter}”.",
    "filters_unmet_together": "No notes match “{filters:” and “}” together.",
    "filter_unmet_near": "No notes match “{filter}”. Did you mean {near}?",
    "meaning_off": "Search by meaning is off in the settings.",
    "meaning_extension_missing": (
        "Search by meaning is off because the extension sqlite-vec cannot be loaded. Install"
        " notesearch again."
    ),
    "meaning_not_ready": "Search by meaning is not ready yet. Run “notesearch index”.",
    "meaning_being_made": (
        "Search by meaning is not ready yet: vectors are still being computed. Search by words"
        " until then."
    ),
    # Why a note is not among the results
    "absence_ranked": "It is number {rank} of {count} notes, with the section “{section}”.",
    "absence_section_ranked": "“{section}” is number {rank} of {count} sections.",
    "absence_by_words": "By words alone it is number {rank}.",
    "absence_by_meaning": "By meaning alone it is number {rank}.",
    "absence_not_near": "Its meaning is not close to your query.",
    "absence_section_unranked": "“{section}” is not among the results.",
    "absence_filtered": "None of its sections matches {filters}.",
    "absence_section_filtered": "It does not match {filters}.",
    "absence_excluded": "It contains words that the query excludes: {words}.",
    "absence_wordless": "It contains none of your words.",
    "absence_beyond": "It is not among the best {count} for this query.",
    "absence_without_query": "Type a query first.",
    "absence_unknown": "No note or heading is called “{name}”.",
    "absence_unknown_near": "No note or heading is called “{name}”. Did you mean {near}?",
    "absence_ignored": "“{path}” is ignored: it is hidden, or a rule leaves it out.",
    "absence_in_program_folder": (
        "“{path}” is ignored: “{folder}” belongs to the system or to a program."
    ),
    "absence_unread": "“{path}” could not be read. {reason}",
    "absence_unindexed": "“{path}” is not in the index yet. Update the index.",
    "absence_outside": "It is outside “{folder}”, the folder you are searching.",
    # Models
    "model_missing": "There is no model “{name}” here. Get it with “notesearch models download”.",
    "model_not_installed": (
        "There is no installed model {name}. “notesearch models list” lists them."
    ),
    "model_in_use": "{name} is in use. Choose another one first.",
    "model_folder_missing": (
        "There is no embedding model “{folder}” here. Choose another one, or get it with"
        " “notesearch models download”."
    ),
    "model_not_in_folder": (
        "The folder {folder} contains no embedding model. Choose the folder with its modules.json."
    ),
    "model_damaged": "The embedding model {file} is damaged ({error}). Install it again.",
    "model_not_packed": "{file} is not the ZIP file of a model, or is damaged. Choose another one.",
    "model_uncopied": (
        "The model {file} cannot be copied: {reason}. Check the disk and its permissions."
    ),
    "model_unusable": (
        "The model in {folder} cannot be used. {reason} Install it again, or choose another model."
    ),
    "model_without_weights": (
        "It has no ONNX file and no safetensors file; other weights can contain programs."
    ),
    "model_without_safetensors": "It has no safetensors file.",
    "model_file_special": "“{name}” in it is not an ordinary file.",
    "model_link_outside": "“{name}” in it is a link to another place.",
    "model_points_outside": "It refers to a file outside its folder: {path}.",
    "model_needs_unknown": "It needs “{name}”, which notesearch does not know.",
    "model_layer_mismatch": "The sizes of one of its layers do not agree.",
    "model_not_embedding": "It is not an embedding model. Its inputs: {inputs}.",
    "model_without_vectors": "It returned no usable vector.",
    "model_other_dimensions": "Its vectors do not have {dimensions} dimensions.",
    "reranker_wrong_model": "It is not a reranker.",
    "reranker_without_score": "It does not return one number for two texts.",
    "model_needs_extra": (
        "The embedding model in {folder} needs the extra “{extra}”. Install it with"
        " “pip install '{extra}'”."
    ),
    "model_layer_input_mismatch": (
        "A layer of the embedding model expects vectors of another size. Install the model again."
    ),
    "model_failed": (
        "The model in {folder} failed ({error}). Install it again, or choose another model."
    ),
    "model_memory_full": (
        "There is not enough memory for the embedding model. Close other programs."
    ),
    "model_not_measured": "{name} cannot be measured. Install it again, or choose another model.",
    "model_slow": "Measuring took more than five minutes and was stopped. Choose a smaller model.",
    "task_stopped": "You stopped it.",
    "extra_missing": (
        "This model needs the extra “{extra}”. Install it with “pip install '{extra}'” (about"
        " 1.2 GB), or choose a model with an ONNX file."
    ),
    "extra_outdated": "sentence-transformers {version} is too old. Install version {least}.",
    "extra_damaged": "sentence-transformers cannot be loaded. Install “{extra}” again ({error}).",
    "library_unloadable": (
        "{library}, which runs models, cannot be loaded ({error}). Install notesearch again."
    ),
    "reranker_missing": (
        "There is no reranker “{name}” here. Get it with “notesearch models download”."
    ),
    "reranker_not_chosen": (
        "No reranker is chosen. Set “reranker” in the settings; “notesearch models” lists some."
    ),
    "download_disk_full": (
        "The model needs {size} more bytes, but only {free} are free on the disk. Free some space."
    ),
    "download_unwritable": (
        "The model cannot be written to {folder}: {reason}. Check the disk and its permissions."
    ),
    "download_needs_extra": (
        "{name} has no ONNX file. Install the extra “{extra}” first (about 1.2 GB)."
    ),
    "download_points_outside": (
        "{name} contains a file that refers to a place outside its folder: {file}. Choose another"
        " model."
    ),
    "download_damaged": "{file} of {name} differs from the published file. Try again.",
    "download_unknown": (
        "There is no model “{name}” on Hugging Face, or it requires an account. Check its name."
    ),
    "download_name_invalid": (
        "“{name}” is not the name of a model. Give it as OWNER/NAME, as on Hugging Face."
    ),
    "download_off": "Downloads are off because HF_HUB_OFFLINE is set. Unset it to download models.",
    "download_unreachable": (
        "Hugging Face cannot be reached. Check your connection; partial downloads are kept."
        " ({reason})"
    ),
    "model_good_for_languages": "100 languages, for questions; best if notes are not in English",
    "model_good_for_sentences": "50 languages, for finding similar sentences",
    "model_good_for_english_small": "English, for questions",
    "model_good_for_english": "larger, English",
    "model_good_for_code": "for code; needs the extra",
    "model_reranks_english": "a reranker, English",
    "model_reranks_languages": "a reranker, 14 languages",
    "model_measured": "{passages} passages/s, {query} ms for a query, {memory} MB of memory",
    "model_offer": (
        "Your model knows only English, but {percent} % of your text is in other languages. {name}"
        " finds all of it by meaning: {download} MB to download once, about {minutes} min to read"
        " your notes, {disk} MB more in the index."
    ),
    "model_offer_installed": (
        "Your model knows only English, but {percent} % of your text is in other languages. {name}"
        " is installed and finds all of it by meaning: about {minutes} min to read your notes,"
        " {disk} MB more in the index."
    ),
    "model_reranks": "a reranker",
    "model_unmeasured": "not measured",
    "model_size": "{dimensions} dimensions, {tokens} tokens, {files}",
    # Opening a note in an editor
    "editor_note_outside": (
        "“{name}” is outside the notes folder, so it is not opened. Set “follow_links” to allow"
        " that."
    ),
    "editor_note_gone": "This note was moved or deleted since the last update. Update the index.",
    "editor_missing": "Nothing opened: set “editor” in the settings, or $EDITOR.",
    "editor_not_opened": "“{editor}” did not open. Choose another “editor” in the settings.",
    "editor_failed": (
        "“{program}” failed with status {status}. Choose another “editor” in the settings."
    ),
    "editor_not_set": "No editor command is set.",
    "editor_not_found": "“{program}” was not found.",
    "editor_not_started": "“{program}” could not be started.",
    "editor_batch_file": "“{program}” is a batch file. Enter the program it starts instead.",
    "editor_unclosed_quote": (
        "The editor command “{command}” has an unclosed quote. Add the missing one."
    ),
    "editor_not_in_obsidian": "This note is not in an Obsidian vault.",
    "editor_of_desktop_missing": "No program on this computer is set up to open “{name}”.",
    "file_manager_missing": "No file manager was found. Copy the path of the note instead.",
    # Settings
    "setting_invalid": "“{name}” in {file} should look like {example}.",
    "setting_not_a_choice": "“{name}” in {file} must be {some} or {other}.",
    "setting_out_of_bounds": (
        "“{name}” in {file} should look like {example}, a whole number from {least} to {most}."
    ),
    "setting_unknown": "“{name}” in {file} is not a setting and has no effect. Remove it.",
    "setting_unknown_near": (
        "“{name}” in {file} is not a setting and has no effect. Did you mean “{near}”?"
    ),
    "setting_below_vaults": (
        "“{name}” in {file} has no effect below “[[vaults]]”. Move it above the first “[[vaults]]”."
    ),
    "settings_unreadable": (
        "The settings in {file} cannot be read ({reason}). Correct that file first: the next change"
        " of a setting starts a new one, and keeps the old one as settings.toml.broken."
    ),
    "settings_unwritable": (
        "The settings in {file} cannot be written: {reason}. Check the disk and the permissions."
    ),
    # Serving, and the window from outside
    "parameter_missing": "“{name}” is missing. Give {form}.",
    "parameter_invalid": "“{name}” is not valid. Give {form}.",
    "parameter_unknown": (
        "There is no parameter “{name}”. Leave it out; the parameters are: {names}."
    ),
    "parameter_not_date": (
        "“{name}” is not a date. Give one like 2026-04-12, 2026-04, 2026, 7d or yesterday."
    ),
    "parameter_without_word": "“{name}” has no name or word to filter by. Add one.",
    "uri_unknown": "“{uri}” is not the address of a note here. Begin it with note:///.",
    "port_unusable": "Port {port} cannot be used: {reason}. Choose another one with --port.",
    "token_unusable": (
        "The token in {file} cannot be read or created: {reason}. Set one in NOTESEARCH_TOKEN"
        " instead."
    ),
    "token_too_short": (
        "The token needs at least {least} ASCII characters. Delete {file} to get a new one, or"
        " set another one in NOTESEARCH_TOKEN."
    ),
    "streams_closed": (
        "Standard input or output is closed, so there is no client to serve. Let a client start"
        " this command."
    ),
    "output_closed": "Standard output is closed. Send it to a file or a program.",
    "output_unwritable": "The output cannot be written: {reason}. Send it to another file.",
    "current_folder_missing": "The current folder was deleted. Change to another folder.",
    "path_unusable": "“{path}” cannot be used: {reason}. Check the path.",
    "display_missing": (
        "There is no display for a window here. “notesearch search” searches in the terminal."
    ),
    "instance_silent": "notesearch is running but does not answer. Quit it and try again.",
    "instance_slow": (
        "Another notesearch has been starting up or shutting down for too long. Try again."
    ),
    "instance_failed": "notesearch could not be started. “notesearch open” shows why.",
}
"""English templates with fields. A number is written with thousands separators; several texts are
separated by commas, or by the separator after a colon, as in ``{sections:; }``."""


def counted(number: int, noun: str) -> str:
    """Return a number with its noun in English: ``1 note``, ``2,000 notes``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


_OF_ONE = {
    "are": "is",
    "have": "has",
    "belong": "belongs",
    "lack": "lacks",
    "differ": "differs",
    "wait": "waits",
}


def for_one(template: str, fields: "Mapping[str, Field]") -> str:
    """Return ``template`` with nouns and verbs in the singular after each field that is 1."""
    ones = [name for name, value in fields.items() if isinstance(value, int) and value == 1]
    if not ones:
        return template
    import re  # seldom needed

    verbs = "|".join(_OF_ONE)
    counts = re.compile(rf"(\{{(?:{'|'.join(ones)})\}} \w+?)s\b(?: ({verbs})\b)?")
    return counts.sub(lambda m: m[1] + (f" {_OF_ONE[m[2]]}" if m[2] else ""), template)


class Sentence(str):
    """An English sentence, with the code and the fields it was made from.

    The empty sentence, whose code is empty, means that nothing is wrong.
    """

    __slots__ = ("code", "fields")

    code: str
    fields: "Mapping[str, Field]"

    def __new__(cls, code: str = "", /, **fields: Field) -> "Self":
        """Make the sentence with ``code``, one of ``SENTENCES``, and the values of its fields."""
        self = super().__new__(cls, filled(for_one(SENTENCES[code], fields), fields))
        self.code = code
        self.fields = fields
        return self

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, Field]]:
        return (self.code,), dict(self.fields)

    def to_json(self) -> str:
        """Return the code and the fields as JSON, to be stored; empty for the empty sentence."""
        import json

        return json.dumps([self.code, self.fields], ensure_ascii=False) if self.code else ""

    @classmethod
    def from_json(cls, stored: str) -> "Self":
        """Return the sentence for a text of ``to_json``.

        If another version with other codes or fields wrote the text, return a sentence that says
        so.
        """
        import json

        if not stored:
            return cls()
        code, stored_fields = json.loads(stored)
        fields = {k: tuple(v) if isinstance(v, list) else v for k, v in stored_fields.items()}
        try:
            return cls(code, **fields)
        except KeyError:
            return cls("file_read_by_other_version")


def filled(
    template: str, fields: "Mapping[str, Field]", number: "Callable[[int], str]" = "{:,}".format
) -> str:
    """Return ``template`` with the values of ``fields`` filled in; ``number`` formats numbers."""
    return template.format_map({name: _Value(value, number) for name, value in fields.items()})


LONGEST_VALUE = 500
"""Maximum characters of a text in a sentence: longer texts are mistakes, and hide the sentence."""


def shortened(text: str) -> str:
    """Return ``text``, without its middle if it is longer than ``LONGEST_VALUE``."""
    if len(text) <= LONGEST_VALUE:
        return text
    half = LONGEST_VALUE // 2
    return f"{text[:half]} … {text[-half:]}"


class _Value:
    """The value of a field in a template. A format spec is the separator between several texts."""

    def __init__(self, value: Field, number: "Callable[[int], str]") -> None:
        self._value = value
        self._number = number

    def __format__(self, separator: str) -> str:
        if isinstance(self._value, int):
            return self._number(self._value)
        if isinstance(self._value, tuple):
            return (separator or ", ").join(map(shortened, self._value))
        if isinstance(self._value, Sentence):
            return self._value
        return shortened(self._value)


NO_SENTENCE = Sentence()

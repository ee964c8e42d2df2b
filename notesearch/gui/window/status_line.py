"""How the index is, as one line: what matters most of its state, its progress, its problem."""

from notesearch.gui import wording
from notesearch.gui.translation import sentence_text, translate
from notesearch.gui.window.status_bar import StatusLine, opening
from notesearch.status import Phase, Progress, Status


def status_line(
    status: Status | None,
    progress: Progress,
    problem: str = "",
    *,
    told: bool = False,
    paused: bool = False,
    left: float | None = None,
) -> StatusLine:
    """Return what matters most now.

    Args:
        status: The state of the index; None before it is known.
        progress: What the indexer is doing.
        problem: Why the indexer cannot work, in a sentence.
        told: That sentence stands elsewhere in the window.
        paused: The user has it wait.
        left: Seconds until it is done, where that is known.
    """
    if status is not None and status.vault_missing:
        return StatusLine("warning", "warn", translate("window", "Can't reach the folder"))
    if paused:
        return StatusLine("pause", "text2", wording.paused_text(status))
    if problem:
        return StatusLine("warning", "warn", _behind(status) if told else problem, tip=problem)
    if status is None and progress.phase is Phase.SCAN:
        return opening()  # nobody has looked at the folder yet: it may not be there
    doing = wording.progress_text(progress, left)
    if doing and (progress.phase is not Phase.SCAN or status is None or not status.notes):
        return StatusLine("clock", "text2", doing)
    return opening() if status is None else _index_line(status)


def _behind(status: Status | None) -> str:
    if status is None or not status.notes:
        return translate("window", "Nothing indexed yet")
    notes = wording.notes_text(status.notes)
    return translate("window", "{notes}, not up to date").format(notes=notes)


def _index_line(status: Status) -> StatusLine:
    unread = sum(not note.remark for note in status.unread)
    if unread:
        return StatusLine("warning", "warn", wording.lost_text(unread), explains=True)
    notes = wording.notes_text(status.notes)
    if status.meaning_problem:
        text = translate("window", "{notes}, searching by words only").format(notes=notes)
        return StatusLine("warning", "warn", text, tip=sentence_text(status.meaning_problem))
    if status.unread:
        text = translate("window", "{notes}, up to date, {remarks} with warnings").format(
            notes=notes, remarks=wording.number(len(status.unread))
        )
        return StatusLine("check", "ok", text, explains=True)
    text = translate("window", "{notes}, up to date").format(notes=notes)
    return StatusLine("check", "ok", text)

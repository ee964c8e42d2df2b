"""The language of a code block, as its info string or a query names it."""

import re

_WORD = re.compile(r"[\w+#.-]+")
_OTHER_NAMES = {
    "c++": "cpp", "cxx": "cpp", "c#": "csharp", "cs": "csharp", "docker": "dockerfile",
    "golang": "go", "hs": "haskell", "js": "javascript", "jsx": "javascript", "kt": "kotlin",
    "make": "makefile", "md": "markdown", "node": "javascript", "ps1": "powershell",
    "pwsh": "powershell", "py": "python", "py3": "python", "python3": "python", "rb": "ruby",
    "rs": "rust", "shell": "bash", "sh": "bash", "console": "bash", "zsh": "bash",
    "ts": "typescript", "tsx": "typescript", "yml": "yaml",
}  # fmt: skip


def code_language(info: str) -> str:
    """Return one name for the language that ``info`` begins with; empty when it names none."""
    match = _WORD.search(info[:100])
    word = match[0].strip(".-").lower() if match else ""
    return _OTHER_NAMES.get(word, word)

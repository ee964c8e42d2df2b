"""Programming languages: one name for each, whatever a code block or a query calls it."""

import re

_WORD = re.compile(r"[\w+#.-]+")
_OTHER_NAMES = {
    "c++": "cpp",
    "cxx": "cpp",
    "c#": "csharp",
    "cs": "csharp",
    "docker": "dockerfile",
    "golang": "go",
    "hs": "haskell",
    "js": "javascript",
    "jsx": "javascript",
    "kt": "kotlin",
    "make": "makefile",
    "md": "markdown",
    "node": "javascript",
    "ps1": "powershell",
    "pwsh": "powershell",
    "py": "python",
    "py3": "python",
    "python3": "python",
    "rb": "ruby",
    "rs": "rust",
    "shell": "bash",
    "sh": "bash",
    "console": "bash",
    "zsh": "bash",
    "ts": "typescript",
    "tsx": "typescript",
    "yml": "yaml",
}


def code_language(info: str) -> str:
    """Return the language that an info string begins with, by its usual name; empty for none."""
    match = _WORD.search(info[:100])
    word = match[0].strip(".-").lower() if match else ""
    return _OTHER_NAMES.get(word, word)

"""Splits texts into the tokens of a model."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Self

from notesearch import files
from notesearch.embedding.model_folder import ModelFolder
from notesearch.errors import ModelError

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

LONGEST_TOKEN = 64
"""Maximum characters of a token. So a tokenizer need not read text far beyond the window."""

_LONGEST_PASSAGE = 512
"""Maximum tokens of a passage, which should have one subject, even if the model reads thousands."""

_SPECIAL_TOKENS = 2
"""Special tokens for which the cutting of passages already leaves room."""

_LONG_TEXT = 1 << 12

_LARGEST_TOKENIZER = 1 << 27
"""Maximum bytes of a tokenizer's file; those for a hundred languages have 17 to 35 million."""


class ModelTokenizer:
    """Splits texts into tokens. All threads may use it at once."""

    def __init__(self, file: Path, limit: int, *, lower_case: bool = False) -> None:
        """Load the tokenizer in ``file``; a text may have ``limit`` tokens, all included.

        Raises:
            ModelError: The file is missing or damaged.
        """
        self._tokenizer = _load_tokenizer(file)
        self._limit = limit
        self._lower_case = lower_case
        self.special_tokens = self._tokenizer.num_special_tokens_to_add(is_pair=False)

    @classmethod
    def of_folder(cls, folder: ModelFolder) -> Self:
        """Load the tokenizer of an embedding model; raises ModelError."""
        return cls(folder.path / "tokenizer.json", folder.window, lower_case=folder.lower_case)

    def count(self, text: str) -> int:
        """Return how many tokens ``text`` has, without special tokens."""
        return len(self._encode(text).ids)

    def encoding(self, text: str) -> "Encoding":
        """Return the tokens of ``text`` up to the limit, with the special tokens."""
        encoding = self._encode(text[: LONGEST_TOKEN * self._limit])
        encoding.truncate(max(1, self._limit - self.special_tokens))
        return self._tokenizer.post_process(encoding)

    def encode_pair(self, first: str, second: str) -> "Encoding":
        """Return the tokens of two texts up to the limit; ``first`` gets at most half of it."""
        first_tokens = self._encode(first[: LONGEST_TOKEN * self._limit])
        room = self._limit - self._tokenizer.num_special_tokens_to_add(is_pair=True)
        first_tokens.truncate(max(1, room // 2))
        second_tokens = self._encode(second[: LONGEST_TOKEN * self._limit])
        second_tokens.truncate(max(1, room - len(first_tokens.ids)))
        return self._tokenizer.post_process(first_tokens, second_tokens)

    def prompt_tokens(self, prompt: str) -> int:
        """Return how many tokens stand before a text: those of ``prompt`` and special tokens."""
        mask = self._tokenizer.post_process(self._encode(prompt)).special_tokens_mask
        while mask and mask[-1]:
            mask = mask[:-1]
        return len(mask)

    def _encode(self, text: str) -> "Encoding":
        clean = text.encode("utf-8", "replace").decode()  # lone surrogates are not characters
        if self._lower_case:
            clean = clean.lower()
        if len(clean) < _LONG_TEXT:
            return self._tokenizer.encode(clean, add_special_tokens=False)
        # Only this call releases Python's lock.
        return self._tokenizer.encode_batch_fast([clean], add_special_tokens=False)[0]


def passage_window(folder: ModelFolder, tokenizer: ModelTokenizer) -> int:
    """Return how many tokens a passage may have to fit into the model together with its prompt."""
    prompt = tokenizer.count(folder.passage_prompt) if folder.passage_prompt else 0
    more_special = max(0, tokenizer.special_tokens - _SPECIAL_TOKENS)
    return min(folder.window, _LONGEST_PASSAGE) - prompt - more_special


def _load_tokenizer(file: Path) -> "Tokenizer":
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    try:
        from tokenizers import Tokenizer
    except (ImportError, OSError) as error:
        reason = " ".join(str(error).split())
        raise ModelError("library_unloadable", library="tokenizers", error=reason) from error
    try:
        tokenizer = Tokenizer.from_buffer(files.read_bytes(file, _LARGEST_TOKENIZER))
    except Exception as error:  # the library raises nothing narrower
        raise ModelError("model_damaged", file=str(file), error=str(error)) from error
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer

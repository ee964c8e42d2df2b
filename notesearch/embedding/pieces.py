"""A model's tokenizer: texts to word pieces, for every engine that reads a model's folder."""

import os
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from notesearch.errors import ModelError

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

KNOWN_WORDS = 1 << 14
LONG = 1 << 12
LONGEST_PIECE = 64


class Pieces:
    """Cuts texts; any number of threads may use it at once."""

    def __init__(self, file: Path, limit: int, *, lower_case: bool = False) -> None:
        """Load the tokenizer in ``file``.

        Args:
            file: ``tokenizer.json`` of the model's folder.
            limit: Pieces of one text, special ones included.
            lower_case: Texts are put in lower case first.

        Raises:
            ModelError: The file is missing or holds something else.
        """
        self._tokenizer = _load(file)
        self._limit = limit
        self._lower_case = lower_case
        self.special = self._tokenizer.num_special_tokens_to_add(is_pair=False)
        self._count_word = lru_cache(KNOWN_WORDS)(self._count)

    def count(self, text: str) -> int:
        """Return how many pieces ``text`` has, without special ones."""
        return self._count_word(text) if len(text) < 32 else self._count(text)

    def of(self, text: str) -> list[int]:
        """Return the numbers of the pieces of ``text`` within the limit, special ones included."""
        # More characters than any text of that many pieces has: a megabyte is not read in vain.
        encoding = self._encode(text[: LONGEST_PIECE * self._limit])
        encoding.truncate(max(1, self._limit - self.special))
        return self._tokenizer.post_process(encoding).ids

    def of_pair(self, one: str, other: str) -> "Encoding":
        """Return the pieces of two texts; only the second is shortened where both are too long."""
        first = self._encode(one[: LONGEST_PIECE * self._limit])
        room = self._limit - self._tokenizer.num_special_tokens_to_add(is_pair=True)
        first.truncate(max(1, room // 2))
        second = self._encode(other[: LONGEST_PIECE * self._limit])
        second.truncate(max(1, room - len(first.ids)))
        return self._tokenizer.post_process(first, second)

    def leading(self, prompt: str) -> int:
        """Return how many pieces stand before a text that follows ``prompt``."""
        mask = self._tokenizer.post_process(self._encode(prompt)).special_tokens_mask
        while mask and mask[-1]:
            mask = mask[:-1]
        return len(mask)

    def _count(self, text: str) -> int:
        return len(self._encode(text).ids)

    def _encode(self, text: str) -> "Encoding":
        """Return all pieces of ``text``, without special ones."""
        clean = text.encode("utf-8", "replace").decode()  # half a surrogate pair is no character
        if self._lower_case:
            clean = clean.lower()
        if len(clean) < LONG:
            return self._tokenizer.encode(clean, add_special_tokens=False)
        # Only this call lets other threads run meanwhile.
        return self._tokenizer.encode_batch_fast([clean], add_special_tokens=False)[0]


def _load(file: Path) -> "Tokenizer":
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(str(file))
    except Exception as error:  # the library raises nothing narrower
        raise ModelError("model_damaged", file=str(file), error=str(error)) from error
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer

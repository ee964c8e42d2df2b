"""Marks tests that need the extra; without it they are skipped."""

import pytest

from notesearch.embedding import torch_engine

needs_extra = [
    pytest.mark.extra,
    pytest.mark.skipif(not torch_engine.is_installed(), reason="the extra is not installed"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning"),
]

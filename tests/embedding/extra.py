"""Marks tests that need the extra; without it they are skipped."""

import pytest

from notesearch.embedding import torch_runtime

needs_extra = [
    pytest.mark.extra,
    pytest.mark.skipif(not torch_runtime.is_installed(), reason="the extra is not installed"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning"),
]

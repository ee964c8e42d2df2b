"""Marks tests that need what the extra installs; without it they are skipped, not imported."""

import pytest

from notesearch.embedding import torch_runtime

needs_extra = [
    pytest.mark.extra,
    pytest.mark.skipif(not torch_runtime.is_installed(), reason="the extra is not installed"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning"),
]

"""Lets file modes count for root too, so that "permission denied" can be tested as anybody."""

import contextlib
import ctypes
import os
import sys
from collections.abc import Iterator

import pytest

_VERSION_3 = 0x20080522
_OVERRIDES = 1 << 1 | 1 << 2
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH."""


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _Capabilities(ctypes.Structure):
    _fields_ = (
        ("effective", ctypes.c_uint32 * 3),
        ("rest", ctypes.c_uint32 * 3),
    )


@contextlib.contextmanager
def modes_count() -> Iterator[None]:
    """Take from the calling thread the right to ignore file modes, and give it back."""
    if sys.platform == "win32":
        pytest.skip("file modes deny nothing here")
    if os.geteuid() != 0:
        yield
        return
    libc = ctypes.CDLL(None, use_errno=True)
    header = _Header(_VERSION_3, 0)
    rights = _Capabilities()
    if libc.capget(ctypes.byref(header), ctypes.byref(rights)):
        pytest.skip("the rights of root cannot be lowered here")
    had = rights.effective[0]
    rights.effective[0] = had & ~_OVERRIDES
    libc.capset(ctypes.byref(header), ctypes.byref(rights))
    try:
        yield
    finally:
        rights.effective[0] = had
        libc.capset(ctypes.byref(header), ctypes.byref(rights))


@contextlib.contextmanager
def denied(path: str | os.PathLike[str], mode: int = 0) -> Iterator[None]:
    """Deny ``path`` (to the calling thread) for the block."""
    before = os.stat(path).st_mode  # noqa: PTH116
    with modes_count():
        os.chmod(path, mode)  # noqa: PTH101
        try:
            yield
        finally:
            os.chmod(path, before)  # noqa: PTH101

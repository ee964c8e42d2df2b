"""Builds every package of this system into ``dist``, with checksums and a bill of materials.

``make release`` runs it. Each step is a script beside this one and can be run alone, in this order.
"""

import hashlib
import os
import sys
import time

import build_appimage
import build_deb
import build_sbom
import build_wheel
import freeze
from places import DIST, epoch, megabytes, version

SUMS = "SHA256SUMS"


def checksums() -> None:
    """Write the checksums of all files in ``dist``, in the format of ``sha256sum --check``."""
    lines = []
    for file in sorted(DIST.iterdir()):
        if file.name != SUMS:
            with file.open("rb") as content:
                digest = hashlib.file_digest(content, "sha256").hexdigest()
            lines.append(f"{digest}  {file.name}\n")
            print(f"{megabytes(file):8.1f} MB  {file.name}")
    (DIST / SUMS).write_text("".join(lines), "utf-8")


def main() -> int:
    """Run the steps in order; stop with 1 at the first that fails."""
    os.environ.setdefault("SOURCE_DATE_EPOCH", str(epoch()))
    for old in DIST.glob("*"):
        old.unlink()
    steps = [build_wheel, freeze]
    if sys.platform == "linux":
        steps += [build_deb, build_appimage]
    for step in (*steps, build_sbom):
        started = time.monotonic()
        print(f"\n== {step.__name__}", flush=True)
        if step.main():
            return 1
        print(f"took {time.monotonic() - started:.0f} s", flush=True)
    print(f"\nnotesearch {version()}")
    checksums()
    return 0


if __name__ == "__main__":
    sys.exit(main())

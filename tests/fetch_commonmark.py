"""Fetches the examples of the CommonMark specification to ``build/commonmark.json``.

They come with the source distribution of markdown-it-py, in the version that is installed. Their
licence is not ours, so they are no part of this repository. Without a network the tests that
need them are skipped.
"""

import subprocess
import sys
import tarfile
import tempfile
from importlib.metadata import version
from pathlib import Path

TARGET = Path(__file__).resolve().parent.parent / "build" / "commonmark.json"
MEMBER = "tests/test_cmark_spec/commonmark.json"


def main() -> None:
    """Write the examples, or print in one line why they are not available."""
    with tempfile.TemporaryDirectory() as folder:
        wanted = f"markdown-it-py=={version('markdown-it-py')}"
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps",
                   "--no-binary", ":all:", "--dest", folder, wanted]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        archives = list(Path(folder).glob("*.tar.gz"))
        if done.returncode or not archives:
            print(f"CommonMark examples: {wanted} could not be downloaded; their tests are skipped")
            return
        with tarfile.open(archives[0]) as archive:
            member = archive.extractfile(f"{archives[0].name.removesuffix('.tar.gz')}/{MEMBER}")
            examples = member.read() if member else b""
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_bytes(examples)


if __name__ == "__main__":
    main()

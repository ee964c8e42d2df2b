"""A read-only file system (FUSE) that can stop answering, as a network share can.

``python -m tests.attack.dead_disk MOUNT FOLDER COMMAND…`` shows the files in FOLDER at MOUNT and
runs COMMAND. The caller needs the right to mount. ``DEAD_DISK`` in the environment of COMMAND is
the id of the process that answers. After the signal SIGUSR1, it answers one more request; then each
program that reads a file waits. The protocol is in ``include/uapi/linux/fuse.h`` of Linux.
"""

import ctypes
import errno
import os
import signal
import stat
import struct
import subprocess
import sys
from pathlib import Path

_SILENT = {2, 42}
"""Kinds of requests that get no answer: to forget nodes."""

_DONE = {18, 29, 34}
"""Kinds of requests with an empty answer: to close files and folders, and to check access."""

_HEAD = struct.Struct("<IIQQIIIHH")
_ROOT, _BYTES, _DIRECT = 1, 1 << 17, 1


class Disk:
    """The files of a folder, by the numbers of their nodes."""

    def __init__(self, folder: Path) -> None:
        files = sorted(path for path in folder.iterdir() if path.is_file())
        self.nodes = dict(enumerate(files, _ROOT + 1))
        self.content = {number: file.read_bytes() for number, file in self.nodes.items()}

    def attributes(self, node: int) -> bytes:
        is_root, size = node == _ROOT, len(self.content.get(node, b""))
        mode = stat.S_IFDIR | 0o755 if is_root else stat.S_IFREG | 0o644
        links = 2 if is_root else 1
        return struct.pack("<6Q10I", node, size, 1, 1, 1, 1, 0, 0, 0, mode, links, 0, 0, 0, 4096, 0)

    def answer(self, kind: int, node: int, content: bytes) -> bytes | int:
        """Return the answer to a request of a kind (FUSE's opcode), or the number of an error."""
        match kind:
            case 26:
                return struct.pack("<4I2H2I2HI7I", 7, 31, _BYTES, 0, 9, 9, _BYTES, 1, 32, *[0] * 9)
            case 1:
                name = os.fsdecode(content.rstrip(b"\0"))
                found = next((n for n, file in self.nodes.items() if file.name == name), 0)
                head = struct.pack("<4Q2I", found, 0, 0, 0, 0, 0)
                return head + self.attributes(found) if found else errno.ENOENT
            case 3:
                return struct.pack("<Q2I", 0, 0, 0) + self.attributes(node)
            case 14 | 27:
                return struct.pack("<Q2I", 0, _DIRECT, 0)
            case 15:
                _, start, size = struct.unpack_from("<2QI", content)
                return self.content[node][start : start + size]
            case 28:
                _, start, _ = struct.unpack_from("<2QI", content)
                return b"" if start else self.listing()
        return b"" if kind in _DONE else errno.ENOSYS

    def listing(self) -> bytes:
        entries = b""
        for number, file in self.nodes.items():
            name = os.fsencode(file.name)
            entry = struct.pack("<2Q2I", number, number, len(name), stat.S_IFREG >> 12) + name
            entries += entry.ljust(-len(entry) % 8 + len(entry), b"\0")
        return entries


def serve(device: int, disk: Disk) -> None:
    """Answer requests until the file system is unmounted; after SIGUSR1, wait forever."""
    ended = list[int]()
    signal.signal(signal.SIGUSR1, lambda number, _: ended.append(number))
    while True:
        if ended:
            signal.pause()
            continue
        try:
            request = os.read(device, _BYTES + 4096)
        except OSError as error:
            if error.errno == errno.ENODEV:
                return
            continue  # a request was given up
        _, kind, number, node, *_ = _HEAD.unpack_from(request)
        if kind not in _SILENT:
            answer = disk.answer(kind, node, request[_HEAD.size :])
            content, error_number = (b"", -answer) if isinstance(answer, int) else (answer, 0)
            head = struct.pack("<IiQ", 16 + len(content), error_number, number)
            try:
                os.write(device, head + content)
            except OSError as error:
                if error.errno != errno.ENOENT:  # it was given up meanwhile
                    raise


def main() -> int:
    """Mount the file system and run the command; return its exit status."""
    mount, folder, *command = sys.argv[1:]
    device = os.open("/dev/fuse", os.O_RDWR)
    options = f"fd={device},rootmode=40000,user_id=0,group_id=0".encode()
    if ctypes.CDLL(None, use_errno=True).mount(b"d", mount.encode(), b"fuse.dead", 0, options):
        raise OSError(ctypes.get_errno(), "no file system of our own can be mounted")
    server = os.fork()
    if not server:
        serve(device, Disk(Path(folder)))
        os._exit(0)
    os.close(device)
    try:
        environment = {**os.environ, "DEAD_DISK": str(server)}
        return subprocess.run(command, env=environment, check=False).returncode
    finally:
        os.kill(server, signal.SIGKILL)
        os.waitpid(server, 0)


if __name__ == "__main__":
    sys.exit(main())

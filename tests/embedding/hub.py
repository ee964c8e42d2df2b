"""A local server with the part of the hub's protocol that downloads need."""

import contextlib
import hashlib
import json
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

REVISION = "0123456789abcdef0123456789abcdef01234567"


@dataclass
class Hub:
    """A hub with one model.

    Attributes:
        files: The content of each file of the model.
        requests: The method and path of each request.
        agents: The names by which programs introduced themselves.
        starts: Where the ranges begin that were requested of files, in bytes.
        sent_bytes: How much was sent in all.
        damaged_file: The file that arrives as zeros.
        address: Where the hub is served.
    """

    files: dict[str, bytes]
    requests: list[str] = field(default_factory=list)
    agents: set[str] = field(default_factory=set)
    starts: list[int] = field(default_factory=list)
    sent_bytes: int = 0
    damaged_file: str = ""
    address: str = ""

    def description(self) -> dict[str, object]:
        """Return the hub's description of its model."""
        return {
            "id": "some/model",
            "sha": REVISION,
            "siblings": [*map(self._file_description, self.files)],
        }

    def _file_description(self, name: str) -> dict[str, object]:
        content = self.files[name]
        size = len(content)
        blob = hashlib.sha1(f"blob {size}\0".encode() + content).hexdigest()
        description: dict[str, object] = {"rfilename": name, "size": size, "blobId": blob}
        if name.endswith((".onnx", ".safetensors", ".bin")):
            description["lfs"] = {
                "size": size, "sha256": hashlib.sha256(content).hexdigest(), "pointerSize": 1,
            }  # fmt: skip
        return description

    @classmethod
    def of_folder(cls, folder: Path) -> "Hub":
        """Return a hub with the files of a model's folder."""
        files = (file for file in sorted(folder.rglob("*")) if file.is_file())
        return cls({file.relative_to(folder).as_posix(): file.read_bytes() for file in files})


@contextlib.contextmanager
def serving(hub: Hub) -> Iterator[str]:
    """Serve ``hub`` on this computer, and yield its address."""

    class Answers(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self.answer(with_body=False)

        def do_GET(self) -> None:
            self.answer(with_body=True)

        def answer(self, *, with_body: bool) -> None:
            hub.requests.append(f"{self.command} {self.path}")
            hub.agents.add(self.headers.get("User-Agent", ""))
            if self.path.startswith("/api/models/some/model"):
                self.put(200, json.dumps(hub.description()).encode(), {}, with_body=True)
                return
            match = re.fullmatch(r"/some/model/resolve/(\w+)/(.+)", self.path)
            if not match or match[2] not in hub.files:
                self.put(404, b"", {"X-Error-Code": "RepoNotFound"}, with_body=with_body)
                return
            self.file(match[2], with_body=with_body)

        def file(self, name: str, *, with_body: bool) -> None:
            content = hub.files[name]
            etag = hashlib.sha256(content).hexdigest()
            content = bytes(len(content)) if name == hub.damaged_file else content
            headers = {"ETag": f'"{etag}"', "X-Repo-Commit": REVISION, "Accept-Ranges": "bytes"}
            range_ = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
            start = int(range_[1]) if range_ else 0
            if range_:
                hub.starts.append(start)
                whole = len(content)
                headers["Content-Range"] = f"bytes {start}-{whole - 1}/{whole}"
            self.put(206 if range_ else 200, content[start:], headers, with_body=with_body)

        def put(
            self, status: int, content: bytes, headers: dict[str, str], *, with_body: bool
        ) -> None:
            self.send_response(status)
            for key, value in {**headers, "Content-Length": str(len(content))}.items():
                self.send_header(key, value)
            self.end_headers()
            if not with_body:
                return
            hub.sent_bytes += len(content)
            with contextlib.suppress(ConnectionError):  # the client may hang up
                self.wfile.write(content)

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    server.daemon_threads = False
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()

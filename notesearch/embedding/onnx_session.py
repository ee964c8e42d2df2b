"""ONNX Runtime: loads a graph without a word to its maker, and names what goes wrong in one."""

import os
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from notesearch.errors import ModelError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from onnxruntime import InferenceSession, OrtValue

    from notesearch.embedding.tables import Table

MOST_THREADS = 4
INPUTS = {"input_ids", "attention_mask", "token_type_ids", "position_ids"}


class Graph:
    """A loaded graph that takes the word pieces of one text; fulfils any number of threads."""

    def __init__(self, file: Path, threads: int | None = None) -> None:
        """Load a graph.

        Args:
            file: The ONNX file.
            threads: Processor cores for one text; by default most of them, four at most.

        Raises:
            ModelError: It is damaged or wants something else than word pieces.
        """
        self._file = file
        self._session: InferenceSession | None
        # The session looks into the tables without holding them.
        self._session, self._tables = _load(file, threads or cores())
        self._inputs = {tensor.name for tensor in self._session.get_inputs()}
        if not self._inputs <= INPUTS:
            raise ModelError(
                "model_not_embedding", file=str(file), inputs=tuple(sorted(self._inputs))
            )
        self._output = _output(self._session)
        if not self._looks_into_tables():
            self._session, self._tables = _load(file, threads or cores(), whole=True)

    def close(self) -> None:
        """Let go of it; whoever is using it may finish."""
        self._session = None

    def run(self, pieces: list[int], kinds: list[int] | None = None) -> "NDArray[np.float32]":
        """Return what the graph makes of one text: a vector, or one for each piece.

        Args:
            pieces: Numbers of its word pieces, those that open and close it included.
            kinds: Which of two texts each piece is of, 0 or 1; all of the first without.

        Returns:
            Shape (n,) or (pieces, n), as the graph has it.

        Raises:
            ModelError: It is closed, or does not work.
        """
        import numpy as np

        for table, _ in self._tables:
            table.read(np.array(pieces, np.int64))
        return self._made(pieces, kinds)

    def _looks_into_tables(self) -> bool:
        """Return whether what is read into them later counts, as ONNX Runtime promises."""
        import numpy as np

        for table, _ in self._tables:
            piece = len(table.rows) // 2
            unread = self._made([piece])
            table.read(np.array([piece], np.int64))
            if np.array_equal(unread, self._made([piece])):
                return False
        return True

    def _made(self, pieces: list[int], kinds: list[int] | None = None) -> "NDArray[np.float32]":
        import numpy as np

        session = self._session
        if session is None:
            raise ModelError("model_closed")
        ids = np.array([pieces], np.int64)
        known = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.array([kinds], np.int64) if kinds else np.zeros_like(ids),
            "position_ids": np.arange(len(pieces), dtype=np.int64)[None],
        }
        try:
            made = session.run([self._output], {name: known[name] for name in self._inputs})
        except _failures() as error:
            raise ModelError(
                "model_failed", folder=str(self._file.parent), error=str(error)
            ) from error
        return np.asarray(made[0][0], np.float32)


def cores() -> int:
    """Return how many processor cores one text is worth."""
    affinity = getattr(os, "sched_getaffinity", None)
    found = len(affinity(0)) if affinity else os.cpu_count() or 1
    return max(1, min(found, MOST_THREADS))


def _output(session: "InferenceSession") -> str:
    """Return the output to use: the text's vector where there is one, else those of its pieces."""
    outputs = session.get_outputs()
    named = [tensor.name for tensor in outputs if tensor.name == "sentence_embedding"]
    of_pieces = [tensor.name for tensor in outputs if len(tensor.shape or ()) == 3]
    return str([*named, *of_pieces, *(tensor.name for tensor in outputs)][0])


def _load(
    file: Path, threads: int, *, whole: bool = False
) -> "tuple[InferenceSession, list[tuple[Table, OrtValue]]]":
    """Return the session of a graph, and what is to live as long as that: tables it looks into.

    With ``whole`` it has all in itself.
    """
    onnxruntime = import_runtime()
    from notesearch.embedding.tables import tables  # it needs NumPy, as the runtime does

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False
    options.enable_mem_pattern = False
    options.log_severity_level = 4
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    found = () if whole else tables(file)
    held = [(table, onnxruntime.OrtValue.ortvalue_from_numpy(table.rows)) for table in found]
    for table, value in held:
        options.add_initializer(table.name, value)
    try:
        session = onnxruntime.InferenceSession(
            str(file),
            options,
            providers=["CPUExecutionProvider"],
            disabled_optimizers=["SkipLayerNormFusion"],  # five times as slow as what it fuses
        )
    except _failures() as error:
        raise ModelError("model_damaged", file=str(file), error=str(error)) from error
    return session, held


def import_runtime() -> ModuleType:
    """Import ONNX Runtime, whose wheels give the computer a name and report use to their maker.

    All of that is off before its library is loaded, which looks only then.
    """
    os.environ["ORT_DISABLE_TELEMETRY"] = os.environ["ORT_TELEMETRY_DISABLED"] = "1"
    import onnxruntime

    onnxruntime.disable_telemetry_events()  # on Windows it asks the system instead
    silent: ModuleType = onnxruntime
    return silent


def _failures() -> tuple[type[Exception], ...]:
    """Return the kinds of failure that ONNX Runtime knows; they have no common name."""
    from onnxruntime.capi import onnxruntime_pybind11_state as state

    kinds = [kind for kind in vars(state).values() if isinstance(kind, type)]
    return (RuntimeError, *(kind for kind in kinds if issubclass(kind, Exception)))

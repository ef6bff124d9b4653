"""Blocks of trajectories: how an ensemble is cut, computed elsewhere, and kept in files."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _lieflow
from ._lieflow import ProblemError

if TYPE_CHECKING:
    from pathlib import Path

#: Trajectories that run side by side in the widest vectors; blocks are multiples of it.
_LANES = 64
#: About so many blocks, so that a lost one costs little.
_PARTS = 256


@dataclass(frozen=True)
class Task:
    """A range of an ensemble to be computed, here or elsewhere: plain data."""

    source: Any
    origin: str
    folder: str
    settings: tuple[tuple[str, Any], ...]
    start: int
    stop: int
    threads: int
    lanes: int | None


@dataclass(frozen=True)
class Block:
    """The trajectories of a range, as columns."""

    start: int
    inputs: NDArray[np.float64]
    observed: NDArray[np.float64]
    rows: NDArray[np.uint32]
    steps: NDArray[np.uint64]
    failures: list[tuple[int, float, str]]

    @property
    def stop(self) -> int:
        """The index after the last."""
        return self.start + len(self.rows)


def cut(count: int, size: int | None) -> list[tuple[int, int]]:
    """The ranges of the blocks."""
    if size is None:
        size = min(max(-(-count // (_PARTS * _LANES)) * _LANES, _LANES), 65536)
    if size < 1:
        raise ProblemError(f"block: found {size}, expected a number of trajectories above zero")
    return [(start, min(start + size, count)) for start in range(0, count, size)]


def compute(task: Task, progress: Any = None) -> tuple[Block, BaseException | None]:
    """Computes a block; what stopped it, if something did."""
    out, error = _lieflow.ensemble_range(
        (task.source, task.origin, list(task.settings)),
        task.folder,
        task.start,
        task.stop,
        task.threads,
        task.lanes,
        progress,
    )
    columns = (out["inputs"], out["observed"], out["rows"], out["steps"])
    return Block(task.start, *columns, list(out["failures"])), error


def compute_whole(task: Task, out: str | None = None) -> Block | tuple[int, int]:
    """Computes a block in a worker. With a folder it is written there, and only its range comes back."""
    block, error = compute(task)
    if error is not None:
        raise error
    if out is None:
        return block
    from pathlib import Path

    save(Path(out), block)
    return (task.start, task.stop)


def join(blocks: list[Block]) -> Block:
    """Blocks that follow each other as one."""
    if len(blocks) == 1:
        return blocks[0]
    return Block(
        blocks[0].start,
        np.concatenate([b.inputs for b in blocks], axis=1),
        np.concatenate([b.observed for b in blocks], axis=2),
        np.concatenate([b.rows for b in blocks]),
        np.concatenate([b.steps for b in blocks]),
        [failure for b in blocks for failure in b.failures],
    )


def _path(folder: Path, start: int, stop: int) -> Path:
    return folder / f"block-{start:012d}-{stop:012d}.npz"


def save(folder: Path, block: Block) -> None:
    """Writes a block whole or not at all: under another name first."""
    import tempfile

    reasons = np.frombuffer(json.dumps(block.failures).encode(), dtype=np.uint8)
    handle, name = tempfile.mkstemp(prefix=".block-", suffix=".npz", dir=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            np.savez(
                file,
                inputs=block.inputs,
                observed=block.observed,
                rows=block.rows,
                steps=block.steps,
                failures=reasons,
            )
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, _path(folder, block.start, block.stop))
    except BaseException:
        os.unlink(name)
        raise


def load(folder: Path, start: int, stop: int) -> Block | None:
    """A block that was written before, or None."""
    path = _path(folder, start, stop)
    if not path.exists():
        return None
    try:
        with np.load(path, allow_pickle=False) as data:
            failures = json.loads(data["failures"].tobytes() or b"[]")
            block = Block(
                start,
                data["inputs"],
                data["observed"],
                data["rows"],
                data["steps"],
                [(int(i), float(t), str(reason)) for i, t, reason in failures],
            )
    except (OSError, ValueError, KeyError) as error:
        raise ProblemError(f"{path}: cannot be read: {error}; remove it to compute it again") from None
    if block.stop != stop:
        raise ProblemError(f"{path}: found {len(block.rows)} trajectories, expected {stop - start}")
    return block


def claim(folder: Path, manifest: dict[str, Any]) -> None:
    """Makes the folder of an ensemble, or checks that it holds this one."""
    import tempfile

    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "ensemble.json"
    text = json.dumps(manifest, indent=1)
    if path.exists():
        found = json.loads(path.read_text(encoding="utf-8"))
        differ = [key for key in manifest if found.get(key) != json.loads(text)[key]]
        if differ:
            raise ProblemError(
                f"{path}: the folder holds another ensemble (its {differ[0]} differs); choose "
                "another folder, or empty this one"
            )
        return
    handle, name = tempfile.mkstemp(prefix=".ensemble-", dir=folder)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(name, path)

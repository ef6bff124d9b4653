"""Folders of blocks, from runs that were cut short or made in several places, as one ensemble."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from . import _blocks
from ._blocks import Block
from ._ensemble import Ensemble, _joined, _layout
from ._lieflow import ProblemError
from ._problem import Problem

if TYPE_CHECKING:
    from pathlib import Path


def merge(
    folders: Iterable[str | os.PathLike[str]], *, out: str | os.PathLike[str] | None = None
) -> Ensemble:
    """The trajectories of folders that :func:`ensemble` wrote with ``out=``, as one ensemble.

    All must be of the same ensemble, cut into the same blocks; together they must have every block, and
    a block that two of them have must be the same in both. With ``out`` all blocks are put into that
    folder. Tables of numbers that the design reads (``csv``) are looked for in the working folder.
    """
    from pathlib import Path

    paths = [Path(folder) for folder in folders]
    if not paths:
        raise ProblemError("folders: found none, expected folders that ensemble(out=…) wrote")
    manifest = _manifest(paths[0])
    for path in paths[1:]:
        other = _manifest(path)
        differ = [key for key in manifest if other.get(key) != manifest[key]]
        if differ:
            raise ProblemError(f"{path}: its {differ[0]} differs from that of {paths[0]}")
    ranges = _blocks.cut(manifest["count"], manifest["block"])
    found: dict[int, Block] = {}
    for start, stop in ranges:
        for path in paths:
            block = _blocks.load(path, start, stop)
            if block is not None and not _same(found.setdefault(start, block), block):
                raise ProblemError(f"{path}: trajectories {start} to {stop - 1} differ from another folder")
    missing = [(start, stop) for start, stop in ranges if start not in found]
    if missing:
        start, stop = missing[0]
        more = "" if len(missing) == 1 else f", and {len(missing) - 1} blocks more"
        raise ProblemError(
            f"folders: found no trajectories {start} to {stop - 1}{more}; ensemble(out=…) with one of "
            "the folders computes what is missing there"
        )
    if out is not None:
        target = Path(out)
        _blocks.claim(target, manifest)
        for block in found.values():
            if _blocks.load(target, block.start, block.stop) is None:
                _blocks.save(target, block)
    problem = Problem(manifest["problem"])
    return _joined(problem, _layout(problem), found, partial=False)


def _manifest(folder: Path) -> dict[str, Any]:
    path = folder / "ensemble.json"
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(found["count"], int) or not isinstance(found["block"], int):
            raise TypeError("count and block are no numbers")
        return dict(found)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ProblemError(f"{path}: cannot be read: {error}; expected what ensemble(out=…) wrote") from None


def _same(a: Block, b: Block) -> bool:
    names = ("inputs", "observed", "rows", "steps")
    pairs = [(getattr(a, name), getattr(b, name)) for name in names]
    # NaN is the same as NaN here.
    equal = all(x.shape == y.shape and x.tobytes() == y.tobytes() for x, y in pairs)
    return equal and a.failures == b.failures

"""Maps of the groups over arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _lieflow

Array = NDArray[np.float64]


def mapped(
    name: str,
    arguments: list[ArrayLike],
    takes: tuple[int, ...],
    gives: tuple[int, ...],
    out: Array | None,
) -> Any:
    """A map of the kernel on the last axes of its arguments; the axes before are broadcast."""
    arrays = [np.asarray(argument, dtype=np.float64) for argument in arguments]
    for array in arrays:
        if array.shape[array.ndim - len(takes) :] != takes or array.ndim < len(takes):
            raise ValueError(f"{name}: found shape {array.shape}, expected (..., {_shown(takes)})")
    lead = np.broadcast_shapes(*(a.shape[: a.ndim - len(takes)] for a in arrays))
    size = int(np.prod(takes))
    rows = [np.broadcast_to(a, lead + takes).reshape(-1, size) for a in arrays]
    packed = np.ascontiguousarray(rows[0] if len(rows) == 1 else np.concatenate(rows, axis=1))
    shape = lead + gives
    if out is None:
        out = np.empty(shape)
    elif out.shape != shape or out.dtype != np.float64:
        raise ValueError(f"out: found {out.dtype} of shape {out.shape}, expected float64 of {shape}")
    direct = out.flags.c_contiguous and not np.may_share_memory(out, packed)
    target = out if direct else np.empty(shape)
    _lieflow.group(name, packed, target.reshape(len(packed), int(np.prod(gives))))
    if not direct:
        out[...] = target
    return out


def columns(name: str, pair: Callable[..., Any], u: ArrayLike, dim: int, sign: float = 1.0) -> Any:
    """The matrix of a linear map at ``u``, or at ``-u``: the columns are its images of the unit vectors."""
    at = sign * np.asarray(u, dtype=np.float64)
    if at.ndim == 0 or at.shape[-1] != dim:
        raise ValueError(f"{name}: found shape {at.shape}, expected (..., {dim})")
    return np.swapaxes(pair(at[..., None, :], np.eye(dim)), -1, -2)


def _shown(shape: tuple[int, ...]) -> str:
    return ", ".join(map(str, shape))

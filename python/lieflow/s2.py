"""The unit sphere, vectorised: points and tangent vectors are ``(..., 3)``."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ._map import Array, mapped
from .so3 import rotate

__all__ = ["distance", "exp", "log", "project", "rotate"]


def exp(q: ArrayLike, v: ArrayLike, *, out: Array | None = None) -> Any:
    """Where the great circle from ``q`` with the velocity ``v`` is after a unit of time."""
    return mapped("s2.exp", [q, v], (3,), (3,), out)


def log(q: ArrayLike, p: ArrayLike, *, out: Array | None = None) -> Any:
    """The shortest velocity at ``q`` with ``exp(q, v) = p``; zero at the point opposite, where there is
    no shortest one."""
    a, b = np.asarray(q, dtype=float), np.asarray(p, dtype=float)
    normal = np.cross(a, b)
    sine = np.linalg.norm(normal, axis=-1, keepdims=True)
    angle = np.arctan2(sine, np.sum(a * b, axis=-1, keepdims=True))
    scale = np.divide(angle, sine, out=np.where(angle < 1, 1.0, 0.0), where=sine > 0)
    return np.multiply(np.cross(normal, a), scale, out=out)


def distance(q: ArrayLike, p: ArrayLike) -> Any:
    """The angle between two points, accurate when it is small."""
    a, b = np.asarray(q, dtype=float), np.asarray(p, dtype=float)
    return np.arctan2(np.linalg.norm(np.cross(a, b), axis=-1), np.sum(a * b, axis=-1))


def project(x: ArrayLike, *, out: Array | None = None) -> Any:
    """The nearest point of the sphere."""
    a = np.asarray(x, dtype=float)
    return np.divide(a, np.linalg.norm(a, axis=-1, keepdims=True), out=out)

"""Rotations of the plane, vectorised: matrices ``(..., 2, 2)``, angles ``(...)``.

The group is commutative: brackets are zero and Jacobians one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ._map import Array, mapped


def exp(angle: ArrayLike, *, out: Array | None = None) -> Any:
    """The rotation by an angle."""
    return mapped("so2.exp", [np.asarray(angle, dtype=float)[..., None]], (1,), (2, 2), out)


def log(rotation: ArrayLike) -> Any:
    """The angle of a rotation, above -pi and at most pi."""
    return mapped("so2.log", [rotation], (2, 2), (1,), None)[..., 0]

"""Attitude from measured angular velocities."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from . import _lieflow
from ._map import Array


class Attitude(NamedTuple):
    """Attitudes at the times of samples, and what a constant bias does to them."""

    rotation: Array
    """``(n, 3, 3)``: body to space."""
    bias_derivative: Array
    """``(n, 3, 3)``: ``D`` such that a bias that is larger by ``e`` gives ``R exp(hat(D e))``
    (``exp(hat(D e)) R`` for rates in space)."""
    covariance: Array | None
    """``(n, 3, 3)``: of that rotation vector, where ``bias_sigma`` was given."""


def attitude(
    times: ArrayLike,
    rates: ArrayLike,
    *,
    order: Literal[2, 4, 6] = 6,
    frame: Literal["body", "space"] = "body",
    measured: Literal["rates", "increments"] = "rates",
    bias: ArrayLike = (0.0, 0.0, 0.0),
    bias_sigma: ArrayLike | None = None,
    rotation: ArrayLike | None = None,
) -> Attitude:
    """The attitude at each time from angular velocities ``(n, 3)`` in radians, by polynomials through
    neighbouring samples and Magnus steps, of order 2, 4 or 6 in the distance of the samples.

    ``measured="increments"`` takes angles since the sample before (the first is not used);
    ``rotation`` is the attitude at the first time, the identity unless given.
    """
    t = np.ascontiguousarray(times, dtype=np.float64)
    w = np.ascontiguousarray(rates, dtype=np.float64)
    if t.ndim != 1 or w.shape != (len(t), 3):
        raise _lieflow.ProblemError(
            f"found times of shape {t.shape} and rates of shape {w.shape}, expected (n,) and (n, 3)"
        )
    for name, value, known in (
        ("frame", frame, ("body", "space")),
        ("measured", measured, ("rates", "increments")),
    ):
        if value not in known:
            raise _lieflow.ProblemError(f"{name}: found {value!r}, expected one of {known}")
    start: Any = np.eye(3) if rotation is None else np.asarray(rotation, dtype=np.float64)
    b = np.asarray(bias, dtype=np.float64)
    if start.shape != (3, 3) or not np.allclose(start @ start.T, np.eye(3), rtol=0, atol=1e-9):
        raise _lieflow.ProblemError("rotation: expected a matrix of shape (3, 3) that is a rotation")
    if b.shape != (3,) or not np.isfinite(b).all():
        raise _lieflow.ProblemError("bias: expected three finite numbers")
    out = np.empty((len(t), 18))
    _lieflow.attitude(
        t, w, order, frame == "space", measured == "increments", b.tolist(), start.tolist(), out
    )
    derivative = out[:, 9:].reshape(-1, 3, 3)
    covariance = None
    if bias_sigma is not None:
        scaled = derivative * np.broadcast_to(np.asarray(bias_sigma, dtype=np.float64), (3,))
        covariance = scaled @ scaled.transpose(0, 2, 1)
    return Attitude(out[:, :9].reshape(-1, 3, 3), derivative, covariance)

"""Extended poses, vectorised: rotation, velocity and position as matrices ``(..., 5, 5)``.

The columns beside the rotation are velocity and position. Elements of the algebra are ``(..., 9)``: three
numbers of the rotation, three of the velocity, three of the position.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from ._map import Array, columns, mapped


def exp(u: ArrayLike, *, out: Array | None = None) -> Any:
    """The extended pose at ``u``."""
    return mapped("se23.exp", [u], (9,), (5, 5), out)


def log(pose: ArrayLike, *, out: Array | None = None) -> Any:
    """The coordinates of an extended pose, with an angle of at most pi."""
    return mapped("se23.log", [pose], (5, 5), (9,), out)


def ad(u: ArrayLike, v: ArrayLike, *, out: Array | None = None) -> Any:
    """The bracket of two elements of the algebra."""
    return mapped("se23.ad", [u, v], (9,), (9,), out)


def dexp(u: ArrayLike, v: ArrayLike, *, out: Array | None = None) -> Any:
    """The right-trivialised differential of :func:`exp` at ``u`` on ``v``: the left Jacobian."""
    return mapped("se23.dexp", [u, v], (9,), (9,), out)


def dexpinv(u: ArrayLike, v: ArrayLike, *, out: Array | None = None) -> Any:
    """The inverse of :func:`dexp`."""
    return mapped("se23.dexpinv", [u, v], (9,), (9,), out)


def left_jacobian(u: ArrayLike) -> Any:
    """The matrix J with ``exp(u + v) = exp(J v) exp(u)`` to first order in ``v``."""
    return columns("se23.left_jacobian", dexp, u, 9)


def right_jacobian(u: ArrayLike) -> Any:
    """The matrix J with ``exp(u + v) = exp(u) exp(J v)`` to first order in ``v``."""
    return columns("se23.right_jacobian", dexp, u, 9, -1.0)


def left_jacobian_inverse(u: ArrayLike) -> Any:
    """The inverse of :func:`left_jacobian`."""
    return columns("se23.left_jacobian_inverse", dexpinv, u, 9)


def right_jacobian_inverse(u: ArrayLike) -> Any:
    """The inverse of :func:`right_jacobian`."""
    return columns("se23.right_jacobian_inverse", dexpinv, u, 9, -1.0)

"""Motions of the plane, vectorised: homogeneous matrices ``(..., 3, 3)``.

Elements of the algebra are ``(..., 3)``: angle, x, y.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from ._map import Array, columns, mapped


def exp(u: ArrayLike, *, out: Array | None = None) -> Any:
    """The motion of a twist of the plane."""
    return mapped("se2.exp", [u], (3,), (3, 3), out)


def log(motion: ArrayLike, *, out: Array | None = None) -> Any:
    """The twist of a motion, with an angle above -pi and at most pi."""
    return mapped("se2.log", [motion], (3, 3), (3,), out)


def ad(u: ArrayLike, v: ArrayLike, *, out: Array | None = None) -> Any:
    """The bracket of two elements of the algebra."""
    return mapped("se2.ad", [u, v], (3,), (3,), out)


def dexp(u: ArrayLike, v: ArrayLike, *, out: Array | None = None) -> Any:
    """The right-trivialised differential of :func:`exp` at ``u`` on ``v``: the left Jacobian."""
    return mapped("se2.dexp", [u, v], (3,), (3,), out)


def dexpinv(u: ArrayLike, v: ArrayLike, *, out: Array | None = None) -> Any:
    """The inverse of :func:`dexp`."""
    return mapped("se2.dexpinv", [u, v], (3,), (3,), out)


def left_jacobian(u: ArrayLike) -> Any:
    """The matrix J with ``exp(u + v) = exp(J v) exp(u)`` to first order in ``v``."""
    return columns("se2.left_jacobian", dexp, u, 3)


def right_jacobian(u: ArrayLike) -> Any:
    """The matrix J with ``exp(u + v) = exp(u) exp(J v)`` to first order in ``v``."""
    return columns("se2.right_jacobian", dexp, u, 3, -1.0)


def left_jacobian_inverse(u: ArrayLike) -> Any:
    """The inverse of :func:`left_jacobian`."""
    return columns("se2.left_jacobian_inverse", dexpinv, u, 3)


def right_jacobian_inverse(u: ArrayLike) -> Any:
    """The inverse of :func:`right_jacobian`."""
    return columns("se2.right_jacobian_inverse", dexpinv, u, 3, -1.0)

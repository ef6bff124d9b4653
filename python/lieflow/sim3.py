"""Similarities of space, vectorised: a scaled rotation and a translation as ``(..., 4, 4)``.

Elements of the algebra are ``(..., 7)``: three numbers of the rotation, three of the translation, and the
logarithm of the scale.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from ._map import Array, columns, mapped


def exp(u: ArrayLike, *, out: Array | None = None) -> Any:
    """The similarity at ``u``."""
    return mapped("sim3.exp", [u], (7,), (4, 4), out)


def log(similarity: ArrayLike, *, out: Array | None = None) -> Any:
    """The coordinates of a similarity, with an angle of at most pi."""
    return mapped("sim3.log", [similarity], (4, 4), (7,), out)


def ad(u: ArrayLike, v: ArrayLike, *, out: Array | None = None) -> Any:
    """The bracket of two elements of the algebra."""
    return mapped("sim3.ad", [u, v], (7,), (7,), out)


def dexp(u: ArrayLike, v: ArrayLike, *, out: Array | None = None) -> Any:
    """The right-trivialised differential of :func:`exp` at ``u`` on ``v``: the left Jacobian."""
    return mapped("sim3.dexp", [u, v], (7,), (7,), out)


def dexpinv(u: ArrayLike, v: ArrayLike, *, out: Array | None = None) -> Any:
    """The inverse of :func:`dexp`."""
    return mapped("sim3.dexpinv", [u, v], (7,), (7,), out)


def left_jacobian(u: ArrayLike) -> Any:
    """The matrix J with ``exp(u + v) = exp(J v) exp(u)`` to first order in ``v``."""
    return columns("sim3.left_jacobian", dexp, u, 7)


def right_jacobian(u: ArrayLike) -> Any:
    """The matrix J with ``exp(u + v) = exp(u) exp(J v)`` to first order in ``v``."""
    return columns("sim3.right_jacobian", dexp, u, 7, -1.0)


def left_jacobian_inverse(u: ArrayLike) -> Any:
    """The inverse of :func:`left_jacobian`."""
    return columns("sim3.left_jacobian_inverse", dexpinv, u, 7)


def right_jacobian_inverse(u: ArrayLike) -> Any:
    """The inverse of :func:`right_jacobian`."""
    return columns("sim3.right_jacobian_inverse", dexpinv, u, 7, -1.0)

"""Motions, vectorised: rotation and translation as a homogeneous matrix ``(..., 4, 4)``.

Elements of the algebra are ``(..., 6)``, the angular part first.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from ._map import Array, columns, mapped


def exp(u: ArrayLike, *, out: Array | None = None) -> Any:
    """The motion of a twist."""
    return mapped("se3.exp", [u], (6,), (4, 4), out)


def log(motion: ArrayLike, *, out: Array | None = None) -> Any:
    """The twist of a motion, with an angle of at most pi."""
    return mapped("se3.log", [motion], (4, 4), (6,), out)


def cay(u: ArrayLike, *, out: Array | None = None) -> Any:
    """Cayley's map of the homogeneous matrices."""
    return mapped("se3.cay", [u], (6,), (4, 4), out)


def cayinv(motion: ArrayLike, *, out: Array | None = None) -> Any:
    """The inverse of :func:`cay`; not finite at half a turn."""
    return mapped("se3.cayinv", [motion], (4, 4), (6,), out)


def ad(u: ArrayLike, v: ArrayLike, *, out: Array | None = None) -> Any:
    """The bracket of two twists."""
    return mapped("se3.ad", [u, v], (6,), (6,), out)


def dexp(u: ArrayLike, v: ArrayLike, *, out: Array | None = None) -> Any:
    """The right-trivialised differential of :func:`exp` at ``u`` on ``v``."""
    return mapped("se3.dexp", [u, v], (6,), (6,), out)


def dexpinv(u: ArrayLike, v: ArrayLike, *, out: Array | None = None) -> Any:
    """The inverse of :func:`dexp`."""
    return mapped("se3.dexpinv", [u, v], (6,), (6,), out)


def left_jacobian(u: ArrayLike) -> Any:
    """The matrix J with ``exp(u + v) = exp(J v) exp(u)`` to first order in ``v``."""
    return columns("se3.left_jacobian", dexp, u, 6)


def right_jacobian(u: ArrayLike) -> Any:
    """The matrix J with ``exp(u + v) = exp(u) exp(J v)`` to first order in ``v``."""
    return columns("se3.right_jacobian", dexp, u, 6, -1.0)


def left_jacobian_inverse(u: ArrayLike) -> Any:
    """The inverse of :func:`left_jacobian`."""
    return columns("se3.left_jacobian_inverse", dexpinv, u, 6)


def right_jacobian_inverse(u: ArrayLike) -> Any:
    """The inverse of :func:`right_jacobian`."""
    return columns("se3.right_jacobian_inverse", dexpinv, u, 6, -1.0)

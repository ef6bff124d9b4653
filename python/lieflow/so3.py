"""Rotations, vectorised: the last axes are one element, the axes before are broadcast.

Rotations are matrices ``(..., 3, 3)``, rotation vectors ``(..., 3)``, quaternions ``(w, x, y, z)``.
Differentials are right-trivialised: ``d exp(u) = hat(dexp(u, du)) exp(u)``.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from ._map import Array, columns, mapped


def exp(u: ArrayLike, *, out: Array | None = None) -> Any:
    """The rotation by the vector ``u``."""
    return mapped("so3.exp", [u], (3,), (3, 3), out)


def log(rotation: ArrayLike, *, out: Array | None = None) -> Any:
    """The rotation vector of a rotation, of length at most pi."""
    return mapped("so3.log", [rotation], (3, 3), (3,), out)


def quaternion(u: ArrayLike, *, out: Array | None = None) -> Any:
    """The unit quaternion of the rotation by the vector ``u``."""
    return mapped("so3.quaternion", [u], (3,), (4,), out)


def to_quaternion(rotation: ArrayLike, *, out: Array | None = None) -> Any:
    """The unit quaternion of a rotation, with ``w >= 0``."""
    return mapped("so3.to_quaternion", [rotation], (3, 3), (4,), out)


def from_quaternion(q: ArrayLike, *, out: Array | None = None) -> Any:
    """The rotation of a quaternion other than zero."""
    return mapped("so3.from_quaternion", [q], (4,), (3, 3), out)


def cay(u: ArrayLike, *, out: Array | None = None) -> Any:
    """Cayley's map: the rotation about ``u`` by ``2 atan(|u|/2)``."""
    return mapped("so3.cay", [u], (3,), (3, 3), out)


def cayinv(rotation: ArrayLike, *, out: Array | None = None) -> Any:
    """The inverse of :func:`cay`; not finite at half a turn."""
    return mapped("so3.cayinv", [rotation], (3, 3), (3,), out)


def ad(u: ArrayLike, v: ArrayLike, *, out: Array | None = None) -> Any:
    """The bracket of two vectors, ``cross(u, v)``."""
    return mapped("so3.ad", [u, v], (3,), (3,), out)


def dexp(u: ArrayLike, v: ArrayLike, *, out: Array | None = None) -> Any:
    """The differential of :func:`exp` at ``u`` on ``v``."""
    return mapped("so3.dexp", [u, v], (3,), (3,), out)


def dexpinv(u: ArrayLike, v: ArrayLike, *, out: Array | None = None) -> Any:
    """The inverse of :func:`dexp`."""
    return mapped("so3.dexpinv", [u, v], (3,), (3,), out)


def rotate(u: ArrayLike, v: ArrayLike, *, out: Array | None = None) -> Any:
    """``exp(u) @ v`` without the matrix."""
    return mapped("so3.rotate", [u, v], (3,), (3,), out)


def hat(u: ArrayLike, *, out: Array | None = None) -> Any:
    """The matrix with ``hat(u) @ v = cross(u, v)``."""
    return mapped("so3.hat", [u], (3,), (3, 3), out)


def project(matrix: ArrayLike, *, out: Array | None = None) -> Any:
    """One polar correction: brings a nearly orthogonal matrix back to a rotation."""
    return mapped("so3.project", [matrix], (3, 3), (3, 3), out)


def left_jacobian(u: ArrayLike) -> Any:
    """The matrix J with ``exp(u + v) = exp(J v) exp(u)`` to first order in ``v``."""
    return columns("so3.left_jacobian", dexp, u, 3)


def right_jacobian(u: ArrayLike) -> Any:
    """The matrix J with ``exp(u + v) = exp(u) exp(J v)`` to first order in ``v``."""
    return columns("so3.right_jacobian", dexp, u, 3, -1.0)


def left_jacobian_inverse(u: ArrayLike) -> Any:
    """The inverse of :func:`left_jacobian`."""
    return columns("so3.left_jacobian_inverse", dexpinv, u, 3)


def right_jacobian_inverse(u: ArrayLike) -> Any:
    """The inverse of :func:`right_jacobian`."""
    return columns("so3.right_jacobian_inverse", dexpinv, u, 3, -1.0)

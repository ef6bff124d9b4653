"""Maps of the groups over arrays."""

import numpy as np
import pytest

from lieflow import s2, se2, se3, se23, sim3, so2, so3

U = np.random.default_rng(1).normal(size=(7, 5, 3))
V = np.random.default_rng(2).normal(size=(5, 3))


def test_rotations():
    r = so3.exp(U)
    assert r.shape == (7, 5, 3, 3)
    assert np.allclose(np.swapaxes(r, -1, -2) @ r, np.eye(3), atol=1e-14)
    small = U / np.linalg.norm(U, axis=-1, keepdims=True)
    assert np.allclose(so3.log(so3.exp(small)), small, atol=1e-14)
    assert np.allclose(so3.from_quaternion(so3.quaternion(U)), r, atol=1e-14)
    assert np.all(so3.to_quaternion(r)[..., 0] >= 0)
    assert np.allclose(so3.from_quaternion(so3.to_quaternion(r)), r, atol=1e-14)
    assert np.allclose(so3.cayinv(so3.cay(U)), U, atol=1e-12)
    assert np.allclose(so3.dexpinv(U, so3.dexp(U, V)), np.broadcast_to(V, U.shape), atol=1e-12)
    assert np.allclose(so3.rotate(U, V), (r @ V[..., None])[..., 0], atol=1e-14)
    assert np.allclose(so3.hat(U) @ V[..., None], np.cross(U, V)[..., None])
    assert np.allclose(so3.project(r + 1e-9), r, atol=1e-8)
    # As many bits in a block of four as alone.
    assert np.array_equal(so3.exp(U[3, 2]), r[3, 2]) or np.allclose(so3.exp(U[3, 2]), r[3, 2], atol=1e-15)
    # The differential, by a difference.
    h = 1e-6
    slope = (so3.exp(U + h * V) - so3.exp(U - h * V)) / (2 * h)
    assert np.allclose(slope, so3.hat(so3.dexp(U, V)) @ r, atol=1e-8)


def test_against_scipy():
    rotation = pytest.importorskip("scipy.spatial.transform").Rotation
    u = U.reshape(-1, 3)
    theirs = rotation.from_rotvec(u)
    assert np.allclose(so3.exp(u), theirs.as_matrix(), atol=1e-14)
    assert np.allclose(so3.log(so3.exp(u)), theirs.as_rotvec(), atol=1e-12)


def test_motions():
    x = np.concatenate([U, U[::-1]], axis=-1)
    g = se3.exp(x)
    assert g.shape == (7, 5, 4, 4) and np.array_equal(g[..., 3, :], np.broadcast_to([0, 0, 0, 1.0], (7, 5, 4)))
    small = x / np.linalg.norm(x, axis=-1, keepdims=True)
    assert np.allclose(se3.log(se3.exp(small)), small, atol=1e-13)
    assert np.allclose(se3.cayinv(se3.cay(x)), x, atol=1e-11)
    assert np.allclose(se3.dexpinv(x, se3.dexp(x, small)), small, atol=1e-10)
    assert np.allclose(se3.ad(x, x), 0, atol=1e-14)


@pytest.mark.parametrize("group, dim", [(so3, 3), (se2, 3), (se3, 6), (se23, 9), (sim3, 7)])
def test_every_group(group, dim):
    u, v = np.random.default_rng(dim).normal(size=(2, 6, 5, dim)) * 0.4
    g = group.exp(u)
    n = g.shape[-1]
    assert g.shape == (6, 5, n, n)
    assert np.allclose(group.log(g), u, atol=1e-13)
    # Exponentials of one line commute, and the bracket belongs to the commutator of the matrices.
    assert np.allclose(group.exp(0.3 * u) @ group.exp(0.7 * u), g, atol=1e-13)
    h = 1e-4
    turned = group.exp(h * u) @ group.exp(h * v) @ group.exp(-h * u) @ group.exp(-h * v)
    assert np.allclose(group.log(turned) / h**2, group.ad(u, v), atol=1e-2)
    # Jacobians by differences: g(u + h v) g(u)^-1 and g(u)^-1 g(u + h v).
    h, back = 1e-6, np.linalg.inv(g)
    there = group.exp(u + h * v)
    column = lambda j: (j @ v[..., None])[..., 0]  # noqa: E731
    assert np.allclose(group.log(there @ back) / h, column(group.left_jacobian(u)), atol=1e-5)
    assert np.allclose(group.log(back @ there) / h, column(group.right_jacobian(u)), atol=1e-5)
    one = np.broadcast_to(np.eye(dim), (6, 5, dim, dim))
    for side in ("left", "right"):
        j, i = getattr(group, f"{side}_jacobian")(u), getattr(group, f"{side}_jacobian_inverse")(u)
        assert np.allclose(j @ i, one, atol=1e-12)
    assert np.allclose(group.dexp(u, v), column(group.left_jacobian(u)), atol=1e-14)
    with pytest.raises(ValueError, match=rf"found shape \(2,\), expected \(..., {dim}\)"):
        group.left_jacobian([1.0, 2.0])


def test_plane_and_scale():
    angle = np.linspace(-3, 3, 11)
    r = so2.exp(angle)
    assert np.array_equal(r[:, 0, 0], np.cos(angle)) or np.allclose(r[:, 0, 0], np.cos(angle), atol=1e-15)
    assert np.allclose(so2.log(r), angle, atol=1e-15)
    assert np.allclose(se2.exp(np.stack([angle, angle, -angle], axis=-1))[:, :2, :2], r, atol=1e-15)
    # The scale is the cube root of the determinant.
    x = np.array([0.1, 0.2, 0.3, 1.0, -2.0, 0.5, 0.7])
    assert np.isclose(np.linalg.det(sim3.exp(x)[:3, :3]), np.exp(3 * 0.7))


def test_sphere():
    q = s2.project(U)
    p = s2.project(U[::-1])
    v = s2.log(q, p)
    assert np.allclose(np.sum(q * v, axis=-1), 0, atol=1e-14)
    assert np.allclose(s2.exp(q, v), p, atol=1e-14)
    assert np.allclose(s2.distance(q, p), np.linalg.norm(v, axis=-1), atol=1e-14)
    assert np.array_equal(s2.log(q, q), np.zeros_like(q))


def test_out_and_shapes():
    out = np.empty((7, 5, 3, 3))
    assert so3.exp(U, out=out) is out and np.array_equal(out, so3.exp(U))
    strided = np.empty((7, 5, 3, 6))[..., ::2]
    so3.exp(U, out=strided)
    assert np.array_equal(strided, out)
    assert so3.exp([0, 0, 0]).tolist() == np.eye(3).tolist()
    assert so3.exp(np.zeros((0, 3))).shape == (0, 3, 3)
    with pytest.raises(ValueError, match=r"found shape \(4,\), expected \(..., 3\)"):
        so3.exp([1, 2, 3, 4])
    with pytest.raises(ValueError, match="out: found"):
        so3.exp(U, out=np.empty((7, 5, 9)))
    overlap = U.copy()
    assert np.array_equal(so3.rotate(overlap, V, out=overlap), so3.rotate(U, V))

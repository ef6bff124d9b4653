"""The ensemble of tops by JAX in double precision, for comparison: classical Runge-Kutta on attitude (as a quaternion
or as nine numbers) and momentum, compiled for the GPU that JAX finds.

    python3 tools/gpu/peers.py [COUNT] [STEPS]

Prints trajectory steps a second, the largest error of the attitude against a run with an eighth of the step, and how far
attitudes are from rotations. lieflow's numbers for the same tops: `lieflow bench w4 --device cuda`.
"""
import sys
import time

import jax

jax.config.update("jax_enable_x64", True)
import jax.numpy as np  # noqa: E402

INVERSE = np.array([0.2, 0.2, 1.0])
STRENGTH = 20.0


def torque(g):
    """Of U = STRENGTH R33, where g is the third row of R."""
    return np.stack([g[1] * STRENGTH, -g[0] * STRENGTH, np.zeros_like(g[0])])


def by_matrix(y):
    r, p = y[:9].reshape(3, 3), y[9:]
    w = INVERSE * p
    hat = np.array([[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]])
    return np.concatenate([(r @ hat).ravel(), np.cross(p, w) + torque(r[2])])


def third_row(q):
    a, x, y, z = q
    return np.array([2 * (x * z - a * y), 2 * (y * z + a * x), a * a - x * x - y * y + z * z])


def by_quaternion(y):
    q, p = y[:4], y[4:]
    w = INVERSE * p
    a, v = q[0], q[1:]
    rate = 0.5 * np.concatenate([-np.dot(v, w)[None], a * w + np.cross(v, w)])
    return np.concatenate([rate, np.cross(p, w) + torque(third_row(q))])


def solver(field, steps):
    h = 1.0 / steps

    def step(_, y):
        k1 = field(y)
        k2 = field(y + 0.5 * h * k1)
        k3 = field(y + 0.5 * h * k2)
        k4 = field(y + h * k3)
        return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)

    return jax.jit(jax.vmap(lambda y: jax.lax.fori_loop(0, steps, step, y)))


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1 << 20
    steps = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    low, high = np.array([-1.0, -1.0, 20.0]), np.array([1.0, 1.0, 60.0])
    omega = jax.random.uniform(jax.random.key(1), (count, 3), minval=low, maxval=high)
    momentum = omega / INVERSE
    c, s = np.cos(0.15), np.sin(0.15)
    half = np.tile(np.array([c, s, 0.0, 0.0]), (count, 1))
    c, s = np.cos(0.3), np.sin(0.3)
    whole = np.tile(np.array([1, 0, 0, 0, c, -s, 0, s, c]), (count, 1))
    print(jax.devices(), f"{count} tops, {steps} steps")
    for name, field, start in (
        ("rk4, nine numbers", by_matrix, np.concatenate([whole, momentum], axis=1)),
        ("rk4, quaternion", by_quaternion, np.concatenate([half, momentum], axis=1)),
    ):
        solve = solver(field, steps)
        solve(start).block_until_ready()
        times = []
        for _ in range(3):
            begun = time.perf_counter()
            end = solve(start).block_until_ready()
            times.append(time.perf_counter() - begun)
        few = start[:2000]
        truth = solver(field, 8 * steps)(few)
        part = 9 if field is by_matrix else 4
        error = float(np.abs(end[:2000, :part] - truth[:, :part]).max())
        if part == 9:
            r = end[:2000, :9].reshape(-1, 3, 3)
            off = float(np.abs(np.einsum("nij,nik->njk", r, r) - np.eye(3)).max())
        else:
            off = float(np.abs((end[:2000, :4] ** 2).sum(axis=1) - 1).max())
        print(f"{name:20} {count * steps / min(times):.3e} steps/s  error {error:.1e}  off the group {off:.1e}")


main()

"""The ensemble of tops by other programs, for comparison: bodies with moments (5, 5, 1) in the field U = 20 R33, whose
first velocities are spread, over one second.

    python3 tools/gpu/peers.py [COUNT] [STEPS] [PEER...]

Peers, each of which is left out with a line where it cannot be imported or fails:

    jax      JAX, classical Runge-Kutta on attitude (nine numbers, or a quaternion) and momentum, double precision
    diffrax  diffrax on top of it, Tsitouras' method of order 5 with constant steps, double precision
    warp     NVIDIA Warp, classical Runge-Kutta with a quaternion, a kernel of its own, double precision
    mujoco   MuJoCo Warp, its classical Runge-Kutta: single precision, which is all that it has

Prints trajectory steps a second, the largest error of the body's vertical direction against classical Runge-Kutta with
an eighth of the step (by NumPy, in double precision), and how far attitudes are from rotations. It never fails. lieflow's
numbers for the same tops: `lieflow bench w4 --device cuda`.
"""
import sys
import time

STRENGTH = 20.0
MOMENTS = (5.0, 5.0, 1.0)
TILT = 0.3
# So many tops are compared with the reference.
FEW = 200
ROUNDS = 3


def velocities(np, count):
    """The first angular velocities: the same for all peers, whatever their number."""
    draw = np.random.Generator(np.random.Philox(1))
    return draw.uniform((-1.0, -1.0, 20.0), (1.0, 1.0, 60.0), (count, 3))


def quaternion_field(np):
    """The field for rows (a, x, y, z, three momenta), in the functions of NumPy or of something like it."""

    def field(y):
        a, b, c, d, p1, p2, p3 = (y[..., k] for k in range(7))
        w1, w2, w3 = p1 / MOMENTS[0], p2 / MOMENTS[1], p3 / MOMENTS[2]
        g1, g2 = 2 * (b * d - a * c), 2 * (c * d + a * b)
        rate = (
            -0.5 * (b * w1 + c * w2 + d * w3),
            0.5 * (a * w1 + c * w3 - d * w2),
            0.5 * (a * w2 + d * w1 - b * w3),
            0.5 * (a * w3 + b * w2 - c * w1),
            p2 * w3 - p3 * w2 + STRENGTH * g2,
            p3 * w1 - p1 * w3 - STRENGTH * g1,
            p1 * w2 - p2 * w1,
        )
        return np.stack(rate, -1)

    return field


def classical(field, y, h):
    """One step of the classical method."""
    k1 = field(y)
    k2 = field(y + 0.5 * h * k1)
    k3 = field(y + 0.5 * h * k2)
    k4 = field(y + h * k3)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def starts(np, count):
    """First states with quaternions."""
    half = np.tile(np.array([np.cos(TILT / 2), np.sin(TILT / 2), 0.0, 0.0]), (count, 1))
    return np.concatenate([half, velocities(np, count) * np.array(MOMENTS)], 1)


def vertical(np, q):
    """The third row of R."""
    a, b, c, d = (q[:, k] for k in range(4))
    return np.stack([2 * (b * d - a * c), 2 * (c * d + a * b), a * a - b * b - c * c + d * d], 1)


def off_unit(np, q):
    return float(np.abs((q * q).sum(1) - 1).max())


class Peers:
    """All peers, for so many tops and steps."""

    def __init__(self, np, count, steps):
        self.np, self.count, self.steps = np, count, steps
        few, h = starts(np, min(FEW, count)), 1.0 / (8 * steps)
        field = quaternion_field(np)
        for _ in range(8 * steps):
            few = classical(field, few, h)
        self.truth = vertical(np, few[:, :4])

    def timed(self, solve, wait):
        """The shortest of some runs, after one that compiles; and what the last one has left."""
        wait(solve())
        times = []
        for _ in range(ROUNDS):
            begun = time.perf_counter()
            end = wait(solve())
            times.append(time.perf_counter() - begun)
        return min(times), end

    def say(self, name, seconds, rows, off, count=None):
        few = len(self.truth)
        error = float(self.np.abs(self.np.asarray(rows, dtype=float)[:few] - self.truth).max())
        speed = (count or self.count) * self.steps / seconds
        print(f"{name:34} {speed:.3e} steps/s  error {error:.1e}  off the group {off:.1e}", flush=True)

    def jax(self):
        import jax

        jax.config.update("jax_enable_x64", True)
        import jax.numpy as jnp

        np, steps = self.np, self.steps
        print(f"JAX {jax.__version__} on {jax.devices()}", flush=True)
        inverse = 1.0 / jnp.array(MOMENTS)

        def by_matrix(y):
            r, p = y[:9].reshape(3, 3), y[9:]
            w = inverse * p
            hat = jnp.array([[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]])
            g = r[2]
            torque = jnp.stack([g[1] * STRENGTH, -g[0] * STRENGTH, jnp.zeros_like(g[0])])
            return jnp.concatenate([(r @ hat).ravel(), jnp.cross(p, w) + torque])

        def solver(field):
            step = lambda _, y: classical(field, y, 1.0 / steps)  # noqa: E731
            return jax.jit(jax.vmap(lambda y: jax.lax.fori_loop(0, steps, step, y)))

        wait = lambda y: y.block_until_ready()  # noqa: E731
        y = starts(np, self.count)
        solve = solver(quaternion_field(jnp))
        seconds, end = self.timed(lambda: solve(y), wait)
        q = np.asarray(end[:FEW, :4])
        self.say("jax, rk4, quaternion, f64", seconds, vertical(np, q), off_unit(np, q))
        c, s = np.cos(TILT), np.sin(TILT)
        whole = np.tile(np.array([1, 0, 0, 0, c, -s, 0, s, c]), (self.count, 1))
        y = np.concatenate([whole, y[:, 4:]], 1)
        solve = solver(by_matrix)
        seconds, end = self.timed(lambda: solve(y), wait)
        r = np.asarray(end[:FEW, :9]).reshape(-1, 3, 3)
        off = float(np.abs(np.einsum("nij,nik->njk", r, r) - np.eye(3)).max())
        self.say("jax, rk4, nine numbers, f64", seconds, r[:, 2], off)

    def diffrax(self):
        import jax

        jax.config.update("jax_enable_x64", True)
        import diffrax
        import jax.numpy as jnp

        np, steps = self.np, self.steps
        field = quaternion_field(jnp)
        term, method = diffrax.ODETerm(lambda t, y, _: field(y)), diffrax.Tsit5()

        def one(y):
            solution = diffrax.diffeqsolve(
                term, method, 0.0, 1.0, 1.0 / steps, y,
                saveat=diffrax.SaveAt(t1=True), stepsize_controller=diffrax.ConstantStepSize(), max_steps=steps + 2,
            )
            return solution.ys[-1]

        print(f"diffrax {diffrax.__version__}", flush=True)
        solve, y = jax.jit(jax.vmap(one)), jnp.asarray(starts(np, self.count))
        seconds, end = self.timed(lambda: solve(y), lambda y: y.block_until_ready())
        q = np.asarray(end[:FEW, :4])
        self.say("diffrax, tsit5, quaternion, f64", seconds, vertical(np, q), off_unit(np, q))

    def warp(self):
        import warp as wp

        quiet(wp)
        wp.init()
        np, steps = self.np, self.steps
        print(f"Warp {wp.config.version} on {wp.get_preferred_device()}", flush=True)
        kernel = warp_kernel(wp)
        y = starts(np, self.count)
        q0, p0 = (wp.array(part, dtype=kind) for part, kind in ((y[:, :4], wp.vec4d), (y[:, 4:], wp.vec3d)))
        q1, p1 = wp.empty_like(q0), wp.empty_like(p0)

        def solve():
            wp.launch(kernel, dim=self.count, inputs=[q0, p0, q1, p1, steps, wp.float64(1.0 / steps)])
            wp.synchronize()
            return q1

        seconds, end = self.timed(solve, lambda y: y)
        q = end.numpy()[:FEW]
        self.say("warp, rk4, quaternion, f64", seconds, vertical(np, q), off_unit(np, q))

    def mujoco(self):
        import mujoco
        import mujoco_warp as mjw
        import warp as wp

        quiet(wp)
        np, steps = self.np, self.steps
        # Each world has arrays of its own, of which a GPU holds so many.
        count = min(self.count, 1 << 17)
        # Two kilogrammes at one metre: moments (3, 3, 1) about the centre of mass are (5, 5, 1) about the point.
        model = mujoco.MjModel.from_xml_string(f"""
            <mujoco>
              <option timestep="{1.0 / steps!r}" gravity="0 0 -10" integrator="RK4">
                <flag constraint="disable" contact="disable"/>
              </option>
              <worldbody><body>
                <joint type="ball" damping="0" armature="0"/>
                <inertial mass="2" pos="0 0 1" diaginertia="3 3 1"/>
              </body></worldbody>
            </mujoco>""")
        data = mujoco.MjData(model)
        print(f"MuJoCo Warp {getattr(mjw, '__version__', '')} on {wp.get_preferred_device()}, {count} worlds", flush=True)
        m, d = mjw.put_model(model), mjw.put_data(model, data, nworld=count)
        y = starts(np, count)

        def begin():
            d.qpos.assign(y[:, :4].astype(np.float32))
            d.qvel.assign((y[:, 4:] / np.array(MOMENTS)).astype(np.float32))

        begin()
        mjw.step(m, d)
        graph = None
        if wp.get_preferred_device().is_cuda:
            with wp.ScopedCapture() as capture:
                mjw.step(m, d)
            graph = capture.graph

        def solve():
            begin()
            for _ in range(steps):
                wp.capture_launch(graph) if graph else mjw.step(m, d)
            wp.synchronize()
            return d.qpos

        seconds, end = self.timed(solve, lambda y: y)
        q = end.numpy()[:FEW].astype(float)
        self.say("mujoco warp, rk4, quaternion, f32", seconds, vertical(np, q), off_unit(np, q), count)


def quiet(wp):
    """Warp says what it compiles, in one way or another."""
    wp.config.quiet = True
    if hasattr(wp.config, "log_level"):
        wp.config.log_level = 100


def warp_kernel(wp):
    """Classical Runge-Kutta as a kernel: one thread, one top."""
    half, two, zero = wp.constant(wp.float64(0.5)), wp.constant(wp.float64(2.0)), wp.constant(wp.float64(0.0))
    six, strength = wp.constant(wp.float64(6.0)), wp.constant(wp.float64(STRENGTH))
    across, along = wp.constant(wp.float64(1.0 / MOMENTS[0])), wp.constant(wp.float64(1.0 / MOMENTS[2]))

    @wp.func
    def turning(q: wp.vec4d, p: wp.vec3d):
        w = wp.vec3d(p[0] * across, p[1] * across, p[2] * along)
        return wp.vec4d(
            -half * (q[1] * w[0] + q[2] * w[1] + q[3] * w[2]),
            half * (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]),
            half * (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]),
            half * (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]),
        )

    @wp.func
    def torque(q: wp.vec4d, p: wp.vec3d):
        w = wp.vec3d(p[0] * across, p[1] * across, p[2] * along)
        g1 = two * (q[1] * q[3] - q[0] * q[2])
        g2 = two * (q[2] * q[3] + q[0] * q[1])
        return wp.cross(p, w) + wp.vec3d(strength * g2, -strength * g1, zero)

    @wp.kernel
    def tops(
        q0: wp.array(dtype=wp.vec4d),
        p0: wp.array(dtype=wp.vec3d),
        q1: wp.array(dtype=wp.vec4d),
        p1: wp.array(dtype=wp.vec3d),
        steps: int,
        h: wp.float64,
    ):
        i = wp.tid()
        q = q0[i]
        p = p0[i]
        for _ in range(steps):
            a1 = turning(q, p)
            b1 = torque(q, p)
            a2 = turning(q + half * h * a1, p + half * h * b1)
            b2 = torque(q + half * h * a1, p + half * h * b1)
            a3 = turning(q + half * h * a2, p + half * h * b2)
            b3 = torque(q + half * h * a2, p + half * h * b2)
            a4 = turning(q + h * a3, p + h * b3)
            b4 = torque(q + h * a3, p + h * b3)
            q = q + h / six * (a1 + two * a2 + two * a3 + a4)
            p = p + h / six * (b1 + two * b2 + two * b3 + b4)
        q1[i] = q
        p1[i] = p

    return tops


def main(words):
    numbers = [int(word) for word in words if word.isdigit()]
    count, steps = (numbers + [1 << 20, 1000][len(numbers):])[:2]
    known = ("jax", "diffrax", "warp", "mujoco")
    wanted = [word for word in words if not word.isdigit()] or known
    try:
        import numpy
    except ImportError as error:
        print(f"every peer is left out: {error}")
        return
    print(f"{count} tops, {steps} steps of each", flush=True)
    peers = Peers(numpy, count, steps)
    for name in wanted:
        if name not in known:
            print(f"{name} is left out: expected one of {', '.join(known)}")
            continue
        try:
            getattr(peers, name)()
        except ImportError as error:
            print(f"{name} is left out: {error}", flush=True)
        except Exception as error:  # whatever a peer does, the others are measured
            words = " ".join(str(error).split())[:300]
            print(f"{name} has failed: {type(error).__name__}: {words}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])

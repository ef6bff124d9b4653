"""What the package costs, beside SciPy and heyoka, with the bounds that it promises.

``tools/measure-python`` builds what this needs and runs it. Times are the smallest of several, and both sides of
a ratio are measured in turn in this process, so that a load on the machine meets both; measure on an idle one.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from importlib.util import find_spec
from pathlib import Path

import numpy as np

import lieflow
from lieflow import so3

UNTIL = 10.0
MISSED: list[str] = []


def best(run: Callable[[], object], seconds: float = 0.5, clock: Callable[[], float] = time.perf_counter) -> float:
    """The smallest time of a call, over about so many seconds."""
    run()
    least, end = float("inf"), time.perf_counter() + seconds
    while time.perf_counter() < end or least == float("inf"):
        began = clock()
        run()
        least = min(least, clock() - began)
    return least


def say(what: str, value: float, unit: str, most: float | None = None, least: float | None = None) -> None:
    """A line of the table."""
    bound, holds = "", True
    if most is not None:
        bound, holds = f"at most {most:g}", value <= most
    if least is not None:
        bound, holds = f"at least {least:g}", value >= least
    if not holds:
        MISSED.append(what)
    print(f"{what:64} {value:12.4g} {unit:8} {bound:16} {'' if holds else 'MISSED'}", flush=True)


def available(module: str, what: str) -> bool:
    """Whether a module is there; says what is left out otherwise."""
    if find_spec(module) is None:
        print(f"{what:64} {'-':>12} {module} is not installed")
        return False
    return True


# The fast top: attitude as a quaternion, body angular velocity; U = 20 R33, J = (5, 5, 1).
HALF = 0.15
START = np.array([np.cos(HALF), np.sin(HALF), 0, 0, 0, 0, 50.0])


def attitude(q: np.ndarray) -> np.ndarray:
    """The rotation of a quaternion of any length."""
    return so3.from_quaternion(q / np.linalg.norm(q))


def rates(t: float, u: np.ndarray) -> list[float]:
    """The equations of the fast top, as SciPy wants them."""
    w, x, y, z, a, b, c = u
    g, h = 2 * (x * z - w * y), 2 * (y * z + w * x)
    turn = [-x * a - y * b - z * c, w * a + y * c - z * b, w * b + z * a - x * c, w * c + x * b - y * a]
    return [*(0.5 * s for s in turn), 4 * h + 0.8 * b * c, -4 * g - 0.8 * c * a, 0.0]


def heyoka_run(tol: float) -> Callable[[], np.ndarray]:
    """The same compiled by heyoka."""
    import heyoka as hy

    w, x, y, z, a, b, c = hy.make_vars("w", "x", "y", "z", "a", "b", "c")
    g, h = 2.0 * (x * z - w * y), 2.0 * (y * z + w * x)
    turn = [-x * a - y * b - z * c, w * a + y * c - z * b, w * b + z * a - x * c, w * c + x * b - y * a]
    spin = [4.0 * h + 0.8 * b * c, -4.0 * g - 0.8 * c * a, hy.expression(0.0)]
    equations = [0.5 * s for s in turn] + spin
    stepper = hy.taylor_adaptive(list(zip([w, x, y, z, a, b, c], equations)), START.tolist(), tol=tol)

    def run() -> np.ndarray:
        stepper.time = 0.0
        stepper.state[:] = START
        stepper.propagate_until(UNTIL)
        return attitude(np.array(stepper.state[:4]))

    return run


def fast_top() -> None:
    """The whole call from Python, to an attitude that is right to 1e-8."""
    problem = lieflow.Problem("fast-top")
    reference = lieflow.solve(problem, method="taylor", tol=1e-15, until=UNTIL, every=10**9).rotation[-1]

    def splitting(n: float) -> Callable[[], np.ndarray]:
        options = dict(method="exs@rkn6a", step=UNTIL / n, until=UNTIL, every=10**9, watch=False)
        return lambda: lieflow.solve(problem, **options).rotation[-1]

    def scipy_run(tol: float) -> Callable[[], np.ndarray]:
        from scipy.integrate import solve_ivp

        return lambda: attitude(solve_ivp(rates, (0, UNTIL), START, method="DOP853", rtol=tol, atol=tol).y[:4, -1])

    def quickest(make: Callable[[float], Callable[[], np.ndarray]], settings: list[float], seconds: float) -> float:
        for setting in settings:
            run = make(setting)
            if np.abs(run() - reference).max() <= 1e-8:
                return best(run, seconds)
        raise SystemExit("no setting reaches 1e-8")

    tolerances = [1e-6, 1e-7, 3e-8, 1e-8, 3e-9, 1e-9, 3e-10, 1e-10, 1e-11]
    ours = quickest(splitting, [40, 43, 45, 48, 50, 55, 60, 70, 80, 100], 0.5)
    say("fast top to 1e-8, exs@rkn6a", 1e6 * ours, "µs")
    if available("heyoka", "fast top to 1e-8, heyoka"):
        theirs = quickest(heyoka_run, tolerances, 0.5)
        say("fast top to 1e-8, heyoka", 1e6 * theirs, "µs")
        say("  of ours", theirs / ours, "times", least=3)
    if available("scipy", "fast top to 1e-8, SciPy DOP853"):
        theirs = quickest(scipy_run, tolerances, 1.0)
        say("fast top to 1e-8, SciPy DOP853", 1e6 * theirs, "µs")
        say("  of ours", theirs / ours, "times", least=1000)


def calls() -> None:
    """What a call costs beside its steps, and what importing the package does."""
    problem = lieflow.Problem("fast-top")
    one = best(lambda: lieflow.solve(problem, method="exs", step=1.0, until=1.0), 1.0)
    say("a call of solve with one step", 1e6 * one, "µs", most=40)
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}

    def importing(statement: str) -> float:
        program = f"import time, numpy; s = time.perf_counter(); {statement}; print(time.perf_counter() - s)"
        run = lambda: float(subprocess.check_output([sys.executable, "-c", program], env=environment))  # noqa: E731
        return min(run() for _ in range(7))

    say("importing lieflow after numpy", 1e3 * importing("import lieflow"), "ms", most=40)


def groups() -> None:
    """A million exponentials."""
    u = np.random.default_rng(1).normal(size=(10**6, 3))
    ours = best(lambda: so3.exp(u), 1.5)
    say("so3.exp of a million vectors", 1e3 * ours, "ms")
    if available("scipy", "SciPy's Rotation"):
        from scipy.spatial.transform import Rotation

        theirs = best(lambda: Rotation.from_rotvec(u).as_matrix(), 1.5)
        say("  SciPy's Rotation.from_rotvec(u).as_matrix()", theirs / ours, "times", least=1.8)


def laws() -> None:
    """The fast top by laws of all kinds, beside the built-in one.

    In the space SO(3) x R3 all of them do the same work at each stage. In the usual space the built-in top turns
    one vector where a law that nobody looks into needs the attitude: no bound is given there.
    """
    common = dict(rotation=[0.3, 0, 0], omega=[0, 0, 50.0], method="rkmk4", step=1e-4, until=UNTIL, every=10**9)
    inertia, steps = [5.0, 5.0, 1.0], UNTIL / 1e-4
    opaque = {"function": lambda R, k: (k * R[2, 1], -k * R[2, 0], 0.0), "k": 20.0}
    laws: dict[str, dict[str, object]] = {"a traced potential": {"potential": lambda R: 20.0 * R[2, 2]}}
    if available("numba", "a torque by numba"):
        import numba
        from numba import types

        pointer = types.CPointer(types.double)

        @numba.cfunc(types.void(types.double, pointer, pointer, pointer))
        def torque(t, y, p, out):  # type: ignore[no-untyped-def]
            out[0], out[1], out[2] = p[0] * y[7], -p[0] * y[6], 0.0

        laws["a torque by numba"] = {"torque": {"function": torque, "k": 20.0}}
    for space, most in [("lift", 1.6), ("se3", None)]:

        def per_step(**law: object) -> float:
            problem = lieflow.rigid_body(inertia, **law, **common).replace({"parameters.space": space})  # noqa: B023
            return best(lambda: lieflow.solve(problem, watch=False), 1.0) / steps

        compiled = per_step(potential={"kind": "lagrange-top", "strength": 20.0})
        say(f"rkmk4, built-in potential, space {space}", 1e9 * compiled, "ns/step")
        for name, law in laws.items():
            say(f"  {name}", per_step(**law) / compiled, "times", most=most)
    fewer = {**common, "until": UNTIL / 50}
    called = best(lambda: lieflow.solve(lieflow.rigid_body(inertia, torque=opaque, **fewer), watch=False), 1.0)
    say("  a torque that calls Python, each of 4 evaluations", 1e6 * called * 50 / steps / 4, "µs")


MPI = """
import sys, time, lieflow
from mpi4py import MPI
comm = MPI.COMM_WORLD
def run():
    comm.Barrier()
    began = time.perf_counter()
    lieflow.ensemble({problem!r}, count={count}, block={block}, vary={vary!r}, seed=1, threads=1, engine=comm)
    return time.perf_counter() - began
run()
least = min(run() for _ in range(3))
if comm.rank == 0:
    print(least)
"""


def engines(block_seconds: float) -> None:
    """Engines with two workers of one thread each, beside one process with two threads."""
    vary = {"initial.omega": {"uniform": [[-1, -1, 20], [1, 1, 60]]}}
    problem = lieflow.Problem("fast-top").replace(method="exs@rkn6a", step=0.01, until=UNTIL)

    def ensemble(**more: object) -> Callable[[], object]:
        return lambda: lieflow.ensemble(problem, vary=vary, seed=1, **more)

    began = time.perf_counter()
    ensemble(count=2048, threads=1)()
    block = max(64, int(block_seconds * 2048 / (time.perf_counter() - began)) // 64 * 64)
    count = 8 * block
    print(f"engines: 8 blocks of {block} trajectories")
    alone = min(best(ensemble(count=count, block=block, threads=2), 0.0) for _ in range(3))
    say("one process, two threads", alone, "s")
    with ProcessPoolExecutor(2) as pool:
        ensemble(count=128, block=64, engine=pool)()
        say("  processes", best(ensemble(count=count, block=block, engine=pool), 0.0) / alone, "times", most=1.1)
    if available("distributed", "Dask"):
        from distributed import Client, LocalCluster

        with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
            ensemble(count=128, block=64, engine=client)()
            say("  Dask", best(ensemble(count=count, block=block, engine=client), 0.0) / alone, "times", most=1.1)
    launcher = shutil.which("mpiexec", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if launcher and available("mpi4py", "MPI, two ranks"):
        program = MPI.format(problem=problem.to_dict(), count=count, block=block, vary=vary)
        took = float(subprocess.check_output([launcher, "-n", "2", sys.executable, "-c", program]))
        say("  MPI, two ranks", took / alone, "times", most=1.1)


def wheel() -> None:
    """The package as a wheel holds it."""
    folder = Path(lieflow.__file__).parent
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in folder.rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                archive.write(path, path.relative_to(folder.parent))
    say("the wheel", len(packed.getvalue()) / 1e6, "MB", most=15)


def main() -> int:
    parts = {"top": fast_top, "calls": calls, "groups": groups, "laws": laws, "engines": None, "wheel": wheel}
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", choices=[*parts, []], help="which; all of them if none is named")
    parser.add_argument("--block-seconds", type=float, default=1.0, help="how long a block of an ensemble takes")
    options = parser.parse_args()
    print(json.dumps({"lieflow": lieflow.__version__, "python": sys.version.split()[0], "cores": os.cpu_count(), "load": os.getloadavg()[0]}))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, part in parts.items():
            if options.parts and name not in options.parts:
                continue
            if part is None:
                engines(options.block_seconds)
            else:
                part()
    for what in MISSED:
        print(f"missed: {what.strip()}")
    return 1 if MISSED else 0


if __name__ == "__main__":
    sys.exit(main())

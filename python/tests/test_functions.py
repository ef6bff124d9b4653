"""Laws that are called: compiled code at an address, and functions of Python as they are."""

import ctypes
import pickle
import shutil
import subprocess
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest

import lieflow
from lieflow import so3

POINTER = ctypes.POINTER(ctypes.c_double)
LAW = ctypes.CFUNCTYPE(None, ctypes.c_double, POINTER, POINTER, POINTER)
BODY = dict(rotation=[0.3, 0, 0], omega=[0.2, 0, 5.0], step=0.01, until=1.0)
INERTIA = [5.0, 5.0, 1.0]
SOURCE = """
void top(double t, const double *y, const double *p, double *out) {
    /* R by rows, w, P: the torque of U = p[0] R33, less friction. */
    out[0] = p[0]*y[7] - p[1]*y[9]; out[1] = -p[0]*y[6] - p[1]*y[10]; out[2] = -p[1]*y[11];
}
void potential(double t, const double *y, const double *p, double *out) {
    out[0] = p[0]*y[8]; out[1] = p[0]*y[7]; out[2] = -p[0]*y[6]; out[3] = 0;
}
void field(double t, const double *y, const double *p, double *out) {
    for (int i = 0; i < 3; i++) out[i] = y[9+i]/p[i];
    double w[3] = {out[0], out[1], out[2]};
    out[3] = y[10]*w[2] - y[11]*w[1] + p[3]*y[7];
    out[4] = y[11]*w[0] - y[9]*w[2] - p[3]*y[6];
    out[5] = y[9]*w[1] - y[10]*w[0];
}
"""


@LAW
def torque(t, y, p, out):
    out[0], out[1], out[2] = p[0] * y[7] - p[1] * y[9], -p[0] * y[6] - p[1] * y[10], -p[1] * y[11]


@LAW
def potential(t, y, p, out):
    out[0], out[1], out[2], out[3] = p[0] * y[8], p[0] * y[7], -p[0] * y[6], 0.0


@LAW
def field(t, y, p, out):
    w = [y[9 + i] / p[i] for i in range(3)]
    m = [y[9], y[10], y[11]]
    out[0], out[1], out[2] = w
    out[3] = m[1] * w[2] - m[2] * w[1] + p[3] * y[7]
    out[4] = m[2] * w[0] - m[0] * w[2] - p[3] * y[6]
    out[5] = m[0] * w[1] - m[1] * w[0]


def called_field(R, P, inertia, strength):
    w = P / inertia
    return w, np.cross(P, w) + strength * np.array([R[2, 1], -R[2, 0], 0.0])


def by_formula(method, **more):
    return lieflow.rigid_body(
        INERTIA,
        potential={"formula": "k*R33", "k": 20.0},
        **({"torque": {"formula": "-c*w", "c": 0.1}} if more.pop("friction", False) else {}),
        method=method,
        **{**BODY, **more},
    )


def top_field(law=field, **solve):
    system = lieflow.System(
        {"R": "SO(3)", "P": "R3"}, field=law, parameters={"inertia": INERTIA, "strength": 20.0}
    )
    return system.at(R={"vector": [0.3, 0, 0]}, P=[1.0, 0, 5.0], **{"method": "rkmk4", "step": 0.01, "until": 1.0, **solve})


def close(a, b, tolerance=1e-12):
    return np.allclose(a["rotation"], b["rotation"], atol=tolerance) and a.omega.shape == b.omega.shape


@pytest.mark.parametrize("method", ["rkmk4", "cf4", "rkmk-gl4", "rkmk-dp54"])
def test_a_torque_by_ctypes(method):
    wanted = lieflow.solve(by_formula(method, friction=True))
    law = {"function": torque, "k": 20.0, "c": 0.1}
    r = lieflow.solve(lieflow.rigid_body(INERTIA, torque=law, method=method, **BODY))
    assert close(r, wanted) and r.info["cost"]["field_evaluations"] > 0
    # The same as an address, and as a function of Python that is called.
    address = ctypes.cast(torque, ctypes.c_void_p).value
    again = lieflow.solve(lieflow.rigid_body(INERTIA, torque={**law, "function": address}, method=method, **BODY))
    assert again.rotation.tobytes() == r.rotation.tobytes()
    called = {**law, "function": lambda R, w, k, c: k * np.array([R[2, 1], -R[2, 0], 0.0]) - c * w}
    assert close(lieflow.solve(lieflow.rigid_body(INERTIA, torque=called, method=method, **BODY)), wanted)
    in_space = {"function": lambda R, w, k, c, frame="space": R @ called["function"](R, w, k, c), "k": 20.0, "c": 0.1, "frame": "space"}
    assert close(lieflow.solve(lieflow.rigid_body(INERTIA, torque=in_space, method=method, **BODY)), wanted)


@pytest.mark.parametrize("method", ["exs", "liemid-ea", "liemid-i", "rattle", "exs@rkn6", "rkmk4"])
def test_a_potential_by_ctypes(method):
    law = {"function": potential, "k": 20.0}
    r = lieflow.solve(lieflow.rigid_body(INERTIA, potential=law, method=method, **BODY))
    assert close(r, lieflow.solve(by_formula(method)), 1e-9)
    assert np.ptp(r.invariants["energy"]) < 0.1
    # A torque that does not look at the motion is one for the methods of bodies.
    still = {"function": lambda R, k: k * np.array([R[2, 1], -R[2, 0], 0.0]), "k": 20.0, "moving": False}
    assert close(lieflow.solve(lieflow.rigid_body(INERTIA, torque=still, method=method, **BODY)), r, 1e-9)


def test_what_needs_formulas_says_so():
    law = {"function": potential, "k": 20.0}
    p = lieflow.rigid_body(INERTIA, potential=law, method="exs", **BODY)
    for method in ("taylor", "vrkmk-gauss2"):
        with pytest.raises(lieflow.ProblemError, match="needs derivatives of the law, and a function has none"):
            lieflow.solve(p, method=method)
    with pytest.raises(lieflow.ProblemError, match="depends on the velocity"):
        lieflow.solve(lieflow.rigid_body(INERTIA, torque={"function": torque, "k": 1.0, "c": 0.0}, **BODY), method="exs")
    with pytest.raises(lieflow.ProblemError, match="cannot stand in a file"):
        p.save("top.toml")
    with pytest.raises(lieflow.ProblemError, match="no file can hold one"):
        lieflow.certify("rkmk4", p)
    with pytest.raises(lieflow.ProblemError, match="parameters.torque.function: found the text.*no file can hold one"):
        lieflow.solve('system = "rigid-body"\n[parameters]\ninertia = [1, 1, 1]\ntorque = { function = "f" }\n[initial]\nomega = [0, 0, 1]\n')


@pytest.mark.parametrize("law", [field, called_field])
def test_a_field_of_ones_own(law):
    wanted = lieflow.solve(by_formula("rkmk-dop853", omega=[0.2, 0, 5.0], tol=1e-12, step=None))
    r = lieflow.solve(top_field(law, method="rkmk-dop853", tol=1e-11, step=None))
    assert np.allclose(r["R"][-1], wanted.rotation[-1], atol=1e-9)
    assert np.allclose(np.swapaxes(r["R"], 1, 2) @ r["R"], np.eye(3), atol=1e-13)
    middle = r(0.5)["R"]
    assert np.allclose(middle.T @ middle, np.eye(3), atol=1e-9)
    # An implicit method: Newton's slopes are differences.
    implicit = lieflow.solve(top_field(law, method="rkmk-gl6"))
    assert np.allclose(implicit["R"][-1], wanted.rotation[-1], atol=1e-7)


def test_fields_on_other_spaces():
    turning = lieflow.System({"q": "S2", "x": "R1"}, field=lambda t, q, x: ([0, 0, 2.0], -x * t))
    r = lieflow.solve(turning.at(q=[1.0, 0, 0], x=2.0, method="rkmk4", step=0.01, until=1.0))
    assert np.allclose(r.q[-1], [np.cos(2), np.sin(2), 0]) and np.isclose(r.x[-1], 2 * np.exp(-0.5))
    for frame in ("body", "space"):
        twist = lambda X: [0.1, 0.2, 0.3, 1.0, 0.0, 0.0]  # noqa: E731
        moving = lieflow.System({"X": "SE(3)"}, field=twist, frame=frame)
        start = {"rotation": {"vector": [0.4, 0, 0]}, "position": [1.0, 2.0, 3.0]}
        r = lieflow.solve(moving.at({"X": start}, method="rkmk4", step=0.01, until=1.0))
        first = np.eye(4)
        first[:3, :3], first[:3, 3] = so3.exp([0.4, 0, 0]), [1.0, 2.0, 3.0]
        step = lieflow.se3.exp(twist(None))
        last = first @ step if frame == "body" else step @ first
        assert np.allclose(r["X_R"][-1], last[:3, :3]) and np.allclose(r["X_x"][-1], last[:3, 3])


@pytest.mark.parametrize("law", [field, called_field])
def test_studies(law):
    p = top_field(law, until=0.5)
    orders = lieflow.order(p, ["rkmk4", "cf4"], [0.02, 0.01, 0.005])
    assert all(abs(m["order"] - 4) < 0.3 for m in orders["methods"])
    lieflow.compare(p, ["rkmk4", "rkmk2-heun"], [0.02, 0.01, 0.005], rounds=1)
    body = lieflow.rigid_body(INERTIA, potential={"function": potential, "k": 20.0}, method="exs", **BODY)
    found = lieflow.drift(body, ["exs"], [0.01], until=10.0)
    assert found["methods"][0]["invariants"]["energy"]["verdict"] == "bounded"


def test_ensembles(tmp_path):
    vary = {"initial.P": {"uniform": [[-1, -1, 20], [1, 1, 60]]}}
    for law in (field, called_field):
        p = top_field(law, method="rkmk4", until=0.1)
        e = lieflow.ensemble(p, vary=vary, count=20, seed=3)
        assert e.complete and not e.failures
        one = p.replace({"initial.P": [e.inputs[f"initial.P[{k}]"][7] for k in (1, 2, 3)]})
        assert e["P_z"][7] == lieflow.solve(one).P[-1, 2]
        with ThreadPoolExecutor(2) as engine:
            again = lieflow.ensemble(p, vary=vary, count=20, seed=3, engine=engine, block=10)
        assert again.observed.tobytes() == e.observed.tobytes()
    with ProcessPoolExecutor(1) as engine:
        again = lieflow.ensemble(p, vary=vary, count=20, seed=3, engine=engine, block=10)
        assert again.observed.tobytes() == e.observed.tobytes()
        with pytest.raises(lieflow.ProblemError, match="means nothing in another process"):
            lieflow.ensemble(top_field(method="rkmk4"), vary=vary, count=20, engine=engine, block=10)
    with pytest.raises(lieflow.ProblemError, match="out: found a problem that calls a function"):
        lieflow.ensemble(p, vary=vary, count=20, out=tmp_path / "blocks")
    # Bodies are not packed into lanes, and have the bits of single runs.
    body = lieflow.rigid_body(INERTIA, potential={"function": potential, "k": 20.0}, method="exs", **BODY)
    e = lieflow.ensemble(body, vary={"initial.omega": [[0, 0, 5.0], [0, 0, 6.0], [0, 0.1, 7.0]]})
    assert e["omega_z"][1] == lieflow.solve(body.replace({"initial.omega": [0, 0, 6.0]})).omega[-1, 2]


class Enough(Exception):
    pass


@pytest.mark.parametrize("method, pace", [("rkmk4", {"step": 0.01}), ("rkmk-dp54", {"tol": 1e-9, "step": None}), ("rkmk-gl4", {"step": 0.01})])
def test_exceptions_come_out_unchanged(method, pace):
    raised = Enough("enough")

    def breaks(t, R, P):
        if t > 0.5:
            raise raised
        return P, 0 * P

    with pytest.raises(Enough) as caught:
        lieflow.solve(top_field(breaks, method=method, **pace))
    assert caught.value is raised and 0.3 < caught.value.result.t[-1] <= 0.51
    assert caught.value.__traceback__ is not None

    def loses(t, R, P):
        return P, P * (np.nan if t > 0.5 else 0.0)

    with pytest.raises(lieflow.IntegrationError, match="motion.function: loses: found nan at t = 0.5") as caught:
        lieflow.solve(top_field(loses, method=method, **pace))
    assert 0.3 < caught.value.result.t[-1] <= 0.51
    with pytest.raises(lieflow.ProblemError, match="<lambda>: found 5 numbers, expected 6"):
        lieflow.solve(top_field(lambda P: (P, 0 * P[:2]), method=method, **pace))
    with pytest.raises(lieflow.ProblemError, match="no array of numbers"):
        lieflow.solve(top_field(lambda P: "nothing", method=method, **pace))
    with pytest.raises(Enough):
        lieflow.order(top_field(breaks, **pace), ["rkmk4"], [0.01, 0.005, 0.0025])
    with pytest.raises(Enough):
        lieflow.ensemble(top_field(breaks, method="rkmk4"), vary={"initial.P": [[0, 0, 1.0], [0, 0, 2.0]]})


def test_wrong_functions():
    other = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(lambda t: t)
    with pytest.raises(lieflow.ProblemError, match="found a function with the arguments.*expected void"):
        top_field(other)
    untyped = ctypes.CDLL(None).abs
    with pytest.raises(lieflow.ProblemError, match="no argtypes"):
        top_field(untyped)
    with pytest.raises(lieflow.ProblemError, match="found the address 0"):
        top_field(0)
    with pytest.raises(lieflow.ProblemError, match="no value is called 'omega'; there are: t, R, P, inertia, strength"):
        top_field(lambda omega: omega)
    with pytest.raises(lieflow.ProblemError, match="formula|function"):
        lieflow.rigid_body(INERTIA, torque={"function": torque, "formula": "w"}, method="rkmk4", **BODY).check()


def test_problems_with_functions_are_values():
    p = top_field(called_field, method="rkmk4")
    assert p == top_field(called_field, method="rkmk4") or p == p
    assert hash(p) == hash(p) and callable(p.to_dict()["motion"]["function"])
    again = pickle.loads(pickle.dumps(p))
    assert lieflow.solve(again)["R"].tobytes() == lieflow.solve(p)["R"].tobytes()
    assert "called_field" in lieflow.solve(p).html()
    # Several threads call the same function.
    found = {}

    def work(k):
        found[k] = lieflow.solve(p)["P"].tobytes()

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert len(set(found.values())) == 1 and len(found) == 4


def test_a_function_may_run_something_itself():
    inner = lieflow.Problem("free").replace(until=0.01, step=0.01)

    def nested(P):
        lieflow.solve(inner)
        return P, 0 * P

    assert lieflow.solve(top_field(nested, method="rkmk4", until=0.05)).success


def test_compiled_c(tmp_path):
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no compiler")
    (tmp_path / "law.c").write_text(SOURCE)
    subprocess.run([compiler, "-O2", "-shared", "-fPIC", "law.c", "-o", "law.so"], cwd=tmp_path, check=True)
    library = ctypes.CDLL(str(tmp_path / "law.so"))
    for name in ("top", "potential", "field"):
        function = getattr(library, name)
        function.argtypes, function.restype = [ctypes.c_double, POINTER, POINTER, POINTER], None
    r = lieflow.solve(top_field(library.field, method="rkmk4"))
    assert r["P"].tobytes() == lieflow.solve(top_field(field, method="rkmk4"))["P"].tobytes()
    bare = lieflow.rigid_body(INERTIA, torque={"function": library.top, "k": 20.0, "c": 0.1}, method="cf4", **BODY)
    assert close(lieflow.solve(bare), lieflow.solve(by_formula("cf4", friction=True)))


def test_numba():
    numba = pytest.importorskip("numba")
    from numba import types

    pointer = types.CPointer(types.double)

    @numba.cfunc(types.void(types.double, pointer, pointer, pointer))
    def law(t, y, p, out):
        out[0], out[1], out[2] = p[0] * y[7], -p[0] * y[6], 0.0

    common = dict(method="rkmk4", **BODY)
    r = lieflow.solve(lieflow.rigid_body(INERTIA, torque={"function": law, "k": 20.0}, **common))
    assert close(r, lieflow.solve(by_formula("rkmk4")))

    @numba.cfunc(types.double(types.double))
    def wrong(t):
        return t

    with pytest.raises(lieflow.ProblemError, match="expected void"):
        lieflow.rigid_body(INERTIA, torque=wrong, **common)

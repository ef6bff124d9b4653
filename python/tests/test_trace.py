"""Functions of Python become the formulas that one would write."""

import math

import numpy as np
import pytest

import lieflow
from lieflow._trace import formula

NAMES = {"R": "matrix", "w": "vector", "t": "number", "m": "number", "J": "matrix", "x": "vector"}


def text(function):
    return formula(function, NAMES, "f")[0]


@pytest.mark.parametrize(
    ("function", "written"),
    [
        (lambda R, m: m * 9.81 * R[2, 2], "m*9.81*R[3,3]"),
        (lambda R: (R @ np.array([0, 0, 1.0]))[2], "(R*[0, 0, 1])[3]"),
        (lambda w: -0.5 * w, "-0.5*w"),
        (lambda w, m: -(w + m), "-(w + [m, m, m])"),
        (lambda w, x: np.cross(w, x) - (x - w), "cross(w, x) - (x - w)"),
        (lambda w, J: 0.5 * w @ J @ w, "dot(transpose(J)*(0.5*w), w)"),
        (lambda w, J: 0.5 * np.dot(w, J @ w), "0.5*dot(w, J*w)"),
        (lambda R, w: R.T @ w, "transpose(R)*w"),
        (lambda t: np.sin(2 * np.pi * t) ** 2, f"sin({2 * math.pi!r}*t)^2"),
        (lambda t, m: 1 / (1 + t * t) / m, "1/(1 + t*t)/m"),
        (lambda t: np.where(t < 1, t, 2.0), "if(t < 1, t, 2)"),
        (lambda t: np.where(t <= 1, t, 2.0), "if(t > 1, 2, t)"),
        (lambda w: w / np.linalg.norm(w), "w/norm(w)"),
        (lambda w, x: w * x, "[w[1]*x[1], w[2]*x[2], w[3]*x[3]]"),
        (lambda w, t: [w[0], np.exp(-t), 0.0], "[w[1], exp(-t), 0]"),
        (lambda R: np.trace(R) + np.linalg.det(R), "trace(R) + det(R)"),
        (lambda R: R[:, 2], "[R[1,3], R[2,3], R[3,3]]"),
        (lambda w: np.array([0.0, 0.0, 2.0]) @ w, "dot([0, 0, 2], w)"),
        (lambda w: sum(w), "0 + w[1] + w[2] + w[3]"),
        (lambda t: np.sqrt(abs(t)) ** -1.5, "sqrt(abs(t))^(-1.5)"),
        (lambda t, w: np.sin(np.array([t, w[0], 2 * t])), "[sin(t), sin(w[1]), sin(2*t)]"),
        (lambda m: 3, "3"),
    ],
)
def test_texts(function, written):
    assert text(function) == written


def test_what_is_used_again_is_written_once():
    def longer(w, x, t):
        a = np.cross(w, x) + np.cross(x, w) * t
        for _ in range(30):
            a = a + np.cross(a, a)
        return np.dot(a, a)

    body, definitions = formula(longer, NAMES, "torque")
    assert len(definitions) == 31 and sum(map(len, definitions.values())) < 3000
    assert body == "dot(torque_part31, torque_part31)"


def decides(t):
    if t > 1:
        return t
    return 0.0


def by_math(t):
    return math.sin(t)


def unknown(t, zz):
    return t


def wrong(R, w):
    return R + w


def fails(t):
    return [1, 2, 3][7] * t


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (decides, r"test_trace.py:\d+: a decision depends on the state"),
        (by_math, r"test_trace.py:\d+: .*functions of numpy, not of math"),
        (unknown, "no value is called 'zz'; there are: J, R"),
        (wrong, r"test_trace.py:\d+: cannot combine a matrix and a vector"),
        (fails, r"(?s)test_trace.py:\d+: IndexError.*return \[1, 2, 3\]"),
        (lambda t: np.fft.fft(t), "formulas have no numpy.fft|cannot be traced"),
        (lambda t: np.arange(4) * t, "shape"),
        (lambda *t: 1.0, "has no names"),
    ],
)
def test_refused_with_the_line(function, said):
    with pytest.raises(lieflow.ProblemError, match=said):
        text(function)


def test_a_body_by_functions_has_the_bits_of_its_formulas():
    common = dict(
        inertia=[5.0, 5.0, 1.0], rotation=[0.3, 0, 0], omega=[0, 0, 50.0], method="rkmk4", step=0.01, until=1.0
    )
    by_text = lieflow.rigid_body(
        **common,
        potential={"formula": "m*9.81*R[3,3]", "m": 2.0},
        torque={"formula": "-c*w", "c": 0.01},
        observables={"power": "dot(w, -0.01*w)"},
    )
    by_function = lieflow.rigid_body(
        **common,
        potential={"formula": lambda R, m: m * 9.81 * R[2, 2], "m": 2.0},
        torque={"formula": lambda w, c: -c * w, "c": 0.01},
        observables={"power": lambda w: np.dot(w, -0.01 * w)},
    )
    assert by_function == by_text
    a, b = lieflow.solve(by_text), lieflow.solve(by_function)
    assert a.rotation.tobytes() == b.rotation.tobytes() and a.power.tobytes() == b.power.tobytes()
    bare = lieflow.rigid_body(**common, potential=lambda R: 19.62 * R[2, 2])
    assert lieflow.solve(bare).success
    # A problem by functions is a file as any other.
    assert lieflow.Problem(by_function.to_toml()) == by_text


def test_systems_of_ones_own():
    pendulum = lieflow.System(
        {"q": "S2"},
        mass=lambda m, l: m * l**2,
        potential=lambda q, m, g, l: m * g * l * q[2],
        parameters={"m": 1.0, "l": 2.0, "g": 9.81},
    )
    p = pendulum.at(q=[0.6, 0.0, -0.8], dq=[0.0, 1.0, 0.0], method="rkmk4", step=0.005, until=2.0)
    r = lieflow.solve(p)
    assert r.success and np.allclose(np.linalg.norm(r.q, axis=1), 1)
    energy = next(iter(r.invariants.values()))
    assert np.ptp(energy) < 1e-5

    def energy_of_two(P, R, J, k):
        spring = R[0] @ np.array([0, 0, 1.0]) - R[1] @ np.array([0, 0, 1.0])
        return sum(0.5 * np.dot(P[i], np.linalg.inv(J) @ P[i]) for i in range(2)) + 0.5 * k * spring @ spring

    two = lieflow.custom(
        {"R": {"space": "SO(3)", "count": 2}, "P": {"momentum": "R"}},
        {"R": [{"vector": [0.1, 0, 0]}, {"vector": [0, 0.4, 0]}], "P": [[0, 0, 1.0], [0, 0.5, 0]]},
        hamiltonian=energy_of_two,
        parameters={"J": {"diagonal": [2.0, 1.5, 1.0]}, "k": 5.0},
        solve={"method": "rkmk-gl4", "step": 0.02, "until": 1.0},
    )
    r = lieflow.solve(two)
    assert r["R"].shape[1:] == (2, 3, 3) and r["R_2"].tobytes() == r["R"][:, 1].tobytes()
    assert np.ptp(next(iter(r.invariants.values()))) < 1e-6

    bloch = lieflow.System({"r": "S2"}, field={"r": {"turn": lambda t, rabi: [rabi * np.exp(-(t**2)), 0, t]}}, parameters={"rabi": 4.0})
    assert lieflow.solve(bloch.at(r=[0, 0, 1.0], method="rkmk4", step=0.02, until=2.0)).success

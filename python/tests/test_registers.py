"""Steps that nobody watches may be made in other registers: their bits are the same."""

import numpy as np
import pytest

import lieflow

LAWS = {
    "top": {"potential": {"kind": "lagrange-top", "strength": 20.0}},
    "linear": {"potential": {"kind": "linear", "strength": 3.0, "axis": [0.1, 0.2, 1.0], "direction": [0.3, 0.0, 1.0]}},
    "wall": {"potential": {"kind": "soft-wall", "attraction": 1.0, "repulsion": 0.1, "offset": 1.5, "power": 4}},
    "attractor": {"potential": {"kind": "attractor", "alpha": 0.1, "center": {"vector": [0.5, 1.0, 0.2]}}},
    "one row": {"potential": "20*R33 + 0.5*R33^2"},
    "another row": {"potential": "2*R13 + 0.3*R11*R12"},
    "many rows": {"potential": "20*R33 + 0.1*R13*R21"},
    "timed torque": {"torque": "[sin(3*t)*R13 - 0.1*w1, 0.2*R11*P2, -0.1*w3]"},
    "traced beside a field": {
        "potential": {"kind": "lagrange-top", "strength": 20.0},
        "torque": lambda R, w, t: (0.1 * R[2, 0], -0.2 * w[1], 0.1 * t),
    },
    "called": {"torque": {"function": lambda R, k: (k * R[2, 1], -k * R[2, 0], 0.0), "k": 20.0}},
}


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("method", ["rkmk4", "rkmk4-casas-owren", "exs@bm4", "exs@rkn6a"])
def test_bits_do_not_depend_on_who_looks(name, method):
    p = lieflow.rigid_body([5.0, 5.0, 1.0], rotation=[0.3, 0.2, 0.1], omega=[0.3, -0.2, 9.0], **LAWS[name])
    try:
        looked = lieflow.solve(p, method=method, step=0.01, until=2.0, every=1)
    except lieflow.ProblemError:
        assert method.startswith("exs"), "methods for bodies alone refuse torques of the motion"
        return
    other = lieflow.solve(p, method=method, step=0.01, until=2.0, every=10**9, watch=False)
    for part in ("rotation", "momentum"):
        assert np.array_equal(looked[part][-1], other[part][-1]), part

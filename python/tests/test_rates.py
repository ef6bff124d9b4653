"""Attitude from angular velocities."""

import lieflow
import numpy as np
import pytest


def coning(n):
    t = np.linspace(0.0, 2.0, n)
    s, c = np.sin(3 * t), np.cos(3 * t)
    w = 3 * np.stack([-np.sin(0.6) * s, np.sin(0.6) * c, np.full(n, -2 * np.sin(0.3) ** 2)], 1)
    return t, w, lieflow.so3.exp(0.6 * np.stack([c, s, 0 * t], 1))


@pytest.mark.parametrize("order", [2, 4, 6])
def test_order(order):
    def error(n):
        t, w, exact = coning(n)
        return abs(lieflow.attitude(t, w, order=order, rotation=exact[0]).rotation - exact).max()

    assert abs(np.log2(error(101) / error(201)) - order) < 0.2


def test_bias():
    t, w, exact = coning(50)
    known = lieflow.attitude(t, w, bias_sigma=[1e-3, 0, 0])
    other = lieflow.attitude(t, w, bias=[1e-6, 0, 0])
    turn = lieflow.so3.log(known.rotation[-1].T @ other.rotation[-1])
    assert np.allclose(turn * 1e6, known.bias_derivative[-1][:, 0], atol=1e-5)
    assert np.isclose(known.covariance[-1][0, 0], (1e-3 * known.bias_derivative[-1][0, 0]) ** 2)
    assert other.covariance is None


def test_refused():
    t, w, _ = coning(50)
    for change in (
        {"order": 5},
        {"frame": "wing"},
        {"measured": "x"},
        {"bias": [0, 0]},
        {"rotation": np.ones((3, 3))},
    ):
        with pytest.raises(lieflow.ProblemError):
            lieflow.attitude(t, w, **change)
    with pytest.raises(lieflow.ProblemError, match="sample 3"):
        lieflow.attitude(np.r_[t[:2], t[1:49]], w)
    with pytest.raises(lieflow.ProblemError, match="at least 6"):
        lieflow.attitude(t[:3], w[:3])

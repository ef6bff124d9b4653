"""A program that a strict checker of types finds nothing wrong with: see ``test_types.py``."""

import numpy as np

import lieflow
from lieflow import so3


def main() -> float:
    top = lieflow.rigid_body(
        [5, 5, 1],
        rotation=[0.3, 0, 0],
        omega=np.array([0, 0, 50.0]),
        potential={"kind": "lagrange-top", "strength": 20},
        torque=lambda w: -0.01 * w,
        method="rkmk4",
        step=0.01,
        until=0.1,
    )
    r: lieflow.Result = lieflow.solve(top, t_eval=np.linspace(0, 0.1, 5))
    turned = so3.exp(r.omega)
    e = lieflow.ensemble("fast-top", vary={"initial.omega": [[0, 0, 40.0]]}, method="exs", step=0.1, until=0.1)
    pendulum = lieflow.System({"q": "S2"}, field=lambda q: np.array([0.0, 0.0, 1.0]))
    s = lieflow.solve(pendulum.at(q=[1, 0, 0]), method="cf4", step=0.1, until=0.1)
    orders = lieflow.order(top, ["rkmk4"], [0.1, 0.05, 0.025])
    try:
        lieflow.solve("none")
    except lieflow.ProblemError as error:
        print(error)
    return float(turned.sum() + e["energy"][0] + s.q[-1, 0] + len(orders["methods"]) + r.omega[-1, 2])


if __name__ == "__main__":
    print(main())

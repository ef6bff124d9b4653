"""Structure-preserving integration of mechanical systems on Lie groups.

>>> import lieflow
>>> r = lieflow.solve("fast-top")
>>> r.t, r["rotation"], r.invariants["energy"], r.final
"""

from . import s2, se2, se3, se23, sim3, so2, so3
from ._ensemble import Ensemble, ensemble
from ._lieflow import IntegrationError, ProblemError, __version__
from ._problem import Problem, problems
from ._rates import Attitude, attitude
from ._result import Event, Result
from ._solve import solve
from ._studies import certify, compare, drift, methods, order, reproduce
from ._systems import (
    System,
    bloch,
    custom,
    dipoles,
    euclidean,
    heavy_top,
    kirchhoff,
    landau_zener,
    macrospin,
    pendulum_chain,
    reduced_body,
    rigid_body,
    so_n_body,
    spin_ring,
    toda,
    vortices,
)

__all__ = [
    "Attitude",
    "Ensemble",
    "Event",
    "IntegrationError",
    "Problem",
    "ProblemError",
    "Result",
    "System",
    "__version__",
    "attitude",
    "bloch",
    "certify",
    "compare",
    "custom",
    "dipoles",
    "drift",
    "ensemble",
    "euclidean",
    "heavy_top",
    "kirchhoff",
    "landau_zener",
    "macrospin",
    "methods",
    "order",
    "pendulum_chain",
    "problems",
    "reduced_body",
    "reproduce",
    "rigid_body",
    "s2",
    "se2",
    "se23",
    "se3",
    "sim3",
    "so2",
    "so3",
    "so_n_body",
    "solve",
    "spin_ring",
    "toda",
    "vortices",
]

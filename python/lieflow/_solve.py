"""One trajectory."""

from __future__ import annotations


from typing import Literal

from numpy.typing import ArrayLike

from . import _lieflow
from ._methods import Method
from ._problem import Problem, ProblemLike
from ._progress import Progress, shown
from ._result import Result, keep


def solve(
    problem: ProblemLike,
    *,
    method: Method | None = None,
    step: float | None = None,
    tol: float | None = None,
    until: float | None = None,
    t_eval: ArrayLike | None = None,
    every: int | None = None,
    interval: float | None = None,
    from_: float | None = None,
    first_step: float | None = None,
    controller: Literal["I", "PI", "plain", "reversible", "symplectic"] | None = None,
    exponent: float | None = None,
    chart: Literal["exp", "cayley", "ccsk", "stereographic"] | None = None,
    dexpinv: Literal["exact"] | int | None = None,
    solver: Literal["newton", "fixed-point"] | None = None,
    estimate: Literal["natural", "state", "group"] | None = None,
    isotropy: str | None = None,
    conserve: str | None = None,
    exponential: Literal["exp", "cayley"] | None = None,
    polar: int | None = None,
    compensated: bool | None = None,
    max_steps: int | None = None,
    watch: bool = True,
    progress: Progress = False,
    check: bool = True,
) -> Result:
    """Integrates one problem and keeps its states.

    ``problem`` is the name of a built-in problem, a problem file, its text, a dict or a
    :class:`Problem`; every other argument replaces a key of its tables ``[solve]`` and ``[output]``.
    ``step`` is a fixed step, ``tol`` asks for adaptive ones. States are kept at ``t_eval``, at each
    ``every``-th step, or at even distances ``interval``.

    ``watch=False`` looks at the invariants at the states that are kept only, which is faster.
    ``progress`` is True for a bar, or a function of the time that is reached.

    Raises :class:`ProblemError` for what cannot be used, and :class:`IntegrationError` if the run
    fails; its ``result`` has what there is, and ``check=False`` returns that instead. After Ctrl-C
    the ``KeyboardInterrupt`` has it too.
    """
    changes = {k: v for k, v in locals().items() if k not in _NO_KEYS}
    asked = Problem._asked(problem, changes)
    with shown(progress, asked) as tell:
        out, error = _lieflow.solve(asked._given, watch, tell)
    result = Result(asked, out)
    if error is None or (isinstance(error, _lieflow.IntegrationError) and not check):
        return result
    raise keep(error, result)


_NO_KEYS = {"problem", "watch", "progress", "check"}


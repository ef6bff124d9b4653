"""Studies: the documents that the tool prints with ``--json``, as dicts."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from typing import Any

from . import _lieflow
from ._methods import Method
from ._problem import Problem, ProblemLike

Told = Callable[[float], Any]


def _cores(threads: int) -> int:
    """As many as there are, for zero."""
    if threads > 0:
        return threads
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _study(
    kind: str,
    problem: ProblemLike,
    changes: dict[str, Any],
    methods: Sequence[str] | None,
    steps: Sequence[float] | None,
    **more: Any,
) -> dict[str, Any]:
    asked = Problem._asked(problem, changes)
    # Methods and steps as NumPy has them are welcome too.
    named = [] if methods is None else [str(m) for m in methods]
    sized = [] if steps is None else [float(h) for h in steps]
    return dict(json.loads(_lieflow.study(kind, asked._given, named, sized, **more)))


def order(
    problem: ProblemLike,
    methods: Sequence[Method] | None = None,
    steps: Sequence[float] | None = None,
    *,
    until: float | None = None,
    all: bool = False,
    progress: Told | None = None,
) -> dict[str, Any]:
    """Convergence: error against step size for several methods, and observed orders."""
    return _study("order", problem, {"until": until}, methods, steps, all=all, progress=progress)


def drift(
    problem: ProblemLike,
    methods: Sequence[Method] | None = None,
    steps: Sequence[float] | None = None,
    *,
    until: float | None = None,
    all: bool = False,
    threads: int = 0,
    progress: Told | None = None,
) -> dict[str, Any]:
    """Long-time behaviour of every invariant: slope, amplitude, and whether it drifts."""
    more = {"all": all, "threads": _cores(threads), "progress": progress}
    return _study("drift", problem, {"until": until}, methods, steps, **more)


def compare(
    problem: ProblemLike,
    methods: Sequence[Method] | None = None,
    steps: Sequence[float] | None = None,
    *,
    until: float | None = None,
    all: bool = False,
    rounds: int = 3,
    progress: Told | None = None,
) -> dict[str, Any]:
    """Work against precision: cost and error of methods, and which one to pick."""
    more = {"all": all, "rounds": rounds, "progress": progress}
    return _study("compare", problem, {"until": until}, methods, steps, **more)


def certify(
    method: Method, problem: ProblemLike | None = None, *, step: float | None = None
) -> dict[str, Any]:
    """The structure of a one-step map, measured: symplecticity, symmetry, momentum, order."""
    source = None
    if problem is not None:
        asked = Problem(problem)
        name = problem if isinstance(problem, str) and "\n" not in problem else asked.title
        source = (name, asked._origin, asked.to_toml())
    return dict(json.loads(_lieflow.certify(method, source, step)))


def reproduce(
    what: str,
    *,
    quick: bool = False,
    out: str | os.PathLike[str] | None = None,
    threads: int = 0,
    progress: Told | None = None,
) -> dict[str, Any]:
    """Runs a published figure or table, all of a paper, or ``"all"`` again, and checks each claim.

    With ``out`` tables, figures and a page (``index.html``) go into that folder, as those of the tool
    do, and what is complete there is not computed again.
    """
    folder = None if out is None else os.fspath(out)
    return dict(json.loads(_lieflow.reproduce(what, quick, _cores(threads), folder, progress)))


def methods(system: str | None = None) -> list[str]:
    """The names of all methods, or of those that fit a system."""
    return [name for name, _, fits in _lieflow.methods() if system is None or system in fits]

"""The part of lieflow that is written in Rust: arrays in, arrays out."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

__version__: str

Settings = list[tuple[str, Any]]
Told = Callable[[float], Any] | None

class ProblemError(ValueError): ...

class IntegrationError(RuntimeError):
    result: Any

class Run:
    def html(self, name: str) -> str: ...

def problem_dict(problem: Any, origin: str, settings: Settings) -> dict[str, Any]: ...
def problem_toml(problem: Any, origin: str, settings: Settings) -> str: ...
def builtin_problem(name: str) -> str: ...
def builtin_problems() -> list[str]: ...
def unknown_problem(name: str) -> str: ...
def solve(
    problem: Any, origin: str, settings: Settings, watch: bool = True, progress: Told = None
) -> tuple[dict[str, Any], BaseException | None]: ...
def check(problem: Any, origin: str, settings: Settings) -> list[str]: ...
def explain(problem: Any, origin: str, settings: Settings) -> str: ...
def ensemble_layout(
    problem: Any, origin: str, settings: Settings, folder: str
) -> dict[str, Any]: ...
def ensemble_range(
    problem: Any,
    origin: str,
    settings: Settings,
    folder: str,
    start: int,
    stop: int,
    threads: int = 0,
    lanes: int | None = None,
    progress: Told = None,
) -> tuple[dict[str, Any], BaseException | None]: ...
def ensemble_statistics(
    times: list[float],
    names: list[str],
    quantiles: list[float],
    observed: NDArray[np.float64],
    rows: list[int],
) -> tuple[str, str]: ...
def ensemble_csv(
    head: str,
    first: int,
    t: float,
    inputs: NDArray[np.float64],
    last: NDArray[np.float64],
    reached: list[bool],
) -> str: ...
def study(
    kind: str,
    problem: Any,
    origin: str,
    settings: Settings,
    methods: list[str],
    steps: list[float],
    all: bool = False,
    rounds: int = 3,
    threads: int = 0,
    progress: Told = None,
) -> str: ...
def certify(method: str, problem: tuple[str, str, str] | None, step: float | None) -> str: ...
def reproduce(
    what: str, quick: bool = False, threads: int = 0, progress: Told = None
) -> str: ...
def methods() -> list[tuple[str, str, list[str]]]: ...
def tool(arguments: list[str]) -> int: ...
def group(name: str, x: NDArray[np.float64], y: NDArray[np.float64]) -> None: ...
def attitude(
    times: NDArray[np.float64],
    samples: NDArray[np.float64],
    order: int,
    space: bool,
    increments: bool,
    bias: list[float],
    start: list[list[float]],
    out: NDArray[np.float64],
) -> None: ...

"""The part of lieflow that is written in Rust: arrays in, arrays out."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

__version__: str

Settings = list[tuple[str, Any]]
#: A dict or a text, its name in messages, and what is laid over it.
Given = tuple[Any, str, Settings]
Told = Callable[[float], Any] | None

class ProblemError(ValueError): ...

class IntegrationError(RuntimeError):
    result: Any

class Run:
    def json(self) -> str: ...
    def html(self, name: str) -> str: ...

def problem_dict(given: Given) -> dict[str, Any]: ...
def problem_toml(given: Given) -> str: ...
def builtin_problems() -> list[tuple[str, str]]: ...
def unknown_problem(name: str) -> str: ...
def solve(
    given: Given, watch: bool = True, progress: Told = None
) -> tuple[dict[str, Any], BaseException | None]: ...
def check(given: Given) -> list[str]: ...
def explain(given: Given) -> str: ...
def ensemble_layout(
    given: Given, folder: str
) -> tuple[int, str, list[str], list[str], list[float], list[float]]: ...
def ensemble_range(
    given: Given,
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
    given: Given,
    methods: list[str],
    steps: list[float],
    all: bool = False,
    rounds: int = 3,
    threads: int = 1,
    progress: Told = None,
) -> str: ...
def certify(method: str, problem: tuple[str, str, str] | None, step: float | None) -> str: ...
def reproduce(
    what: str,
    quick: bool = False,
    threads: int = 1,
    out: str | None = None,
    progress: Told = None,
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

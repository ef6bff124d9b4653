"""Progress: a bar, or a function that is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Union

from ._problem import Problem

#: True for a bar, or a function of what is reached: a time, or a number of trajectories.
Progress = Union[bool, Callable[[float], Any]]


@contextmanager
def counted(progress: Progress, total: float, unit: str) -> Iterator[Callable[[float], Any] | None]:
    """What is told of the progress towards a total."""
    if not progress:
        yield None
    elif callable(progress):
        yield progress
    else:
        from tqdm.auto import tqdm

        with tqdm(total=total, unit=unit) as bar:

            def tell(reached: float) -> None:
                bar.update(reached - bar.n)

            yield tell
            bar.update(total - bar.n)


@contextmanager
def shown(progress: Progress, problem: Problem) -> Iterator[Callable[[float], Any] | None]:
    """What is told of the time that a run has reached."""
    if progress is not True:
        yield progress or None
        return
    table = problem.to_dict().get("solve", {})
    start, end = float(table.get("from", 0.0)), float(table.get("until", 1.0))
    with counted(True, abs(end - start), "t") as tell:
        assert tell is not None
        yield lambda t: tell(abs(t - start))

"""Many trajectories of one problem with varied data."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _blocks, _engines, _lieflow
from ._blocks import Block, Task
from ._lieflow import ProblemError
from ._methods import Method
from ._problem import Problem, ProblemLike
from ._progress import Progress, counted
from ._result import keep

if TYPE_CHECKING:
    import pandas
    import pyarrow
    import xarray

Array = NDArray[np.float64]


def ensemble(
    problem: ProblemLike,
    *,
    vary: Mapping[str, Any] | None = None,
    count: int | None = None,
    seed: int | None = None,
    times: ArrayLike | None = None,
    quantiles: ArrayLike | None = None,
    method: Method | None = None,
    step: float | None = None,
    tol: float | None = None,
    until: float | None = None,
    engine: Any = None,
    out: str | os.PathLike[str] | None = None,
    block: int | None = None,
    threads: int | None = None,
    lanes: int | None = None,
    progress: Progress = False,
) -> Ensemble:
    """Integrates many trajectories, on all cores and SIMD lanes, or in an engine.

    ``vary`` says for each key of the problem where its values come from, as ``[[ensemble.vary]]``
    does: ``{"initial.omega": {"uniform": [[-1, -1, 20], [1, 1, 60]]}}``; also ``normal``, ``sphere``,
    ``grid``, ``list`` and ``csv``, and a list or an array has one entry for each trajectory. What is
    not given is as in the table ``[ensemble]`` of the problem.

    ``engine`` is a ``concurrent.futures.Executor``, a Dask ``Client``, an mpi4py communicator (then
    every rank calls this, and rank 0 has the trajectories) or the module ``ray``. With ``out`` each
    block is a file in that folder, and blocks that are there are not computed again. The numbers are
    the same bits in all these ways.

    Trajectories that fail do not stop the others: see :attr:`Ensemble.failures`. After Ctrl-C the
    ``KeyboardInterrupt`` has what was complete as its ``result``.
    """
    changes: dict[str, Any] = {"method": method, "step": step, "tol": tol, "until": until}
    given = {"count": count, "seed": seed, "times": times, "quantiles": quantiles}
    changes.update({f"ensemble.{key}": value for key, value in given.items()})
    if vary is not None:
        changes["ensemble.vary"] = [_varied(key, how) for key, how in vary.items()]
    asked = Problem._asked(problem, changes)
    layout = _layout(asked)
    ranges = _blocks.cut(layout["count"], block)
    if engine is None and out is None and block is None:
        ranges = [(0, layout["count"])]
    from pathlib import Path

    folder = None if out is None else Path(out)
    if folder is not None:
        if asked._calls():
            raise ProblemError(
                "out: found a problem that calls a function, expected formulas: nobody could say whether "
                "blocks in the folder are those of this function"
            )
        _blocks.claim(folder, _manifest(asked, layout, ranges))
    many = 0 if engine is None else 1

    def task(start: int, stop: int) -> Task:
        cores = many if threads is None else threads
        source, settings = asked._source, asked._settings
        return Task(source, asked._origin, asked._folder, settings, start, stop, cores, lanes)

    done = {r[0]: b for r in ranges if folder and (b := _blocks.load(folder, *r)) is not None}
    tasks = [task(*r) for r in ranges if r[0] not in done]
    with counted(progress, layout["count"], "trajectories") as tell:
        before = sum(b.stop - b.start for b in done.values())

        def take(answer: Any) -> None:
            nonlocal before
            if not isinstance(answer, Block):
                assert folder is not None
                answer = _blocks.load(folder, *answer)
            done[answer.start] = answer
            before += answer.stop - answer.start
            if tell is not None:
                tell(before)

        try:
            if engine is None:
                for one in tasks:
                    heard = None if tell is None else (lambda n, at=before: tell(at + n))
                    found, error = _blocks.compute(one, heard)
                    if error is None and folder is not None:
                        _blocks.save(folder, found)
                    take(found)
                    if error is not None:
                        raise error
            elif _engines.is_communicator(engine):
                _engines.on_ranks(engine, tasks, None if folder is None else str(folder), take)
            else:
                where = None if folder is None else str(folder)
                for answer in _engines.answers(engine, tasks, where):
                    take(answer)
        except BaseException as error:
            raise keep(error, _joined(asked, layout, done, partial=True)) from None
    return _joined(asked, layout, done, partial=engine is not None)


def _layout(problem: Problem) -> dict[str, Any]:
    names = ("count", "head", "inputs", "observables", "times", "quantiles")
    return dict(zip(names, _lieflow.ensemble_layout(problem._given, problem._folder)))


def _varied(key: str, how: Any) -> dict[str, Any]:
    return {"key": key, **how} if isinstance(how, Mapping) else {"key": key, "list": how}


def _manifest(problem: Problem, layout: Mapping[str, Any], ranges: list[Any]) -> dict[str, Any]:
    return {
        "version": _lieflow.__version__,
        "count": layout["count"],
        "block": ranges[0][1] - ranges[0][0],
        "inputs": layout["inputs"],
        "observables": layout["observables"],
        "times": layout["times"],
        "problem": problem.to_dict(),
    }


def _joined(problem: Problem, layout: Mapping[str, Any], done: dict[int, Block], partial: bool) -> Ensemble:
    blocks: list[Block] = []
    # Only what follows the first trajectory without a gap can be one table.
    for start in sorted(done):
        if start != (blocks[-1].stop if blocks else 0):
            break
        blocks.append(done[start])
    if not blocks:
        shape = (len(layout["times"]), len(layout["observables"]), 0)
        none = (np.zeros((len(layout["inputs"]), 0)), np.zeros(shape))
        blocks = [Block(0, *none, np.zeros(0, np.uint32), np.zeros(0, np.uint64), [])]
    return Ensemble(problem, layout, _blocks.join(blocks))


class Ensemble:
    """Trajectories as columns: ``e["energy_error"]`` at the end, ``e.inputs["initial.omega[3]"]``."""

    #: The problem, with its design.
    problem: Problem
    #: When the trajectories are observed; the end is the last.
    times: Array
    #: The names of the observables.
    names: list[str]
    #: The varied numbers, ``(count,)`` each.
    inputs: dict[str, Array]
    #: All observables, ``(time, observable, trajectory)``; NaN where a trajectory was not reached.
    observed: Array
    #: How many of the times each trajectory reached.
    rows: NDArray[np.uint32]
    #: The steps of each trajectory.
    steps: NDArray[np.uint64]
    #: Index, last good time and reason of each trajectory that failed.
    failures: list[tuple[int, float, str]]

    def __init__(self, problem: Problem, layout: Mapping[str, Any], block: Block) -> None:
        self.problem = problem
        self.times = np.asarray(layout["times"], dtype=float)
        self.names = list(layout["observables"])
        self.inputs = dict(zip(layout["inputs"], block.inputs))
        self.observed, self.rows, self.steps = block.observed, block.rows, block.steps
        self.failures = block.failures
        self._head, self._quantiles = layout["head"], list(layout["quantiles"])
        self._count = int(layout["count"])

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def complete(self) -> bool:
        """Whether all trajectories are there; not after an interruption."""
        return len(self) == self._count

    def __getitem__(self, name: str) -> Array:
        return self.at(-1)[name] if name not in self.inputs else self.inputs[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def at(self, time: int) -> dict[str, Array]:
        """The observables at the time with this index, ``(count,)`` each."""
        return dict(zip(self.names, self.observed[time]))

    @cached_property
    def _statistics(self) -> tuple[str, str]:
        return _lieflow.ensemble_statistics(
            self.times.tolist(),
            self.names,
            self._quantiles,
            np.ascontiguousarray(self.observed),
            self.rows.tolist(),
        )

    def statistics(self) -> list[dict[str, Any]]:
        """Mean, deviation, extremes and quantiles of every observable at every time."""
        return list(json.loads(self._statistics[1]))

    def statistics_csv(self) -> str:
        """The file ``statistics.csv`` of the tool, the same bytes."""
        return self._statistics[0]

    def final_csv(self) -> str:
        """The file ``final.csv`` of the tool, the same bytes."""
        inputs = np.array(list(self.inputs.values())).reshape(len(self.inputs), len(self))
        return _lieflow.ensemble_csv(
            self._head,
            0,
            float(self.times[-1]),
            inputs,
            np.ascontiguousarray(self.observed[-1]),
            (self.rows == len(self.times)).tolist(),
        )

    def _columns(self, time: int) -> dict[str, Any]:
        index = np.arange(len(self))
        return {"index": index, **self.inputs, **self.at(time), "steps": self.steps}

    def to_pandas(self, time: int = -1) -> pandas.DataFrame:
        """A row for each trajectory at one time, the end unless given."""
        import pandas as pd

        return pd.DataFrame(self._columns(time)).set_index("index")

    def to_arrow(self, time: int = -1) -> pyarrow.Table:
        """The same as a table of Arrow."""
        import pyarrow as pa

        return pa.table(self._columns(time))

    def to_parquet(self, path: str | os.PathLike[str], time: int = -1) -> None:
        """The same as a file; bytes of the numbers are split, which packs doubles best."""
        import pyarrow.parquet as pq

        table = self.to_arrow(time)
        doubles = [name for name, kind in zip(table.column_names, table.schema.types) if kind == "double"]
        pq.write_table(
            table, path, compression="zstd", use_dictionary=False, use_byte_stream_split=doubles
        )

    def to_xarray(self) -> xarray.Dataset:
        """All times: observables over ``t`` and ``trajectory``, varied numbers over ``trajectory``."""
        import xarray as xr

        data: dict[str, Any] = {
            name: (("t", "trajectory"), self.observed[:, k]) for k, name in enumerate(self.names)
        }
        data.update({name: ("trajectory", column) for name, column in self.inputs.items()})
        return xr.Dataset(data, coords={"t": self.times, "trajectory": np.arange(len(self))})

    def __repr__(self) -> str:
        return (
            f"<lieflow.Ensemble of {self.problem.title!r}: {len(self)} trajectories, "
            f"{len(self.failures)} failed, {len(self.names)} observables at {len(self.times)} times>"
        )

"""What a run yields."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _lieflow
from ._lieflow import IntegrationError, ProblemError

if TYPE_CHECKING:
    import pandas
    import xarray

    from ._problem import Problem

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Event:
    """Something that happened during a run."""

    name: str
    t: float
    state: dict[str, Array]


class Result:
    """A trajectory: ``r.t``, ``r["rotation"]`` or ``r.rotation``, one entry for each time.

    ``r(t)`` gives the states at other times by the dense output of the method.
    """

    #: The times of the states that were kept.
    t: Array
    #: The named parts of the states, ``(n, ...)`` each.
    parts: dict[str, Array]
    #: What the problem asks to be observed, ``(n, ...)`` each.
    observables: dict[str, Array]
    #: The invariants at these times, ``(n,)`` each.
    invariants: dict[str, Array]
    #: What was solved.
    problem: Problem

    def __init__(self, problem: Problem, out: Mapping[str, Any]) -> None:
        self.problem = problem
        self.t = out["t"]
        self.parts, self.observables = out["parts"], out["observables"]
        self.invariants = out["invariants"]
        self._run: _lieflow.Run | None = out["run"]

    @cached_property
    def info(self) -> dict[str, Any]:
        """The document of ``lieflow run --json``."""
        # Written down when somebody asks: a short run takes less time than its document.
        assert self._run is not None
        return dict(json.loads(self._run.json()))

    @property
    def final(self) -> dict[str, Array]:
        """The last state, with its time ``t``."""
        return _state(self.info["state"])

    @property
    def success(self) -> bool:
        """Whether the run reached its end, or an event that ends it."""
        return "failure" not in self.info

    @property
    def message(self) -> str:
        """How the run ended."""
        return str(self.info.get("failure", f"ended by the {self.info.get('ended', 'end')}"))

    @property
    def events(self) -> list[Event]:
        """What happened, in order."""
        found = self.info.get("events", [])
        return [Event(e["name"], float(e["t"]), _state(e["state"])) for e in found]

    def _arrays(self) -> dict[str, Array]:
        return {**self.invariants, **self.observables, **self.parts}

    def __getitem__(self, name: str) -> Array:
        if name == "t":
            return self.t
        arrays = self._arrays()
        if f"{name}_1" in arrays and name not in arrays:
            # Several rotations or motions are parts of their own; together they are one array.
            items = [arrays[key] for k in range(1, len(arrays) + 1) if (key := f"{name}_{k}") in arrays]
            return np.stack(items, axis=1)
        if name not in arrays:
            raise KeyError(f"{name!r}; there are: {', '.join(arrays)}")
        return arrays[name]

    def __getattr__(self, name: str) -> Array:
        # Asked only for what is not there otherwise; not before everything is.
        if not name.startswith("_") and "parts" in self.__dict__ and name in self._arrays():
            return self[name]
        raise AttributeError(f"a result has no {name!r}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._arrays()]

    def __contains__(self, name: object) -> bool:
        return name == "t" or name in self._arrays()

    def __iter__(self) -> Iterator[str]:
        return iter(["t", *self._arrays()])

    def __len__(self) -> int:
        return len(self.t)

    def __call__(self, t: ArrayLike) -> dict[str, Array]:
        """The states at these times, by the dense output of the method: the run is made once more.

        For one time the parts have their own shapes, for an array of times one more axis.
        """
        times = np.asarray(t, dtype=float)
        first, last = self.info["from"], self.info["state"]["t"]
        low, high = min(first, last), max(first, last)
        if times.size == 0 or not np.all((times >= low) & (times <= high)):
            raise ProblemError(f"found times outside of the run, expected times from {low} to {high}")
        unique, places = np.unique(times, return_inverse=True)
        problem = self.problem.replace(t_eval=unique if last > first else unique[::-1])
        out, error = _lieflow.solve(problem._given, False)
        if error is not None and len(out["t"]) < len(unique):
            raise error
        order = places if last > first else len(unique) - 1 - places
        order = order.reshape(times.shape)
        arrays = {**out["invariants"], **out["observables"], **out["parts"]}
        return {"t": times, **{name: array[order] for name, array in arrays.items()}}

    def html(self) -> str:
        """The interactive report, one page that needs nothing else."""
        if self._run is None:
            # After pickling: the run is made once more, as far as it went.
            out, _ = _lieflow.solve(self.problem._given)
            self._run = out["run"]
        assert self._run is not None
        return self._run.html(self.problem.title)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the report (``.html``) or all arrays (``.npz``)."""
        from pathlib import Path

        path = Path(path)
        if path.suffix == ".html":
            path.write_text(self.html(), encoding="utf-8")
        elif path.suffix == ".npz":
            arrays: dict[str, Any] = {"t": self.t, **self._arrays()}
            np.savez(path, **arrays)
        else:
            raise ProblemError(f"{path}: found the ending {path.suffix!r}, expected .html or .npz")

    def to_pandas(self) -> pandas.DataFrame:
        """A table with a column for each number, the times as index."""
        import pandas as pd

        columns: dict[str, Array] = {}
        for name, array in self._arrays().items():
            flat = array.reshape(len(self.t), -1)
            for k, place in enumerate(np.ndindex(*array.shape[1:])):
                columns["_".join([name, *(str(i + 1) for i in place)])] = flat[:, k]
        return pd.DataFrame(columns, index=pd.Index(self.t, name="t"))

    def to_xarray(self) -> xarray.Dataset:
        """A dataset over ``t``."""
        import xarray as xr

        def dims(name: str, array: Array) -> tuple[str, ...]:
            return ("t", *(f"{name}_{k}" for k in range(1, array.ndim)))

        data = {name: (dims(name, array), array) for name, array in self._arrays().items()}
        keys = ("system", "method", "steps", "rejected", "manifold_error")
        attributes = {key: self.info[key] for key in keys}
        return xr.Dataset(data, coords={"t": self.t}, attrs={**attributes, "title": self.problem.title})

    def plot(self, *names: str, axes: Any = None) -> Any:
        """Draws parts, or all vectors and the errors of the invariants; needs matplotlib."""
        import matplotlib.pyplot as plt

        drawn = list(names) or [n for n, a in self.parts.items() if a.ndim <= 2]
        count = len(drawn) + (0 if names or not self.invariants else 1)
        if axes is None:
            _, axes = plt.subplots(count, 1, sharex=True, squeeze=False, figsize=(8, 2.2 * count))
        axes = np.ravel(axes)
        for axis, name in zip(axes, drawn):
            array = self[name].reshape(len(self.t), -1)
            axis.plot(self.t, array, label=[f"{name} {k + 1}" for k in range(array.shape[1])])
            axis.set_ylabel(name)
        if count > len(drawn):
            for name, values in self.invariants.items():
                error = np.abs(values - values[:1])
                axes[count - 1].semilogy(self.t, np.where(error > 0, error, np.nan), label=name)
            axes[count - 1].set_ylabel("|error|")
            axes[count - 1].legend()
        axes[-1].set_xlabel("t")
        return axes

    def _repr_html_(self) -> str:
        import html

        page = html.escape(self.html(), quote=True)
        # The page runs its own scripts, and can reach neither the notebook nor the network.
        return (
            f'<iframe srcdoc="{page}" sandbox="allow-scripts" '
            'style="width:100%;height:720px;border:1px solid #ccc"></iframe>'
        )

    def __repr__(self) -> str:
        info = self.info
        worst = max((q["max_error"] or 0.0 for q in info["invariants"].values()), default=0.0)
        return (
            f"<lieflow.Result {info['system']} with {info['method']}: {info['steps']} steps, "
            f"{len(self.t)} states, {self.message}; invariants kept to {worst:.1e}>"
        )

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "info": self.info, "_run": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)


def _state(parts: Mapping[str, Any]) -> dict[str, Array]:
    return {name: np.asarray(value, dtype=float) for name, value in parts.items()}


def keep(error: BaseException, result: Any) -> BaseException:
    """The error with what there is."""
    error.result = result  # type: ignore[attr-defined]
    return error


# An error that has no result says so.
IntegrationError.result = None

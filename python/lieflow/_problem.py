"""Problems as data: what a problem file says, from a name, a file, a text or a dict."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from functools import cache
from typing import Any, Union

from . import _lieflow
from ._lieflow import ProblemError
from ._trace import without_functions

#: What the functions take as a problem.
ProblemLike = Union["Problem", str, "os.PathLike[str]", Mapping[str, Any]]

Settings = tuple[tuple[str, Any], ...]

#: Keys with short names, as options of the tool have them.
SHORT = {
    "method": "solve.method",
    "step": "solve.step",
    "tol": "solve.tol",
    "from_": "solve.from",
    "until": "solve.until",
    "every": "output.every",
    "interval": "output.interval",
    "t_eval": "output.times",
    "first_step": "solve.first_step",
    "controller": "solve.controller",
    "exponent": "solve.exponent",
    "chart": "solve.chart",
    "dexpinv": "solve.dexpinv",
    "solver": "solve.solver",
    "estimate": "solve.estimate",
    "isotropy": "solve.isotropy",
    "conserve": "solve.conserve",
    "exponential": "solve.exponential",
    "polar": "solve.polar",
    "compensated": "solve.compensated",
    "max_steps": "solve.max_steps",
}


#: Keys of which only one can count: a later one takes the place of all.
_ONE_OF = [
    {"solve.step", "solve.tol"},
    {"output.every", "output.interval", "output.times"},
    {"solve.chart", "solve.exponential"},
    {"initial.omega", "initial.momentum", "initial.spatial_momentum"},
]


def settings_of(changes: Mapping[str, Any]) -> Settings:
    """Settings from keys with points or short names; what is None was not given."""
    given = ((SHORT.get(key, key), value) for key, value in changes.items() if value is not None)
    return tuple(given)


def _later(before: Settings, after: Settings) -> Settings:
    """Settings of which the later ones have the last word."""
    replaced = {key for key, _ in after}
    for choice in _ONE_OF:
        if replaced & choice:
            replaced |= choice
    return tuple(setting for setting in before if setting[0] not in replaced) + after


class Problem:
    """A problem: a system with its parameters, initial data and how it is solved.

    It is made from the name of a built-in problem, a problem file (a path), the text of one, or a
    dict with its keys. Functions of Python in a dict (``"potential": lambda R, t: ...``) become
    formulas. A problem never changes; it can be compared, hashed and pickled.
    """

    __slots__ = ("_source", "_origin", "_folder", "_settings", "_content")

    _source: str | dict[str, Any]
    _origin: str
    _folder: str
    _settings: Settings
    _content: str | None

    def __init__(self, problem: ProblemLike, /, **changes: Any) -> None:
        self._fill(problem, changes)
        # What is wrong with the keys is said here, not later.
        _lieflow.problem_dict(self._given)

    @classmethod
    def _asked(cls, problem: ProblemLike, changes: Mapping[str, Any]) -> Problem:
        """For a run at once, which says itself what is wrong."""
        asked = cls.__new__(cls)
        asked._fill(problem, changes)
        return asked

    def _fill(self, problem: ProblemLike, changes: Mapping[str, Any]) -> None:
        settings = settings_of(changes)
        self._content = None
        self._folder = ""
        if isinstance(problem, Problem):
            self._source, self._origin = problem._source, problem._origin
            self._folder = problem._folder
            settings = _later(problem._settings, settings)
        elif isinstance(problem, Mapping):
            self._source, self._origin = without_functions(problem), "problem"
        elif isinstance(problem, str) and _is_text(problem):
            self._source, self._origin = problem, "problem"
        elif isinstance(problem, (str, os.PathLike)):
            self._source, self._origin, self._folder = _opened(problem)
        else:
            found = type(problem).__name__
            raise ProblemError(
                f"problem: found {found}, expected a name, a path, a text, a dict or a Problem"
            )
        self._settings = settings

    @property
    def _given(self) -> _lieflow.Given:
        """What the part in Rust takes."""
        return (self._source, self._origin, list(self._settings))

    def _calls(self) -> bool:
        """Whether a law is a function that is called."""
        values = self.to_dict()
        laws = [values.get("parameters", {}).get(key) for key in ("potential", "torque")]
        tables = [values.get("motion"), *laws]
        return any(callable(table.get("function")) for table in tables if isinstance(table, Mapping))

    @property
    def system(self) -> str:
        """The name of its system."""
        return str(self.to_dict()["system"])

    @property
    def title(self) -> str:
        """Its title; its origin, if it has none."""
        return str(self.to_dict().get("title", self._origin))

    def to_dict(self) -> dict[str, Any]:
        """All its keys, as a problem file has them."""
        return _lieflow.problem_dict(self._given)

    def to_toml(self) -> str:
        """Its problem file, for the tool and for others."""
        return _lieflow.problem_toml(self._given)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes its problem file. One that calls functions has none."""
        if self._calls():
            raise ProblemError(
                f"{path}: a function that is called cannot stand in a file; give it as a formula, or as a "
                "function that can be traced"
            )
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.to_toml())

    def replace(self, changes: Mapping[str, Any] | None = None, /, **more: Any) -> Problem:
        """The same problem with other values: ``p.replace({"initial.omega": [0, 0, 40]}, step=0.1)``.

        Keys are those of the problem file with points between them, or the short names that
        :func:`solve` has.
        """
        return Problem(self, **{**(changes or {}), **more})

    def check(self) -> list[str]:
        """Raises :class:`ProblemError` unless it can be run as it is; what is suspicious otherwise."""
        return _lieflow.check(self._given)

    def explain(self) -> dict[str, Any]:
        """Names, derived equations, invariants and fitting methods: the JSON of ``lieflow explain``."""
        text = _lieflow.explain(self._given)
        return dict(json.loads(text))

    def _key(self) -> str:
        if self._content is None:
            # A function is none but itself.
            self._content = json.dumps(self.to_dict(), sort_keys=True, default=id)
        return self._content

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Problem) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"<lieflow.Problem {self.title!r}: {self.system}>"

    def __getstate__(self) -> tuple[Any, ...]:
        return (self._source, self._origin, self._folder, self._settings)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self._source, self._origin, self._folder, self._settings = state
        self._content = None


def _is_text(problem: str) -> bool:
    """Whether this is what a problem file says, and not the name of one."""
    return "\n" in problem or ("=" in problem and not problem.lower().endswith(".toml"))


@cache
def _builtin() -> dict[str, str]:
    return dict(_lieflow.builtin_problems())


def _opened(name: str | os.PathLike[str]) -> tuple[str, str, str]:
    """The text of a built-in problem or of a file, what messages call it, and its folder."""
    if isinstance(name, str):
        text = _builtin().get(name)
        if text is not None:
            return text, f"problem {name}", ""
    from pathlib import Path

    path = Path(name)
    is_path = not isinstance(name, str) or path.suffix.lower() == ".toml" or path.exists()
    if not is_path and os.sep not in str(name):
        raise ProblemError(_lieflow.unknown_problem(str(name)))
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ProblemError(f"{path}: cannot be read: {error}") from None
    return text, str(path), str(path.parent)


def problems() -> list[str]:
    """The names of the built-in problems."""
    return list(_builtin())

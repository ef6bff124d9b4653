"""Laws that are not formulas: compiled code at an address, and functions of Python that are called."""

from __future__ import annotations

import ctypes
import inspect
from collections.abc import Callable, Iterable, Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._formula import MATRIX, NUMBER, VECTOR, Kind
from ._lieflow import ProblemError

Array = NDArray[np.float64]

#: All function pointers of ctypes.
_POINTER: Any = ctypes.CFUNCTYPE(None).__base__

#: What compiled laws look like.
SIGNATURE = "void (double t, const double *state, const double *parameters, double *out)"


class Compiled:
    """Code at an address, and what keeps it in memory."""

    __slots__ = ("address", "owner", "__name__")

    def __init__(self, address: int, owner: Any, name: str) -> None:
        self.address, self.owner, self.__name__ = address, owner, name

    def __call__(self, *_: Any) -> None:
        raise TypeError("a compiled law is called by integrators only")

    def __reduce__(self) -> Any:
        raise ProblemError(
            f"{self.__name__}: a function at an address means nothing in another process; use a formula "
            "or a function that can be traced, or threads"
        )


class Called:
    """A function of Python that is called at every evaluation, with named arrays.

    Arguments are found by their names among ``t``, the parts of the state and the parameters.
    """

    __slots__ = ("function", "label", "timed", "state", "parameters", "__name__")

    def __init__(
        self,
        function: Callable[..., Any],
        state: Mapping[str, Kind],
        parameters: Mapping[str, Kind],
        label: str,
    ) -> None:
        self.function, self.label = function, label
        self.__name__ = f"{label}: {getattr(function, '__name__', 'the function')}"
        self.state, self.parameters = _places(state), _places(parameters)
        known = ["t", *self.state, *self.parameters]
        for parameter in inspect.signature(function).parameters.values():
            if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                raise ProblemError(f"{label}: a function with *{parameter.name} has no names")
            if parameter.name not in known and parameter.default is parameter.empty:
                raise ProblemError(
                    f"{label}: no value is called '{parameter.name}'; there are: {', '.join(known)}"
                )
        wanted = [name for name in inspect.signature(function).parameters if name in known]
        self.timed = "t" in wanted
        self.state = {name: self.state[name] for name in wanted if name in self.state}
        self.parameters = {name: self.parameters[name] for name in wanted if name in self.parameters}

    def __call__(self, t: float, state: Array, parameters: Array) -> Array:
        values: dict[str, Any] = {name: _cut(state, place) for name, place in self.state.items()}
        values.update({name: _cut(parameters, place) for name, place in self.parameters.items()})
        if self.timed:
            values["t"] = t
        return _flat(self.function(**values), self.label)


def as_law(value: Any, state: Mapping[str, Kind], parameters: Mapping[str, Kind], label: str) -> Any:
    """What stands for a function in a problem: compiled code as it is, others with names."""
    if isinstance(value, (Compiled, Called)):
        return value
    found = compiled(value, label)
    if found is not None:
        return found
    if callable(value):
        return Called(value, state, parameters, label)
    raise ProblemError(
        f"{label}: found {type(value).__name__}, expected a function, a numba cfunc, a function of "
        "ctypes or the address of one"
    )


def is_compiled(value: Any) -> bool:
    """Whether it is compiled code: of numba, of ctypes, or wrapped by SciPy."""
    return _pointer(value) is not None or isinstance(value, Compiled)


def compiled(value: Any, label: str) -> Compiled | None:
    """Compiled code from a numba cfunc, a function of ctypes, SciPy's LowLevelCallable or an address."""
    name = f"{label}: {getattr(value, '__name__', 'the function at an address')}"
    if isinstance(value, int) and not isinstance(value, bool):
        if value <= 0:
            raise ProblemError(f"{label}: found the address {value}, expected that of a function")
        return Compiled(value, None, name)
    pointer = _pointer(value)
    if pointer is None:
        return None
    types = pointer.argtypes
    if types is None or not _fits(types, pointer.restype):
        found = "no argtypes" if types is None else _shown(types, pointer.restype)
        raise ProblemError(f"{label}: found a function with {found}, expected {SIGNATURE}")
    address = ctypes.cast(pointer, ctypes.c_void_p).value
    return Compiled(address or 0, value, name)


def _pointer(value: Any) -> Any:
    """The function pointer of ctypes that it is, or that it has."""
    for candidate in (value, getattr(value, "ctypes", None), getattr(value, "function", None)):
        if isinstance(candidate, _POINTER):
            return candidate
    return None


def _fits(types: Iterable[Any], result: Any) -> bool:
    first, *rest = [*types] or [None]

    def points(kind: Any) -> bool:
        return kind is ctypes.c_void_p or getattr(kind, "_type_", None) is ctypes.c_double

    return first is ctypes.c_double and len(rest) == 3 and all(map(points, rest)) and result is None


def _shown(types: Iterable[Any], result: Any) -> str:
    names = ", ".join(kind.__name__ for kind in types)
    return f"the arguments ({names}) and the result {getattr(result, '__name__', result)}"


#: Where a value begins among flat numbers, where it ends, and of which kind it is.
Place = tuple[int, int, Kind]


def _places(kinds: Mapping[str, Kind]) -> dict[str, Place]:
    places, at = {}, 0
    for name, kind in kinds.items():
        size = kind_size(kind)
        places[name] = (at, at + size, kind)
        at += size
    return places


def kind_size(kind: Kind) -> int:
    """How many numbers a value of this kind has."""
    if isinstance(kind, tuple):
        if kind[0] == "record":
            return sum(kind_size(part) for part in kind[1].values())
        return int(kind[2]) * kind_size(kind[1])
    return {NUMBER: 1, VECTOR: 3, MATRIX: 9}.get(kind, 0)


def _cut(numbers: Array, place: Place) -> Any:
    first, last, kind = place
    return float(numbers[first]) if kind == NUMBER else _shaped(numbers[first:last], kind)


def _shaped(numbers: Array, kind: Kind) -> Any:
    if kind == MATRIX:
        return numbers.reshape(3, 3)
    if isinstance(kind, tuple) and kind[0] == "record":
        cut = {name: _cut(numbers, place) for name, place in _places(kind[1]).items()}
        return SimpleNamespace(**cut)
    if isinstance(kind, tuple) and kind[1] != NUMBER:
        items = numbers.reshape(kind[2], -1)
        if isinstance(kind[1], tuple):
            return [_shaped(item, kind[1]) for item in items]
        return items.reshape(kind[2], 3, 3) if kind[1] == MATRIX else items
    return numbers


def _flat(answer: Any, label: str) -> Array:
    """All numbers of an answer, in their order."""
    if isinstance(answer, np.ndarray) and answer.ndim == 1 and answer.dtype == np.float64:
        return np.ascontiguousarray(answer)
    parts = answer if isinstance(answer, (tuple, list)) else [answer]
    if isinstance(answer, Mapping):
        parts = [*answer.values()]
    try:
        return np.concatenate([np.ravel(np.asarray(part, dtype=np.float64)) for part in parts])
    except (TypeError, ValueError) as error:
        raise ProblemError(f"{label}: the function gave what is no array of numbers: {error}") from None


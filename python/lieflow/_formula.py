"""Expressions that write themselves down: what a traced function computes with."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import numpy as np

from ._lieflow import ProblemError

#: Kinds of values: a number, a vector of three, a 3x3 matrix; lists and records are tuples
#: ``("list", kind, count)`` and ``("record", {name: kind})``.
Kind = Any
NUMBER, VECTOR, MATRIX = "number", "vector", "matrix"

_SUM, _PRODUCT, _POWER, _ATOM = 1, 2, 4, 5
_LETTERS = {NUMBER: "a number", VECTOR: "a vector", MATRIX: "a matrix"}


def refuse(message: str) -> NoReturn:
    """Raises an error that names the line of the traced function."""
    frame = sys._getframe(1)
    own = {__file__, __file__.replace("_formula", "_trace")}
    while frame.f_back and (frame.f_code.co_filename in own or "numpy" in frame.f_code.co_filename):
        frame = frame.f_back
    raise ProblemError(f"{frame.f_code.co_filename}:{frame.f_lineno}: {message}")


def _called(kind: Kind) -> str:
    return _LETTERS.get(kind, "a list or record") if isinstance(kind, str) else "a list or record"


class Condition:
    """A comparison; only :func:`numpy.where` knows what to do with it."""

    __array_ufunc__ = None

    def __init__(self, text: str, parts: tuple[Formula, ...], swapped: bool) -> None:
        self.text, self.parts, self.swapped = text, parts, swapped

    def __bool__(self) -> bool:
        refuse("a decision depends on the state: write numpy.where(condition, a, b)")

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        return _array_function(function, args, options)


class Formula:
    """A value of a formula. Operators and functions of NumPy yield further ones."""

    __slots__ = ("kind", "form", "parts", "rank")
    __array_priority__ = 1000
    __hash__ = object.__hash__

    def __init__(self, kind: Kind, form: str, parts: tuple[Formula, ...] = (), rank: int = _ATOM):
        # The form has a %s for each part; a part is put in brackets if it binds less.
        self.kind, self.form, self.parts, self.rank = kind, form, parts, rank

    # Arithmetic.
    def __add__(self, other: Any) -> Formula:
        return _sum(self, "+", other)

    def __radd__(self, other: Any) -> Formula:
        return _sum(other, "+", self)

    def __sub__(self, other: Any) -> Formula:
        return _sum(self, "-", other)

    def __rsub__(self, other: Any) -> Formula:
        return _sum(other, "-", self)

    def __mul__(self, other: Any) -> Formula:
        return _times(self, other)

    def __rmul__(self, other: Any) -> Formula:
        return _times(other, self)

    def __truediv__(self, other: Any) -> Formula:
        return _over(self, other)

    def __rtruediv__(self, other: Any) -> Formula:
        return _over(other, self)

    def __pow__(self, other: Any) -> Formula:
        return _power(self, other)

    def __rpow__(self, other: Any) -> Formula:
        return _power(other, self)

    def __mod__(self, other: Any) -> Formula:
        return _numbers("mod", self, other)

    def __neg__(self) -> Formula:
        return Formula(self.kind, "-%s", (_factor(self),), _PRODUCT)

    def __pos__(self) -> Formula:
        return self

    def __abs__(self) -> Formula:
        return _numbers("abs", self)

    def __matmul__(self, other: Any) -> Formula:
        return _matmul(self, other)

    def __rmatmul__(self, other: Any) -> Formula:
        return _matmul(other, self)

    # Comparisons.
    def __lt__(self, other: Any) -> Condition:
        return _compare(self, "<", other, False)

    def __gt__(self, other: Any) -> Condition:
        return _compare(self, ">", other, False)

    def __le__(self, other: Any) -> Condition:
        return _compare(self, ">", other, True)

    def __ge__(self, other: Any) -> Condition:
        return _compare(self, "<", other, True)

    def __eq__(self, other: object) -> bool:
        refuse("states are compared by < and >, in numpy.where")

    def __bool__(self) -> bool:
        refuse("a decision depends on the state: write numpy.where(condition, a, b)")

    def __float__(self) -> float:
        refuse("this value is known only while running: use functions of numpy, not of math")

    __int__ = __index__ = __complex__ = __float__

    # Parts.
    @property
    def shape(self) -> tuple[int, ...]:
        """As of an array."""
        if self.kind == NUMBER:
            return ()
        if self.kind == VECTOR:
            return (3,)
        if self.kind == MATRIX:
            return (3, 3)
        if self.kind[0] == "list":
            return (self.kind[2], *Formula(self.kind[1], "").shape)
        refuse("a record has no shape")

    @property
    def ndim(self) -> int:
        """As of an array."""
        return len(self.shape)

    @property
    def T(self) -> Formula:
        """The transpose."""
        return _call(MATRIX, "transpose", self) if self.kind == MATRIX else self

    def __len__(self) -> int:
        if self.kind == NUMBER:
            raise TypeError("a number has no length")
        return self.shape[0]

    def __iter__(self) -> Iterator[Formula]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, index: Any) -> Any:
        return _item(self, index)

    def __getattr__(self, name: str) -> Any:
        if isinstance(self.kind, tuple) and self.kind[0] == "record" and name in self.kind[1]:
            return Formula(self.kind[1][name], f"%s.{name}", (_atom(self),))
        raise AttributeError(name)

    def dot(self, other: Any) -> Formula:
        """As of an array."""
        return _matmul(self, other)

    def sum(self) -> Formula:
        """As of an array."""
        return _total(self)

    def __array_ufunc__(self, ufunc: Any, method: str, *args: Any, **options: Any) -> Any:
        known = _UFUNCS.get(ufunc.__name__)
        if known is None or method != "__call__" or options:
            refuse(f"formulas have no numpy.{ufunc.__name__}")
        return known(*args)

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        return _array_function(function, args, options)

    def __repr__(self) -> str:
        return f"<{_called(self.kind)} of a formula>"


def lifted(value: Any) -> Formula:
    """A constant, a list or an array as a value of a formula."""
    if isinstance(value, Formula):
        return value
    if isinstance(value, (bool, np.bool_)):
        refuse("found True or False, expected a number")
    if isinstance(value, (int, float, np.integer, np.floating)):
        x = float(value)
        if x != x or x in (float("inf"), float("-inf")):
            refuse(f"found {x}, expected a finite number")
        text = repr(int(x)) if x == int(x) and abs(x) < 1e15 else repr(x)
        return Formula(NUMBER, text, (), _PRODUCT if x < 0 else _ATOM)
    items = value.tolist() if isinstance(value, np.ndarray) else value
    if isinstance(items, (list, tuple)) and len(items) == 3:
        parts = tuple(lifted(item) for item in items)
        if all(part.kind == NUMBER for part in parts):
            return Formula(VECTOR, "[%s, %s, %s]", parts)
        if all(part.kind == VECTOR for part in parts):
            return Formula(MATRIX, "transpose(columns(%s, %s, %s))", parts)
    if isinstance(items, (int, float)):
        return lifted(items)
    shown = f"an array of shape {value.shape}" if isinstance(value, np.ndarray) else repr(value)
    refuse(f"found {shown}, expected a number, a vector of three or a 3x3 matrix")


def _call(kind: Kind, name: str, *parts: Formula) -> Formula:
    return Formula(kind, f"{name}({', '.join(['%s'] * len(parts))})", parts)


def _spread(a: Any, b: Any) -> tuple[Formula, Formula]:
    """Two values of one kind, by the rule of NumPy for numbers beside vectors."""
    a, b = lifted(a), lifted(b)
    if a.kind == NUMBER and b.kind == VECTOR:
        a = Formula(VECTOR, "[%s, %s, %s]", (a, a, a))
    if b.kind == NUMBER and a.kind == VECTOR:
        b = Formula(VECTOR, "[%s, %s, %s]", (b, b, b))
    if a.kind != b.kind or not isinstance(a.kind, str):
        refuse(f"cannot combine {_called(a.kind)} and {_called(b.kind)}")
    return a, b


def _sum(a: Any, sign: str, b: Any) -> Formula:
    a, b = _spread(a, b)
    return Formula(a.kind, f"%s {sign} %s", (a, b if sign == "+" else _factor(b)), _SUM)


def _bracket(a: Formula) -> Formula:
    return Formula(a.kind, "(%s)", (a,))


def _factor(a: Formula) -> Formula:
    return a if a.rank > _SUM else _bracket(a)


def _divisor(a: Formula) -> Formula:
    return a if a.rank > _PRODUCT else _bracket(a)


def _atom(a: Formula) -> Formula:
    return a if a.rank == _ATOM else _bracket(a)


def _times(a: Any, b: Any) -> Formula:
    a, b = lifted(a), lifted(b)
    if NUMBER in (a.kind, b.kind):
        kind = b.kind if a.kind == NUMBER else a.kind
        return Formula(kind, "%s*%s", (_factor(a), _factor(b)), _PRODUCT)
    if a.kind == b.kind == VECTOR:
        return lifted([x * y for x, y in zip(a, b)])
    refuse(f"{_called(a.kind)} * {_called(b.kind)}: products of matrices and vectors are written @")


def _over(a: Any, b: Any) -> Formula:
    a, b = lifted(a), lifted(b)
    if b.kind == NUMBER:
        return Formula(a.kind, "%s/%s", (_factor(a), _divisor(b)), _PRODUCT)
    if b.kind == VECTOR:
        return lifted([x / y for x, y in zip(*_spread(a, b))])
    refuse(f"cannot divide by {_called(b.kind)}")


def _power(a: Any, b: Any) -> Formula:
    a, b = lifted(a), lifted(b)
    if b.kind != NUMBER:
        refuse(f"found {_called(b.kind)} as an exponent, expected a number")
    if a.kind == VECTOR:
        return lifted([_power(x, b) for x in a])
    if a.kind != NUMBER:
        refuse(f"{_called(a.kind)} has no power")
    return Formula(NUMBER, "%s^%s", (_atom(a), _atom(b)), _POWER)


def _matmul(a: Any, b: Any) -> Formula:
    a, b = lifted(a), lifted(b)
    kinds = (a.kind, b.kind)
    if kinds == (VECTOR, VECTOR):
        return _call(NUMBER, "dot", a, b)
    if kinds == (VECTOR, MATRIX):
        return Formula(VECTOR, "%s*%s", (b.T, _divisor(a)), _PRODUCT)
    if a.kind == MATRIX and b.kind in (VECTOR, MATRIX):
        return Formula(b.kind, "%s*%s", (_factor(a), _divisor(b)), _PRODUCT)
    refuse(f"cannot multiply {_called(a.kind)} @ {_called(b.kind)}")


def _compare(a: Any, sign: str, b: Any, swapped: bool) -> Condition:
    a, b = lifted(a), lifted(b)
    if a.kind != NUMBER or b.kind != NUMBER:
        refuse(f"cannot compare {_called(a.kind)} and {_called(b.kind)}")
    return Condition(f"%s {sign} %s", (a, b), swapped)


def where(condition: Any, a: Any, b: Any) -> Formula:
    """One value or the other."""
    if not isinstance(condition, Condition):
        refuse("found no comparison in numpy.where; it is written numpy.where(x < y, a, b)")
    a, b = _spread(a, b)
    if condition.swapped:
        a, b = b, a
    return Formula(a.kind, f"if({condition.text}, %s, %s)", (*condition.parts, a, b))


def _numbers(name: str, *args: Any) -> Formula:
    """A function of numbers, on each component of a vector."""
    parts = [lifted(arg) for arg in args]
    if len(parts) == 1 and parts[0].kind == VECTOR:
        return lifted([_call(NUMBER, name, x) for x in parts[0]])
    for part in parts:
        if part.kind != NUMBER:
            refuse(f"{name} needs a number, and this is {_called(part.kind)}")
    return _call(NUMBER, name, *parts)


def _total(a: Formula) -> Formula:
    total: Formula = a[0]
    for item in list(a)[1:]:
        total = total + item
    return total


def _cross(a: Any, b: Any) -> Formula:
    return _call(VECTOR, "cross", lifted(a), lifted(b))


def _norm(a: Any) -> Formula:
    a = lifted(a)
    return _call(NUMBER, "norm" if a.kind != NUMBER else "abs", a)


def _of_matrix(kind: Kind, name: str) -> Callable[[Any], Formula]:
    def function(a: Any) -> Formula:
        a = lifted(a)
        if a.kind != MATRIX:
            refuse(f"{name} needs a matrix, and this is {_called(a.kind)}")
        return _call(kind, name, a)

    return function


def _item(a: Formula, index: Any) -> Any:
    if a.kind == NUMBER or (isinstance(a.kind, tuple) and a.kind[0] == "record"):
        refuse(f"{_called(a.kind)} has no entries")
    indices = index if isinstance(index, tuple) else (index,)
    if any(isinstance(i, slice) for i in indices):
        if len(indices) == 1:
            return [a[i] for i in range(*indices[0].indices(len(a)))]
        if a.kind == MATRIX and indices[0] == slice(None):
            return lifted([a[i, indices[1]] for i in range(3)])
        if a.kind == MATRIX and indices[1] == slice(None):
            return a[indices[0]]
        refuse("this slice is not known here; use whole rows and columns")
    places = []
    for i, n in zip(indices, a.shape):
        if isinstance(i, Formula):
            refuse("an index must be a whole number that is known before the run")
        place = int(i) + (n if i < 0 else 0)
        if not 0 <= place < n:
            raise IndexError(f"{i} of {n}")
        places.append(place)
    if a.kind == VECTOR:
        return Formula(NUMBER, f"%s[{places[0] + 1}]", (_atom(a),))
    if a.kind == MATRIX:
        if len(places) == 1:
            return lifted([a[places[0], k] for k in range(3)])
        return Formula(NUMBER, f"%s[{places[0] + 1},{places[1] + 1}]", (_atom(a),))
    item = Formula(a.kind[1], f"%s[{places[0] + 1}]", (a,))
    return item if len(indices) == 1 else item[indices[1:]]


_SAME = ["sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "log", "sqrt", "sign", "floor", "abs"]
_UFUNCS: dict[str, Callable[..., Any]] = {name: lambda *a, n=name: _numbers(n, *a) for name in _SAME}
_UFUNCS.update(
    add=lambda a, b: _sum(a, "+", b),
    subtract=lambda a, b: _sum(a, "-", b),
    multiply=_times,
    divide=_over,
    true_divide=_over,
    power=_power,
    float_power=_power,
    negative=lambda a: -lifted(a),
    positive=lifted,
    matmul=_matmul,
    vecdot=_matmul,
    square=lambda a: _power(a, 2),
    absolute=lambda a: _numbers("abs", a),
    fabs=lambda a: _numbers("abs", a),
    arcsin=lambda a: _numbers("asin", a),
    arccos=lambda a: _numbers("acos", a),
    arctan2=lambda a, b: _numbers("atan2", a, b),
    arctan=lambda a: _numbers("atan2", a, 1),
    minimum=lambda a, b: _numbers("min", a, b),
    maximum=lambda a, b: _numbers("max", a, b),
    mod=lambda a, b: _numbers("mod", a, b),
    remainder=lambda a, b: _numbers("mod", a, b),
    less=lambda a, b: _compare(a, "<", b, False),
    greater=lambda a, b: _compare(a, ">", b, False),
    less_equal=lambda a, b: _compare(a, ">", b, True),
    greater_equal=lambda a, b: _compare(a, "<", b, True),
)

_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "dot": _matmul,
    "vdot": _matmul,
    "inner": _matmul,
    "cross": _cross,
    "where": where,
    "norm": _norm,
    "trace": _of_matrix(NUMBER, "trace"),
    "det": _of_matrix(NUMBER, "det"),
    "inv": _of_matrix(MATRIX, "inv"),
    "transpose": lambda a: lifted(a).T,
    "sum": lambda a: _total(lifted(a)),
    "clip": lambda a, low, high: _numbers("clamp", a, low, high),
    "diag": lambda a: _call(MATRIX, "diag", lifted(a)),
}


def _array_function(function: Any, args: Any, options: Any) -> Any:
    known = _FUNCTIONS.get(function.__name__)
    if known is None or options:
        refuse(f"formulas have no numpy.{function.__name__}{' with these options' if known else ''}")
    return known(*args)


def _method(name: str) -> Callable[[Formula], Formula]:
    return lambda self: _UFUNCS[name](self)


# Arrays of formulas ask their entries: numpy.sin(array) calls entry.sin().
for _name in [*_SAME, "arcsin", "arccos", "arctan", "square"]:
    if _name != "abs":
        setattr(Formula, _name, _method(_name))

"""Functions of Python become formulas: each is called once, with values that write themselves down."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ._function import as_law, is_compiled
from ._formula import MATRIX, NUMBER, VECTOR, Formula, Kind, lifted
from ._lieflow import ProblemError

#: Longer parts that are used more than once get a name of their own.
_SHORT = 24

#: Problems are not deeper; a list that contains itself is, and is refused later.
_DEEPEST = 40

#: What there is for functions that are no formulas.
_INSTEAD = "\n(torques, potentials and fields can be called as they are, which is slower: see {'function': ...})"

#: Where functions are called as they are, and what is no number in their tables.
_CALLED = ("parameters.potential.function", "parameters.torque.function", "motion.function")
_NO_NUMBERS = ("function", "frame", "moving")

#: The names that formulas have on systems with names of their own.
_NAMES: dict[str, dict[str, Kind]] = {
    "rigid-body": {
        "R": MATRIX,
        "w": VECTOR,
        "P": VECTOR,
        "J": MATRIX,
        "torque": VECTOR,
        "applied": VECTOR,
        "energy": NUMBER,
    },
}
_EVERYWHERE: dict[str, Kind] = {"t": NUMBER, "pi": NUMBER, "e1": VECTOR, "e2": VECTOR, "e3": VECTOR}


def without_functions(problem: Mapping[str, Any]) -> dict[str, Any]:
    """The problem with a formula in the place of each function."""
    if not _has_function(problem) and not _has_address(problem):
        return dict(problem)
    names = {**_EVERYWHERE, **_NAMES.get(str(problem.get("system")), {})}
    names.update(_state_kinds(problem.get("state", {})))
    _add_values(names, problem.get("parameters", {}))
    named = problem.get("definitions", {})
    for key, value in named.items():
        names.setdefault(key, "unknown" if isinstance(value, str) else _value_kind(value))
    definitions: dict[str, Any] = {}
    lowered = _lower(dict(problem), names, definitions, "", problem)
    if definitions:
        lowered["definitions"] = {**lowered.get("definitions", {}), **definitions}
    return dict(lowered)


def formula(function: Callable[..., Any], names: Mapping[str, Kind], label: str) -> tuple[str, dict[str, str]]:
    """The formula of a function of these names, and the definitions that it needs."""
    arguments = []
    for parameter in inspect.signature(function).parameters.values():
        name = parameter.name
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise ProblemError(f"{_where(function)}: {label}: a function with *{name} has no names")
        if name in names and names[name] != "unknown":
            arguments.append(Formula(names[name], name))
        elif parameter.default is not parameter.empty:
            break
        else:
            known = ", ".join(sorted(names))
            raise ProblemError(
                f"{_where(function)}: {label}: no value is called '{name}'; there are: {known}"
            )
    try:
        return _written(lifted(function(*arguments)), label)
    except ProblemError as error:
        raise ProblemError(f"{label}: the function cannot be traced: {error}{_INSTEAD}") from None
    except Exception as error:
        import linecache
        import traceback

        frames = traceback.extract_tb(error.__traceback__)
        own = [f for f in frames if f.filename == function.__code__.co_filename] or frames
        at, said = own[-1], f"{type(error).__name__}: {error}"
        line = linecache.getline(at.filename, at.lineno or 0).strip()
        raise ProblemError(
            f"{label}: the function cannot be traced: {at.filename}:{at.lineno}: {said}\n  {line}{_INSTEAD}"
        ) from error


def _where(function: Callable[..., Any]) -> str:
    code = getattr(function, "__code__", None)
    return f"{code.co_filename}:{code.co_firstlineno}" if code else repr(function)


def _written(root: Formula, label: str) -> tuple[str, dict[str, str]]:
    """The text of an expression. A long part that is used again is defined, and written once."""
    uses: dict[int, int] = {}
    order: list[Formula] = []
    stack: list[tuple[Formula, bool]] = [(root, False)]
    while stack:
        node, done = stack.pop()
        if done:
            order.append(node)
            continue
        uses[id(node)] = uses.get(id(node), 0) + 1
        if uses[id(node)] == 1:
            stack.append((node, True))
            stack.extend((part, False) for part in reversed(node.parts))
    texts: dict[int, str] = {}
    definitions: dict[str, str] = {}
    stem = "".join(c if c.isalnum() else "_" for c in label) or "traced"
    for node in order:
        text = node.form.replace("%s", "\0")
        for part in node.parts:
            text = text.replace("\0", texts[id(part)], 1)
        if uses[id(node)] > 1 and len(text) > _SHORT and node is not root:
            name = f"{stem}_part{len(definitions) + 1}"
            definitions[name] = text
            text = name
        texts[id(node)] = text
    return texts[id(root)], definitions


def _has_function(value: Any, depth: int = 0) -> bool:
    if depth > _DEEPEST:
        return False
    if isinstance(value, Mapping):
        return any(_has_function(item, depth + 1) for item in value.values())
    if isinstance(value, (list, tuple)):
        return any(_has_function(item, depth + 1) for item in value)
    return (callable(value) and not hasattr(value, "tolist")) or is_compiled(value)


def _has_address(problem: Mapping[str, Any]) -> bool:
    """Whether a law is the address of a function."""
    for path in _CALLED:
        value: Any = problem
        for key in path.split("."):
            value = value.get(key) if isinstance(value, Mapping) else None
        if isinstance(value, int):
            return True
    return False


def _arguments(
    path: str, table: Mapping[str, Any], problem: Mapping[str, Any]
) -> tuple[dict[str, Kind], dict[str, Kind]]:
    """What a function is given at a place of a problem: the parts of a state, and parameters."""
    if path == "motion.function":
        kinds, parameters = _state_kinds(problem.get("state", {})), problem.get("parameters", {})
        kinds = {name: kinds[name] for name in problem.get("state", {})}
        return kinds, {name: _value_kind(value) for name, value in parameters.items()}
    own = {name: _value_kind(value) for name, value in table.items() if name not in _NO_NUMBERS}
    moving: dict[str, Kind] = {"w": VECTOR, "P": VECTOR} if "torque" in path else {}
    return {"R": MATRIX, **moving}, own


def _lower(
    value: Any, names: dict[str, Kind], definitions: dict[str, Any], path: str, problem: Mapping[str, Any]
) -> Any:
    if isinstance(value, Mapping):
        here = dict(names)
        if callable(value.get("formula")):
            _add_values(here, value)
        inner = {}
        for key, item in value.items():
            below = f"{path}.{key}" if path else str(key)
            if below in _CALLED:
                inner[key] = as_law(item, *_arguments(below, value, problem), below)
                continue
            if below in ("parameters.potential", "parameters.torque") and is_compiled(item):
                inner[key] = {"function": as_law(item, {}, {}, below)}
                continue
            item = _lower(item, here, definitions, below, problem)
            # A potential or a torque that is a function alone is the formula of its table.
            bare = below in ("parameters.potential", "parameters.torque") and callable(value[key])
            inner[key] = {"formula": item} if bare else item
        return inner
    if isinstance(value, (list, tuple)):
        return [
            _lower(item, names, definitions, f"{path}[{i + 1}]", problem) for i, item in enumerate(value)
        ]
    if callable(value) and not hasattr(value, "tolist"):
        text, more = formula(value, names, path)
        definitions.update(more)
        return text
    return value


def _add_values(names: dict[str, Kind], table: Mapping[str, Any]) -> None:
    for key, value in table.items():
        if isinstance(value, Mapping) and key in ("potential", "torque"):
            _add_values(names, value)
        elif not isinstance(value, str) and not callable(value):
            names.setdefault(key, _value_kind(value))


def _value_kind(value: Any) -> Kind:
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Mapping):
        return MATRIX
    if isinstance(value, Sequence) and not isinstance(value, str):
        kinds = [_value_kind(item) for item in value]
        if len(kinds) == 3 and kinds == [NUMBER] * 3:
            return VECTOR
        if len(kinds) == 3 and kinds == [VECTOR] * 3:
            return MATRIX
        return ("list", kinds[0], len(kinds)) if kinds else "unknown"
    return NUMBER


def _state_kinds(state: Mapping[str, Any]) -> dict[str, Kind]:
    """What the parts of a custom state are in formulas."""
    twist = ("record", {"w": VECTOR, "v": VECTOR})

    def space(name: str) -> Kind:
        if name == "SO(3)":
            return MATRIX
        if name == "SE(3)":
            return ("record", {"R": MATRIX, "x": VECTOR})
        if name == "se(3)*":
            return twist
        if name[:1] == "R" and name[1:].isdigit():
            n = int(name[1:])
            return NUMBER if n == 1 else VECTOR if n == 3 else ("list", NUMBER, n)
        return NUMBER if name == "R" else VECTOR

    def velocity(kind: Kind) -> Kind:
        if isinstance(kind, tuple) and kind[0] == "list" and kind[1] != NUMBER:
            return ("list", velocity(kind[1]), kind[2])
        if isinstance(kind, tuple) and kind[0] == "record":
            return twist
        return VECTOR if kind == MATRIX else kind

    kinds: dict[str, Kind] = {}
    for name, part in state.items():
        given = {"space": part} if isinstance(part, str) else part
        if isinstance(given, Mapping) and "space" in given:
            kind = space(str(given["space"]))
            count = given.get("count")
            kinds[name] = ("list", kind, int(count)) if count else kind
            kinds.setdefault(f"d{name}", velocity(kinds[name]))
    for name, part in state.items():
        if isinstance(part, Mapping) and "space" not in part:
            of = part.get("momentum") or part.get("velocity")
            kinds[name] = velocity(kinds.get(str(of), VECTOR)) if of else VECTOR
    return kinds

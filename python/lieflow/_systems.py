"""Problems by functions with signatures: one for each system, with the keys of its problem file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Union

from numpy.typing import ArrayLike

from ._function import is_compiled
from ._problem import Problem, settings_of

#: A formula as a text, or a function of the names that it uses.
FormulaLike = Union[str, Callable[..., Any]]
#: A formula, or a table with one and the numbers in it, or a kind that is known; compiled code as a numba
#: cfunc, a function of ctypes or an address; or ``{"function": f}``, which calls ``f`` as it is.
Law = Union[FormulaLike, Mapping[str, Any], int, Any]
#: A rotation vector, a 3x3 matrix, or ``{"quaternion": [w, x, y, z]}``.
Rotation = Union[ArrayLike, Mapping[str, Any]]
Named = Mapping[str, FormulaLike]


def _given(**keys: Any) -> dict[str, Any]:
    return {key: value for key, value in keys.items() if value is not None}


def _law(law: Law | None) -> Any:
    if is_compiled(law) or (isinstance(law, int) and not isinstance(law, bool)):
        return {"function": law}
    return {"formula": law} if isinstance(law, str) or callable(law) else law


def _rotation(value: Rotation | None) -> Any:
    if value is None or isinstance(value, Mapping):
        return value
    plain = value.tolist() if hasattr(value, "tolist") else value
    assert isinstance(plain, Sequence)
    return {"matrix" if plain and isinstance(plain[0], Sequence) else "vector": plain}


def _listed(table: Named | Sequence[Mapping[str, Any]] | None) -> list[dict[str, Any]] | None:
    if table is None:
        return None
    if isinstance(table, Mapping):
        return [
            {"name": name, **({"formula": f} if isinstance(f, str) or callable(f) else f)}
            for name, f in table.items()
        ]
    return [dict(entry) for entry in table]


def _problem(
    system: str,
    parameters: Mapping[str, Any],
    initial: Mapping[str, Any],
    more: Mapping[str, Any],
) -> Problem:
    tables = {"parameters": dict(parameters), "initial": dict(initial)}
    for key in ("state", "motion", "definitions", "title"):
        if more.get(key) is not None:
            tables[key] = more[key]
    for key in ("observables", "invariants", "events"):
        if (entries := _listed(more.get(key))) is not None:
            tables[key] = entries  # type: ignore[assignment]
    known = {*tables, "observables", "invariants", "events", "state", "motion", "definitions", "title"}
    changes = {key: value for key, value in more.items() if key not in known}
    problem = Problem({"system": system, **{k: v for k, v in tables.items() if v or k == "initial"}})
    return problem.replace(changes) if settings_of(changes) else problem


def rigid_body(
    inertia: ArrayLike,
    *,
    omega: ArrayLike | None = None,
    momentum: ArrayLike | None = None,
    spatial_momentum: ArrayLike | None = None,
    rotation: Rotation | None = None,
    potential: Law | None = None,
    torque: Law | None = None,
    definitions: Named | None = None,
    observables: Named | None = None,
    invariants: Named | None = None,
    events: Named | Sequence[Mapping[str, Any]] | None = None,
    **solve: Any,
) -> Problem:
    """A rigid body about a fixed point: three principal moments of inertia, or a 3x3 matrix.

    ``potential`` and ``torque`` are kinds such as ``{"kind": "lagrange-top", "strength": 20}``,
    formulas such as ``"20*R33"`` or functions such as ``lambda R, t: 20*R[2, 2]`` of ``R``, ``w``,
    ``P``, ``J``, ``t``, which become formulas.

    Compiled code is a numba ``cfunc``, a function of ctypes or an address, with the signature
    ``void (double t, const double *state, const double *parameters, double *out)``. A torque gets ``R``
    by rows, ``w`` and ``P`` (fifteen numbers) and gives three; a potential gets ``R`` and gives four, its
    energy and its torque in the body. ``{"function": f, "c": 0.1}`` calls a function of Python as it is,
    at every evaluation; the other numbers of the table are its parameters. ``"frame": "space"`` is for
    torques in space, ``"moving": False`` for those that look at ``R`` and ``t`` only.

    What else is given (``method=``, ``step=`` ...) is as in :func:`solve`.
    """
    parameters = _given(inertia=inertia, potential=_law(potential), torque=_law(torque))
    momenta = _given(omega=omega, momentum=momentum, spatial_momentum=spatial_momentum)
    initial = _given(rotation=_rotation(rotation), **momenta)
    more = dict(definitions=definitions, observables=observables, invariants=invariants, events=events)
    return _problem("rigid-body", parameters, initial, {**more, **solve})


def reduced_body(inertia: ArrayLike, *, momentum: ArrayLike, **solve: Any) -> Problem:
    """Euler's equations: the momentum of a free body, in the body."""
    return _problem("reduced-body", _given(inertia=inertia), _given(momentum=momentum), solve)


def heavy_top(
    inertia: ArrayLike,
    *,
    axis: ArrayLike,
    direction: ArrayLike,
    strength: float,
    formulation: Literal["t-so3", "se3-dual", "quadratic"] | None = None,
    rotation: Rotation | None = None,
    omega: ArrayLike | None = None,
    momentum: ArrayLike | None = None,
    spatial_momentum: ArrayLike | None = None,
    q: ArrayLike | None = None,
    **solve: Any,
) -> Problem:
    """A heavy top: ``axis`` to its centre of mass, ``direction`` of gravity, ``strength``."""
    parameters = _given(
        inertia=inertia, axis=axis, direction=direction, strength=strength, formulation=formulation
    )
    momenta = _given(omega=omega, momentum=momentum, spatial_momentum=spatial_momentum, q=q)
    return _problem("heavy-top", parameters, _given(rotation=_rotation(rotation), **momenta), solve)


def kirchhoff(
    inertia: ArrayLike, *, momentum: ArrayLike, impulse: ArrayLike, **solve: Any
) -> Problem:
    """A body in an ideal fluid: six moments of inertia."""
    return _problem(
        "kirchhoff", _given(inertia=inertia), _given(momentum=momentum, impulse=impulse), solve
    )


def pendulum_chain(
    masses: ArrayLike,
    lengths: ArrayLike,
    *,
    q: ArrayLike,
    omega: ArrayLike,
    count: int | None = None,
    gravity: ArrayLike | None = None,
    space: Literal["se3", "lift", "hamiltonian", "euclidean"] | None = None,
    **solve: Any,
) -> Problem:
    """A chain of spherical pendula."""
    parameters = _given(masses=masses, lengths=lengths, count=count, gravity=gravity, space=space)
    return _problem("pendulum-chain", parameters, _given(q=q, omega=omega), solve)


def dipoles(
    rows: int,
    columns: int,
    *,
    spacing: float,
    mass: float,
    length: float,
    moment: float,
    q: ArrayLike,
    omega: ArrayLike,
    overrides: Sequence[Mapping[str, Any]] | None = None,
    space: str | None = None,
    **solve: Any,
) -> Problem:
    """A lattice of magnetic pendula."""
    lattice = dict(rows=rows, columns=columns, spacing=spacing, mass=mass, length=length, moment=moment)
    initial = _given(q=q, omega=omega, overrides=overrides)
    return _problem("dipoles", {**lattice, **_given(space=space)}, initial, solve)


def vortices(strengths: ArrayLike, *, q: ArrayLike, **solve: Any) -> Problem:
    """Point vortices on the sphere."""
    return _problem("vortices", _given(strengths=strengths), _given(q=q), solve)


def macrospin(*, m: ArrayLike, parameters: Mapping[str, Any], **solve: Any) -> Problem:
    """A spin in a field, with damping: ``parameters`` such as ``gamma``, ``alpha``, ``b``."""
    return _problem("macrospin", parameters, _given(m=m), solve)


def bloch(larmor: float, rabi: float, *, m: ArrayLike, drive: float | None = None, chirp: float | None = None, **solve: Any) -> Problem:
    """A spin 1/2 in a turning field, as its Bloch vector."""
    return _problem("bloch", _given(larmor=larmor, rabi=rabi, drive=drive, chirp=chirp), _given(m=m), solve)


def landau_zener(sweep: float, gap: float, *, spinor: ArrayLike | None = None, **solve: Any) -> Problem:
    """Two levels that cross."""
    return _problem("landau-zener", _given(sweep=sweep, gap=gap), _given(spinor=spinor), solve)


def toda(*, momenta: ArrayLike, gaps: ArrayLike, **solve: Any) -> Problem:
    """Toda's lattice: as many gaps as momenta are a ring, one less an open lattice."""
    return _problem("toda", {}, _given(momenta=momenta, gaps=gaps), solve)


def so_n_body(
    moments: ArrayLike,
    *,
    omega: ArrayLike | None = None,
    momentum: ArrayLike | None = None,
    swing: ArrayLike | None = None,
    rate: float | None = None,
    **solve: Any,
) -> Problem:
    """A free body in three to six dimensions."""
    parameters = _given(moments=moments, swing=swing, rate=rate)
    return _problem("so-n-body", parameters, _given(omega=omega, momentum=momentum), solve)


def spin_ring(*, m: ArrayLike, parameters: Mapping[str, Any], **solve: Any) -> Problem:
    """Spins on a ring."""
    return _problem("spin-ring", parameters, _given(m=m), solve)


def euclidean(
    problem: Literal["harmonic", "pendulum", "double-well", "kepler", "henon-heiles"],
    *,
    q: ArrayLike,
    p: ArrayLike,
    **solve: Any,
) -> Problem:
    """A classical test problem in coordinates and momenta."""
    return _problem("euclidean", _given(problem=problem), _given(q=q, p=p), solve)


class System:
    """A system of your own: the parts of its state, and the law of its motion.

    ``state`` says where each part lies: ``"SO(3)"``, ``"SE(3)"``, ``"S2"``, ``"R3"`` and other
    ``"Rn"``, ``"so(3)*"``, ``"se(3)*"``, ``{"space": "S2", "count": 5}``, ``{"momentum": "R"}``,
    ``{"velocity": "X"}``. The law is one of ``field`` (a rate for each part), ``hamiltonian``, or
    ``kinetic`` (or ``mass``) with ``potential``; ``force`` adds to the last two. Formulas are texts,
    or functions of the names that they use.

    A ``field`` that is one function gives the rates of all parts, in the order of ``state``: the angular
    velocity of a rotation, angular and linear velocity of a motion (both seen from the body, or with
    ``frame="space"`` from space), ``u`` with ``q' = u x q`` of a direction, plain rates of vectors. It is
    a function of Python of the names that it uses, called at every evaluation; or compiled code, as a
    numba ``cfunc``, a function of ctypes or an address, with the signature
    ``void (double t, const double *state, const double *parameters, double *out)``. Its state and its
    parameters are the numbers of all parts and of all parameters, matrices by rows. Nobody can check what
    is at an address: it must read and write no more than these numbers, and stay there.
    """

    def __init__(
        self,
        state: Mapping[str, Any],
        *,
        field: Mapping[str, Any] | Callable[..., Any] | int | None = None,
        hamiltonian: FormulaLike | None = None,
        kinetic: FormulaLike | None = None,
        mass: Any = None,
        potential: FormulaLike | None = None,
        force: Mapping[str, Any] | None = None,
        parameters: Mapping[str, Any] | None = None,
        definitions: Named | None = None,
        observables: Named | None = None,
        invariants: Named | None = None,
        events: Named | Sequence[Mapping[str, Any]] | None = None,
        title: str | None = None,
        frame: Literal["body", "space"] | None = None,
    ) -> None:
        if field is not None and not isinstance(field, Mapping):
            field = _given(function=field, frame=frame)
        law = _given(hamiltonian=hamiltonian, kinetic=kinetic, mass=mass, potential=potential, force=force)
        self._parameters = dict(parameters or {})
        self._tables: dict[str, Any] = _given(
            state=dict(state),
            motion={**dict(field or {}), **law},
            definitions=definitions,
            observables=observables,
            invariants=invariants,
            events=events,
            title=title,
        )

    def at(self, initial: Mapping[str, Any] | None = None, /, **more: Any) -> Problem:
        """The problem with these initial data; keys that are no part of the state are as in
        :func:`solve`."""
        parts = {*self._tables["state"], *(f"d{name}" for name in self._tables["state"])}
        start = {**(initial or {}), **{key: value for key, value in more.items() if key in parts}}
        solve = {key: value for key, value in more.items() if key not in parts}
        return _problem("custom", self._parameters, start, {**self._tables, **solve})


def custom(
    state: Mapping[str, Any], initial: Mapping[str, Any], *, solve: Mapping[str, Any] | None = None, **law: Any
) -> Problem:
    """A problem of a :class:`System` of your own, at once: its initial data, and how it is solved."""
    return System(state, **law).at(initial, **(solve or {}))

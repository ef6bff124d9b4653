"""Where blocks are computed: in whatever the user has already."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ._blocks import Task, compute_whole
from ._lieflow import ProblemError

#: What a worker gives back: a block, or its range if it wrote the block into a folder.
Answer = Any


def answers(engine: Any, tasks: list[Task], out: str | None) -> Iterator[Answer]:
    """Computes all tasks in an engine; their answers come in any order.

    ``engine`` is a ``concurrent.futures.Executor`` (processes, mpi4py.futures, loky, Parsl,
    submitit), a Dask ``Client``, an mpi4py communicator or the module ``ray``.
    """
    if _is(engine, "distributed", "Client"):
        yield from _dask(engine, tasks, out)
    elif getattr(engine, "__name__", "") == "ray":
        yield from _ray(engine, tasks, out)
    elif hasattr(engine, "submit") and hasattr(engine, "map"):
        yield from _executor(engine, tasks, out)
    else:
        raise ProblemError(
            f"engine: found {type(engine).__name__}, expected an Executor, a Dask Client, an mpi4py "
            "communicator or the module ray"
        )


def is_communicator(engine: Any) -> bool:
    """Whether it is one of mpi4py."""
    return hasattr(engine, "Get_rank") and hasattr(engine, "Get_size")


def _is(engine: Any, module: str, name: str) -> bool:
    classes = type(engine).__mro__
    return any(c.__name__ == name and c.__module__.split(".")[0] == module for c in classes)


def _executor(engine: Any, tasks: list[Task], out: str | None) -> Iterator[Answer]:
    from concurrent.futures import as_completed

    futures = [engine.submit(compute_whole, task, out) for task in tasks]
    try:
        for future in as_completed(futures):
            yield future.result()
    finally:
        for future in futures:
            future.cancel()


def _dask(client: Any, tasks: list[Task], out: str | None) -> Iterator[Answer]:
    from distributed import as_completed as completed

    futures = client.map(lambda task: compute_whole(task, out), tasks, pure=False, retries=3)
    try:
        for future in completed(futures):  # type: ignore[no-untyped-call,unused-ignore]
            yield future.result()
            future.release()
    finally:
        client.cancel(futures)


def _ray(ray: Any, tasks: list[Task], out: str | None) -> Iterator[Answer]:
    remote = ray.remote(max_retries=3)(compute_whole)
    waiting = [remote.remote(task, out) for task in tasks]
    try:
        while waiting:
            ready, waiting = ray.wait(waiting)
            yield from ray.get(ready)
    finally:
        for reference in waiting:
            ray.cancel(reference)


def on_ranks(comm: Any, tasks: list[Task], out: str | None, take: Callable[[Answer], None]) -> None:
    """All ranks of a communicator compute: a counter on rank 0 says which block is next.

    Each rank begins with its own block, and asks for the next one before it computes: rank 0 answers only between
    its own blocks, and nobody should wait for that. Rank 0 takes the answers of all.
    """
    import numpy as np
    from mpi4py import MPI

    # Blocks may appear in a folder while ranks are still looking: one of them says what is missing.
    tasks = comm.bcast(tasks, root=0)
    counter = np.full(1, comm.Get_size(), dtype="i8")
    window = MPI.Win.Create(counter if comm.Get_rank() == 0 else None, comm=comm)
    one, following = np.ones(1, dtype="i8"), np.zeros(1, dtype="i8")
    found: list[Answer] = []
    failure: BaseException | None = None
    mine = comm.Get_rank()
    window.Lock_all(MPI.MODE_NOCHECK)
    try:
        while failure is None and mine < len(tasks):
            asked = window.Rget_accumulate(one, following, 0, op=MPI.SUM)
            try:
                found.append(compute_whole(tasks[mine], out))
            except Exception as error:
                failure = error
            # Looking for messages lets MPI answer the others, which its own counter does not.
            for _ in range(8):
                comm.Iprobe()
            asked.Wait()
            mine = int(following[0])
        gathered = comm.gather((found, failure), root=0)
    finally:
        window.Unlock_all()
        window.Free()
    for answers_of_rank, failed in gathered or []:
        if failed is not None:
            raise failed
        for answer in answers_of_rank:
            take(answer)

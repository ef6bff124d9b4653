"""Clusters: the same bits on every engine, whatever dies; and Ctrl-C."""

import hashlib
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import late, soon
from test_ensemble import FILE, VARY, bits

import lieflow


def test_an_interrupted_ensemble_keeps_what_is_complete(top):
    least, kept = late(lambda: lieflow.ensemble(top, vary=VARY, count=10**6, until=50.0), after=0.4)
    assert least < soon()
    assert not kept.complete and len(kept) < 10**6
    if len(kept):
        first = lieflow.ensemble(top, vary=VARY, count=1, until=50.0)
        assert kept["omega_z"][0] == first["omega_z"][0]


def test_dask_with_a_worker_that_is_killed(top):
    distributed = pytest.importorskip("distributed")
    whole = lieflow.ensemble(top + FILE)
    cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with cluster, distributed.Client(cluster) as client:
        assert bits(lieflow.ensemble(top + FILE, engine=client, block=150)) == bits(whole)
        victims = list(client.run(os.getpid).values())[:1]

        def kill(done):
            # After the first block: the others are under way.
            while victims:
                os.kill(victims.pop(), signal.SIGKILL)

        after = lieflow.ensemble(top + FILE, engine=client, block=20, progress=kill)
        assert not victims and after.complete and bits(after) == bits(whole)


MPI = """
import hashlib, os, signal, sys
import lieflow
from lieflow import _blocks
from mpi4py import MPI
text, (folder, dies) = open(sys.argv[1]).read(), sys.argv[2:]
save, saved = _blocks.save, []
def last(out, block):
    if saved:
        os.kill(os.getpid(), signal.SIGKILL)
    saved.append(block.start)
    save(out, block)
if int(dies) == MPI.COMM_WORLD.rank:
    _blocks.save = last
e = lieflow.ensemble(text, engine=MPI.COMM_WORLD, block=25, out=folder)
if MPI.COMM_WORLD.rank == 0:
    print(hashlib.sha256(b"".join([e.observed.tobytes(), e.rows.tobytes()])).hexdigest())
"""


def test_mpi_with_a_rank_that_is_killed(top, tmp_path):
    pytest.importorskip("mpi4py")
    beside = Path(sys.executable).parent
    launcher = shutil.which("mpiexec", path=f"{beside}{os.pathsep}{os.environ['PATH']}")
    if launcher is None:
        pytest.skip("no mpiexec")
    (tmp_path / "top.toml").write_text(top + FILE)
    (tmp_path / "run.py").write_text(MPI)

    def run(ranks, folder, dies):
        command = [launcher, "-n", str(ranks), sys.executable, "run.py", "top.toml", folder, str(dies)]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)

    whole = lieflow.ensemble(top + FILE)
    wanted = hashlib.sha256(whole.observed.tobytes() + whole.rows.tobytes()).hexdigest()
    # Rank 0 dies with its second block half written: the job ends, what was whole stays.
    broken = run(2, "blocks", 0)
    assert broken.returncode != 0 and wanted not in broken.stdout
    left = len(list((tmp_path / "blocks").glob("block-*.npz")))
    assert 1 <= left < 12
    # The same call again computes what is missing.
    again = run(2, "blocks", -1)
    assert again.stdout.strip() == wanted, again.stderr
    assert run(3, "other", -1).stdout.strip() == wanted


def test_ray(top):
    ray = pytest.importorskip("ray")
    whole = lieflow.ensemble(top + FILE)
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, configure_logging=False)
    try:
        assert bits(lieflow.ensemble(top + FILE, engine=ray, block=100)) == bits(whole)
    finally:
        ray.shutdown()

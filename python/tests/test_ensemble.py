"""Ensembles: the bytes of the tool, whatever computes them."""

import shutil
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest
from conftest import tool

import lieflow

VARY = {"initial.omega": {"uniform": [[-1, -1, 20], [1, 1, 60]]}}
FILE = """
[ensemble]
count = 300
seed = 7
times = [0.25]
[[ensemble.vary]]
key = "initial.omega"
uniform = [[-1, -1, 20], [1, 1, 60]]
"""


@pytest.fixture
def told(top, tmp_path):
    """The folder that the tool writes."""
    (tmp_path / "top.toml").write_text(top + FILE)
    tool("ensemble", "top.toml", "--out", "told", "--quiet", cwd=tmp_path)
    return tmp_path / "told"


def bits(e):
    return [e.observed.tobytes(), e.rows.tobytes(), e.steps.tobytes(), *(x.tobytes() for x in e.inputs.values())]


def test_bytes_of_the_tool(top, told):
    e = lieflow.ensemble(top, vary=VARY, count=300, seed=7, times=[0.25])
    assert e.final_csv() == (told / "final.csv").read_text()
    assert e.statistics_csv() == (told / "statistics.csv").read_text()
    assert len(e) == 300 and e.complete and e.failures == []
    assert e["energy_error"].shape == (300,) and e.inputs["initial.omega[3]"].min() >= 20
    assert e.at(0)["omega_z"].shape == (300,) and e.times.tolist() == [0.25, 1.0]
    assert e.statistics()[1]["observables"]["energy"]["count"] == 300
    assert bits(lieflow.ensemble(top + FILE)) == bits(e)
    assert bits(lieflow.ensemble(top + FILE, threads=1, lanes=1)) == bits(e)


@pytest.mark.parametrize("times", ["[0.25]", "[0.25, 0.5]", "[1.0]"])
def test_arrays_of_the_tool(top, told, tmp_path, times):
    """NumPy reads what the tool writes: the bits of the tables and of the columns here, under the same names."""
    # One body cannot be built, and a key takes words.
    more = """
[[ensemble.vary]]
key = "parameters.inertia"
list = [[5.0, 5.0, 1.0], [-5.0, 5.0, 1.0], [5.0, 5.0, 1.5]]
[[ensemble.vary]]
key = "solve.method"
list = ["liemid-ea", "rkmk4", "exs"]
"""
    (tmp_path / "more.toml").write_text(top + FILE.replace("times = [0.25]", f"times = {times}") + more)
    for format in ("csv", "npy"):
        tool("ensemble", "more.toml", "--out", format, "--format", format, "--quiet", cwd=tmp_path)
    names = ["final", "observed"] if times != "[1.0]" else ["final"]
    assert sorted(p.name for p in (tmp_path / "npy").glob("*.npy")) == [f"{name}.npy" for name in names]
    for name in names:
        array = np.load(tmp_path / f"npy/{name}.npy", mmap_mode="r")
        head, *lines = (tmp_path / f"csv/{name}.csv").read_text().splitlines()
        assert ",".join(array.dtype.names) == head
        rows = array[~np.isnan(array["t"])]
        assert len(rows.ravel()) == len(lines) == array.size * 2 // 3
        for column, cells in zip(array.dtype.names, zip(*(line.split(",") for line in lines))):
            kind = array.dtype[column].kind
            expected = np.array(cells) if kind == "U" else np.array(cells, "f8" if kind == "f" else "i8")
            assert rows[column].tobytes() == expected.astype(array.dtype[column]).tobytes(), column
    final = np.load(tmp_path / "npy/final.npy")
    assert final.shape == (300,) and final["index"].tolist() == list(range(300))
    assert final["solve.method"].dtype == "<U9" and set(final["solve.method"]) == {"liemid-ea", "rkmk4", "exs"}
    assert final["parameters.inertia[1]"][1] == -5 and np.isnan(final["omega_x"][1])
    e = lieflow.ensemble(lieflow.Problem(tmp_path / "more.toml").replace({"output.format": "npy"}))
    assert all(e[name].tobytes() == final[name].tobytes() for name in e if name in e.names)
    pandas = pytest.importorskip("pandas")
    assert list(pandas.DataFrame(final)["omega_x"][:1]) == [final["omega_x"][0]]


def test_lists_and_failures(top):
    e = lieflow.ensemble(top, vary={"initial.omega": np.array([[0, 0, 50.0], [0, 0, 10.0]])})
    assert len(e) == 2 and e.inputs["initial.omega[3]"].tolist() == [50.0, 10.0]
    one = lieflow.solve(lieflow.Problem(top).replace({"initial.omega": [0.0, 0.0, 10.0]}))
    assert e["omega_z"][1] == one.omega[-1, 2]
    p = lieflow.Problem(top)
    e = lieflow.ensemble(p, vary={"parameters.inertia": [[5.0, 5.0, 1.0], [-5.0, 5.0, 1.0]]})
    assert [i for i, _, _ in e.failures] == [1] and "inertia" in e.failures[0][2]
    assert np.isnan(e["omega_z"][1]) and len(e.final_csv().splitlines()) == 2


@pytest.mark.parametrize("make", [lambda: ThreadPoolExecutor(2), lambda: ProcessPoolExecutor(2)])
def test_executors(top, make, tmp_path):
    whole = lieflow.ensemble(top + FILE)
    with make() as engine:
        assert bits(lieflow.ensemble(top + FILE, engine=engine, block=64)) == bits(whole)
        out = tmp_path / "blocks"
        assert bits(lieflow.ensemble(top + FILE, engine=engine, block=64, out=out)) == bits(whole)
    assert len(list(out.glob("block-*.npz"))) == 5


def test_finished_blocks_are_not_computed_again(top, tmp_path):
    whole = lieflow.ensemble(top + FILE, block=100, out=tmp_path)
    files = sorted(tmp_path.glob("block-*.npz"))
    assert len(files) == 3
    times = [f.stat().st_mtime_ns for f in files]
    files[1].unlink()
    again = lieflow.ensemble(top + FILE, block=100, out=tmp_path)
    assert bits(again) == bits(whole) and again.final_csv() == whole.final_csv()
    assert [files[k].stat().st_mtime_ns == times[k] for k in range(3)] == [True, False, True]
    assert not list(tmp_path.glob(".block*"))
    with pytest.raises(lieflow.ProblemError, match="holds another ensemble.*problem"):
        lieflow.ensemble(top + FILE, block=100, out=tmp_path, step=0.02)
    files[0].write_bytes(b"damaged")
    with pytest.raises(lieflow.ProblemError, match="cannot be read"):
        lieflow.ensemble(top + FILE, block=100, out=tmp_path)


def test_shards_of_a_launcher(top, told, tmp_path):
    for rank in "01":
        launched = {"PMI_RANK": rank, "PMI_SIZE": "2"}
        tool("ensemble", "top.toml", "--shard", "auto", "--out", "parts", "--quiet", cwd=tmp_path, **launched)
    tool("merge", "parts/shard-1-of-2", "parts/shard-2-of-2", "--out", "all", "--quiet", cwd=tmp_path)
    assert (tmp_path / "all/final.csv").read_bytes() == (told / "final.csv").read_bytes()
    said = tool("ensemble", "top.toml", "--shard", "auto", cwd=tmp_path, status=2)
    assert "SLURM_PROCID" in said


def test_folders_of_blocks_are_merged(top, tmp_path):
    a, b, whole_folder = tmp_path / "a", tmp_path / "b", tmp_path / "whole"
    whole = lieflow.ensemble(top + FILE, block=100, out=a)
    shutil.copytree(a, b)
    first, second = (sorted(x.glob("block-*.npz")) for x in (a, b))
    first[0].unlink()
    second[1].unlink()
    merged = lieflow.merge([a, b], out=whole_folder)
    assert bits(merged) == bits(whole) and merged.complete
    assert merged.final_csv() == whole.final_csv()
    assert len(list(whole_folder.glob("block-*.npz"))) == 3
    with pytest.raises(lieflow.ProblemError, match="found no trajectories 0 to 99"):
        lieflow.merge([a])
    with pytest.raises(lieflow.ProblemError, match="found none"):
        lieflow.merge([])
    with pytest.raises(lieflow.ProblemError, match="ensemble.json: cannot be read"):
        lieflow.merge([tmp_path])
    other = tmp_path / "other"
    lieflow.ensemble(top + FILE, block=100, out=other, step=0.02)
    with pytest.raises(lieflow.ProblemError, match="its problem differs"):
        lieflow.merge([a, other])
    # A block that is not the same in both is no block of either.
    second[2].write_bytes((other / second[2].name).read_bytes())
    with pytest.raises(lieflow.ProblemError, match="differ from another folder"):
        lieflow.merge([a, b])


def test_wrong_engines_and_designs(top):
    with pytest.raises(lieflow.ProblemError, match="engine: found int"):
        lieflow.ensemble(top + FILE, engine=3)
    with pytest.raises(lieflow.ProblemError, match="ensemble"):
        lieflow.ensemble(top)
    with pytest.raises(lieflow.ProblemError, match="block: found 0"):
        lieflow.ensemble(top + FILE, block=0)


def test_tables(top, tmp_path):
    e = lieflow.ensemble(top + FILE, count=10)
    frame = pytest.importorskip("pandas") and e.to_pandas()
    assert frame["energy"].tolist() == e["energy"].tolist()
    pytest.importorskip("pyarrow")
    e.to_parquet(tmp_path / "e.parquet")
    import pyarrow.parquet as pq

    assert pq.read_table(tmp_path / "e.parquet")["qw"].to_pylist() == e["qw"].tolist()
    data = pytest.importorskip("xarray") and e.to_xarray()
    assert data["omega_x"].shape == (2, 10)

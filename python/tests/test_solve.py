"""One trajectory: the same bits as the tool, and everything that a result offers."""

import pickle
import threading

import numpy as np
import pytest
from conftest import late, soon, tool, tool_json

import lieflow


def test_bits_of_the_tool(top, tmp_path):
    path = tmp_path / "top.toml"
    path.write_text(top)
    r = lieflow.solve(path)
    said = tool_json("run", str(path))
    for name in ("system", "method", "from", "until", "steps", "state", "invariants", "events"):
        assert r.info[name] == said[name], name
    assert r.final["rotation"].tolist() == said["state"]["rotation"]
    assert r["rotation"].shape == (101, 3, 3) and r.omega.shape == (101, 3)
    assert r.t[0] == 0.0 and r.t[-1] == 1.0 and len(r) == 101
    assert r.rotation[-1].tolist() == said["state"]["rotation"]
    assert r.success and r.message == "ended by the end"
    assert r.invariants["energy"].shape == (101,)
    assert abs(np.ptp(r.invariants["energy"])) < 1e-2
    assert "rotation" in dir(r) and "omega" in r and "nothing" not in r


def test_ways_to_give_a_problem(top, tmp_path):
    path = tmp_path / "top.toml"
    path.write_text(top)
    p = lieflow.Problem(top)
    ways = [lieflow.Problem(w) for w in (path, str(path), p.to_dict(), p.to_toml(), p)]
    ways.append(
        lieflow.rigid_body(
            np.array([5.0, 5.0, 1.0]),
            omega=[0.0, 0.0, 50.0],
            rotation=[0.3, 0.0, 0.0],
            potential={"kind": "lagrange-top", "strength": 20.0},
            method="liemid-ea",
            step=0.01,
            until=1.0,
        ).replace(title="top")
    )
    assert all(w == p and hash(w) == hash(p) for w in ways)
    odd = tmp_path / "step=1.toml"
    odd.write_text(top)
    assert lieflow.Problem(str(odd)) == p and lieflow.Problem('system = "se3-test"').system == "se3-test"
    last = [lieflow.solve(w).final["omega"].tolist() for w in ways]
    assert all(x == last[0] for x in last)
    assert lieflow.Problem("fast-top").system == "rigid-body"
    assert p != p.replace(step=0.02) and p.replace(step=0.02).to_dict()["solve"]["step"] == 0.02
    turned = p.replace({"initial.omega": [0.0, 0.0, 40.0]})
    assert lieflow.solve(turned).omega[0].tolist() == [0.0, 0.0, 40.0]
    assert pickle.loads(pickle.dumps(p)) == p


def test_arguments_replace_keys(top):
    r = lieflow.solve(top, tol=1e-8, method="rkmk-dp54", until=0.5, t_eval=np.linspace(0, 0.5, 6))
    assert r.t.tolist() == np.linspace(0, 0.5, 6).tolist() and r.info["until"] == 0.5
    assert len(lieflow.solve(top, every=10).t) == 11
    assert len(lieflow.solve(top, interval=0.25).t) == 5
    quick = lieflow.solve(top, watch=False, every=25)
    watched = lieflow.solve(top, every=25)
    assert quick.t.tolist() == watched.t.tolist()
    assert quick.invariants["energy"].tolist() == watched.invariants["energy"].tolist()
    back = lieflow.solve(top, from_=1.0, until=0.0)
    assert back.t[0] == 1.0 and back.t[-1] == 0.0


@pytest.mark.parametrize("way", [{}, {"method": "rkmk-dp54", "tol": 1e-9}])
def test_dense_output(top, way):
    r = lieflow.solve(top, **way)
    times = np.array([[0.7312, 0.05], [1.0, 0.0]])
    inside = r(times)
    assert inside["rotation"].shape == (2, 2, 3, 3)
    assert inside["omega"][1, 0].tolist() == r.omega[-1].tolist()
    assert inside["omega"][1, 1].tolist() == r.omega[0].tolist()
    exact = lieflow.solve(top, method="rkmk-dop853", tol=1e-12, t_eval=[0.7312])
    assert np.allclose(inside["rotation"][0, 0], exact.rotation[0], atol=2e-2 if not way else 1e-6)
    assert r(0.5)["omega"].shape == (3,)
    with pytest.raises(lieflow.ProblemError, match="from 0.0 to 1.0"):
        r(1.5)
    # What is asked later takes the place of what was asked before.
    kept = lieflow.solve(top, every=10, **way)
    assert kept(0.5)["omega"].tolist() == r(0.5)["omega"].tolist()
    p = lieflow.Problem(top, step=0.02).replace(method="rkmk-dp54", tol=1e-8).replace(step=0.05)
    assert lieflow.solve(p).info["steps"] == 20
    moved = p.replace({"initial.omega": [0, 0, 1.0]}).replace({"initial.momentum": [0, 0, 3.0]})
    assert lieflow.solve(moved).momentum[0].tolist() == [0, 0, 3.0]
    with pytest.raises(lieflow.ProblemError, match="both given"):
        lieflow.solve(top, step=0.1, tol=1e-3)
    back = lieflow.solve(top, from_=1.0, until=0.0)
    assert np.array_equal(back([0.25, 0.5])["omega"], back([0.5, 0.25])["omega"][::-1])


def test_events_and_observables():
    body = lieflow.rigid_body(
        [5.0, 5.0, 1.0],
        rotation=[0.3, 0, 0],
        omega=[0, 0, 5.0],
        potential={"formula": "m*g*l*R33", "m": 1.0, "g": 9.81, "l": 2.0},
        observables={"height": "R33", "tip": "R*e3"},
        events=[{"name": "falls over", "formula": "R33", "direction": "falling", "then": "stop"}],
        method="rkmk-dp54",
        tol=1e-9,
        until=100.0,
    )
    r = lieflow.solve(body)
    assert r.info["ended"] == "event" and r.success
    assert [e.name for e in r.events] == ["falls over"] and abs(r.events[0].state["rotation"][2, 2]) < 1e-6
    assert np.array_equal(r.height, r.rotation[:, 2, 2]) and r["tip"].shape == (len(r), 3)
    assert set(r.info["observables"]) == {"height", "tip"}


def test_errors_are_typed_and_in_words(top, tmp_path):
    with pytest.raises(lieflow.ProblemError, match="did you mean 'fast-top'"):
        lieflow.solve("fast-topp")
    with pytest.raises(lieflow.ProblemError, match="method: no method called 'rkmk5'.*did you mean"):
        lieflow.solve(top, method="rkmk5")
    with pytest.raises(ValueError, match="problem: parameters: the key 'inertia' is missing"):
        lieflow.solve({"system": "rigid-body", "solve": {"method": "rkmk4", "step": 1, "until": 2}})
    with pytest.raises(lieflow.ProblemError, match="problem: initial.omega: found a list of 2"):
        lieflow.solve(lieflow.rigid_body([1, 2, 3], omega=[1, 2], method="rkmk4", step=0.1, until=1))
    with pytest.raises(lieflow.ProblemError, match="step: solve.step"):
        lieflow.solve(top, step=-1.0)
    with pytest.raises(lieflow.ProblemError, match="initial.omega: found set|found a list|expected"):
        lieflow.Problem(top).replace({"initial.omega": object()})
    endless: list = []
    endless.append(endless)
    with pytest.raises(lieflow.ProblemError, match="deep"):
        lieflow.Problem({"system": endless})
    path = tmp_path / "bad.toml"
    path.write_text("system = 3\n")
    with pytest.raises(lieflow.ProblemError, match=r"bad.toml:1:10: system"):
        lieflow.Problem(path)
    with pytest.raises(lieflow.ProblemError, match="cannot be read"):
        lieflow.Problem(tmp_path / "none.toml")
    # The same words as the tool.
    with pytest.raises(lieflow.ProblemError) as mine:
        lieflow.solve("fast-top", method="rkmk5")
    said = tool("run", "fast-top", "--method", "rkmk5", status=2)
    assert str(mine.value).split(": ", 1)[1] in said.split("--method: ", 1)[1]


def test_a_failed_run_keeps_what_there_is(top):
    with pytest.raises(lieflow.IntegrationError) as caught:
        lieflow.solve(top, max_steps=30)
    r = caught.value.result
    assert len(r) == 31 and not r.success and "30" in r.message
    assert lieflow.solve(top, max_steps=30, check=False).t.tolist() == r.t.tolist()
    with pytest.raises(lieflow.ProblemError):
        lieflow.solve(top, method="none", check=False)


def test_progress_and_its_exceptions():
    told = []
    r = lieflow.solve("fast-top", step=1e-4, until=20.0, every=1000, progress=told.append)
    assert r.success and told == sorted(told) and all(0 <= t <= 20 for t in told)

    def stop(t):
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough") as caught:
        lieflow.solve("fast-top", step=1e-5, until=1e6, every=1000, progress=stop)
    assert 0 < caught.value.result.t[-1] < 1e6


@pytest.mark.parametrize("watch", [True, False])
def test_interrupt(top, watch):
    least, kept = late(lambda: lieflow.solve(top, until=1e7, every=10**6, watch=watch))
    assert least < soon() and 0 < kept.final["t"] < 1e7


def test_pickle_and_report(top):
    r = lieflow.solve(top)
    again = pickle.loads(pickle.dumps(r))
    assert np.array_equal(again.rotation, r.rotation) and again.info == r.info
    assert again(0.5)["omega"].tolist() == r(0.5)["omega"].tolist()
    page = again._repr_html_()
    assert page.startswith("<iframe srcdoc=") and 'sandbox="allow-scripts"' in page
    assert "http-equiv" not in r.html() or len(r.html()) > 1e4


def test_save(top, tmp_path):
    r = lieflow.solve(top)
    r.save(tmp_path / "top.npz")
    with np.load(tmp_path / "top.npz") as data:
        assert np.array_equal(data["omega"], r.omega)
    r.save(tmp_path / "top.html")
    assert (tmp_path / "top.html").read_text().lower().startswith("<!doctype html")
    with pytest.raises(lieflow.ProblemError, match="expected .html or .npz"):
        r.save(tmp_path / "top.txt")
    lieflow.Problem(top).save(tmp_path / "again.toml")
    assert lieflow.Problem(tmp_path / "again.toml") == lieflow.Problem(top)


def test_frames(top):
    r = lieflow.solve(top)
    table = pytest.importorskip("pandas") and r.to_pandas()
    assert table["rotation_3_3"].iloc[-1] == r.rotation[-1, 2, 2] and table.index.name == "t"
    data = pytest.importorskip("xarray") and r.to_xarray()
    assert data["omega"].shape == (101, 3) and data.attrs["method"] == "liemid-ea"


def test_plot(top):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    r = lieflow.solve(top)
    assert len(r.plot("omega")) == 1 and len(r.plot()) >= 3


def test_threads_share_a_problem(top):
    p = lieflow.Problem(top)
    found = {}

    def work(k):
        found[k] = lieflow.solve(p).rotation.tobytes()

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert len(found) == 8 and len(set(found.values())) == 1

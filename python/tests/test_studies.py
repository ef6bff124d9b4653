"""Studies are the documents of the tool."""

import lieflow
import pytest
from conftest import tool_json


def test_order(top, tmp_path):
    path = tmp_path / "top.toml"
    path.write_text(top)
    mine = lieflow.order(path, ["rkmk4", "cf4"], [0.01, 0.005, 0.0025])
    theirs = tool_json("order", str(path), "--methods", "rkmk4,cf4", "--steps", "0.01,0.005,0.0025")
    assert [m["method"] for m in mine["methods"]] == ["rkmk4", "cf4"]
    for a, b in zip(mine["methods"], theirs["methods"]):
        assert a["order"] == b["order"]
        assert [p["error"] for p in a["points"]] == [p["error"] for p in b["points"]]


def test_drift(top):
    found = lieflow.drift(top, ["liemid-ea"], until=20.0)
    assert found["methods"][0]["invariants"]["energy"]["verdict"] == "bounded"


def test_compare(top):
    found = lieflow.compare(top, ["rkmk4", "liemid-ea"], [0.01, 0.005, 0.0025], rounds=1)
    assert {m["method"] for m in found["methods"]} == {"rkmk4", "liemid-ea"}


def test_certify(top):
    assert lieflow.certify("liemid-ea")["method"] == "liemid-ea"
    on = lieflow.certify("rkmk4", lieflow.Problem(top))
    assert on["symplectic_defect"] is not None
    with pytest.raises(lieflow.ProblemError, match="did you mean"):
        lieflow.certify("liemid-eb")


def test_unknown_experiment():
    with pytest.raises(lieflow.ProblemError, match="experiment or paper"):
        lieflow.reproduce("krysl2005")


def test_reproduce_into_a_folder(tmp_path):
    name = "krysl-fig02"
    first = lieflow.reproduce(name, quick=True, out=tmp_path / "gallery")
    assert len(first["experiments"]) == 1 and first["ended"] == "end"
    page = tmp_path / "gallery" / "index.html"
    assert page.exists() and list((tmp_path / "gallery").rglob("SHA256SUMS"))
    # What is complete is not computed again.
    stamps = {p: p.stat().st_mtime_ns for p in (tmp_path / "gallery").rglob("result.json")}
    again = lieflow.reproduce(name, quick=True, out=tmp_path / "gallery")
    assert stamps and stamps == {p: p.stat().st_mtime_ns for p in stamps}
    assert again["holds"] == first["holds"]


def test_bad_steps(top):
    with pytest.raises(lieflow.ProblemError, match="steps: found -1"):
        lieflow.order(top, ["rkmk4"], [-1.0, 0.5])


def test_listed_methods_are_current():
    from pathlib import Path

    import lieflow._methods
    import write_methods

    listed = Path(lieflow._methods.__file__).read_text(encoding="utf-8")
    assert listed == write_methods.text(), "run tests/write_methods.py"
    assert "rkmk4" in lieflow.methods("rigid-body") and "rkmk4" in lieflow.methods()

"""The notebooks of the manual run in Jupyter, and leave pages that the tests in a browser open."""

import html
import json
import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "docs").rglob("*.ipynb"))


def test_there_are_notebooks_without_results():
    assert {"first-steps.ipynb", "ensembles.ipynb"} <= {path.name for path in NOTEBOOKS}
    for path in NOTEBOOKS:
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            assert not cell.get("outputs") and cell.get("execution_count") is None, f"{path}: strip its outputs"


def page(notebook) -> str:
    """An executed notebook as Jupyter shows it: what is HTML stands as it is."""
    parts = ["<!doctype html><meta charset=utf-8><title>notebook</title>"]
    for cell in notebook["cells"]:
        parts.append(f"<pre>{html.escape(cell['source'])}</pre>")
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "text/html" in data:
                parts.append(f"<div class=output>{data['text/html']}</div>")
            elif "image/png" in data:
                parts.append(f"<img src='data:image/png;base64,{data['image/png']}'>")
            else:
                parts.append(f"<pre>{html.escape(data.get('text/plain', output.get('text', '')))}</pre>")
    return "\n".join(parts)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_notebook_runs(path, tmp_path, monkeypatch):
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    pytest.importorskip("matplotlib")
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    client = nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}})
    client.execute()
    kinds = {kind for cell in notebook["cells"] for output in cell.get("outputs", []) for kind in output.get("data", {})}
    assert "image/png" in kinds, "its figure is drawn"
    text = page(notebook)
    if path.stem == "first-steps":
        assert "text/html" in kinds and "<iframe srcdoc=" in text
    folder = os.environ.get("LIEFLOW_NOTEBOOKS")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        (Path(folder) / f"{path.stem}.html").write_text(text, encoding="utf-8")

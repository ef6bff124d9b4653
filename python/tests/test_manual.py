"""The examples of the manual page run."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "python.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)


def test_the_page_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert len(EXAMPLES) >= 8
    names: dict = {}
    for number, example in enumerate(EXAMPLES, 1):
        wants = [m for m in ("pandas", "pyarrow", "xarray", "matplotlib", "distributed") if m in example]
        if any(_missing(module) for module in wants):
            continue
        exec(compile(example, f"{PAGE.name}, example {number}", "exec"), names)


def _missing(module):
    try:
        pytest.importorskip(module)
    except pytest.skip.Exception:
        return True
    return False

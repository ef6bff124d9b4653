"""The Python of the manual and of both READMEs runs."""

import re
import shlex
from pathlib import Path

import pytest
from conftest import tool

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.S | re.M)
PAGES = [
    page
    for page in [ROOT / "README.md", ROOT / "python" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    if "```python\n" in page.read_text(encoding="utf-8")
]


def test_there_are_pages():
    assert {"python.md", "data.md", "scipy.md", "README.md"} <= {page.name for page in PAGES}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_page_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
    names: dict = {}
    for number, (kind, text) in enumerate(blocks):
        title = re.match(r"# (\S+\.toml)\n", text)
        if kind == "toml" and title:
            Path(title[1]).write_text(text, encoding="utf-8")
        if kind != "python":
            continue
        # What the commands just before have written.
        before = blocks[number - 1][1] if number and blocks[number - 1][0] == "sh" else ""
        for line in before.splitlines():
            # Those that show a message leave nothing behind.
            if line.startswith("lieflow ") and "# exit" not in line:
                tool(*shlex.split(line, comments=True)[1:])
        wants = ("pandas", "pyarrow", "xarray", "matplotlib", "distributed", "scipy", "numba")
        if any(_missing(module) for module in wants if module in text):
            continue
        # As many trajectories as a README boasts of take too long here.
        text = text.replace("count=10**5", "count=100")
        exec(compile(text, f"{page.name}, block {number + 1}", "exec"), names)


def _missing(module):
    try:
        pytest.importorskip(module)
    except pytest.skip.Exception:
        return True
    return False

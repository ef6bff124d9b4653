"""The package and a program that uses it pass mypy --strict, and mypy sees mistakes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).with_name("typed_example.py")


def checked(folder, *files):
    """What mypy says of some files."""
    # The types of NumPy take a quarter of a minute to read; once is enough.
    cache = Path(sys.prefix) / "mypy-cache"
    options = ["--strict", "--no-error-summary", "--ignore-missing-imports", "--cache-dir", str(cache)]
    # So do those of what tables and figures are handed to: they are read where there is time for more.
    if not os.environ.get("LIEFLOW_PYTHON_MORE"):
        settings = Path(folder) / "mypy.ini"
        settings.write_text("[mypy]\n[mypy-pandas.*,pyarrow.*,xarray.*,matplotlib.*,distributed.*]\nfollow_imports = skip\n")
        options += ["--config-file", str(settings)]
    command = [sys.executable, "-m", "mypy", *options, *files]
    environment = {**os.environ, "MYPYPATH": os.environ.get("PYTHONPATH", "")}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=folder)
    return done.stdout + done.stderr


def test_an_example_is_clean_and_mistakes_are_seen(tmp_path):
    pytest.importorskip("mypy")
    wrong = tmp_path / "wrong.py"
    wrong.write_text(
        "import lieflow\n"
        "lieflow.solve('free', metod='exs')\n"
        "lieflow.solve('free', chart='ex')\n"
        "lieflow.pendulum_chain([1], [1], q=[0, 0, 1], omega=[0, 0, 0], space='se4')\n"
        "reveal_type(lieflow.solve('free').t)\n"
    )
    said = checked(tmp_path, str(EXAMPLE), str(wrong))
    assert [line for line in said.splitlines() if "typed_example" in line or "lieflow/" in line] == [], said
    mistakes = [line for line in said.splitlines() if "error" in line]
    assert len(mistakes) == 3 and "metod" in mistakes[0] and "'ex'" in mistakes[1] and "se4" in mistakes[2], said
    assert "float64" in said


def test_the_example_runs():
    sys.path.insert(0, str(EXAMPLE.parent))
    import typed_example

    assert typed_example.main() == typed_example.main()

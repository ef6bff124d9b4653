"""Writes ``lieflow/_methods.py``: the names of all methods, so that editors know them.

Run it with the package installed after a method was added; a test says when that is due.
"""

from pathlib import Path

import lieflow

HEAD = '''"""The names of all methods. Written by ``tests/write_methods.py``; do not edit."""

from typing import Literal, Union

#: A method by its id. Families have more members than are listed, so that any text is taken.
Listed = Literal[
'''
TAIL = """]
Method = Union[Listed, str]
"""


def text() -> str:
    """The file."""
    return HEAD + "".join(f'    "{name}",\n' for name in sorted(lieflow.methods())) + TAIL


if __name__ == "__main__":
    package = Path(__file__).parents[1] / "lieflow"
    (package / "_methods.py").write_text(text(), encoding="utf-8")

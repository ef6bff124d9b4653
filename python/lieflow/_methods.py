"""The names of all methods. Written by ``write_methods.py``; do not edit."""

from typing import Literal, Union

#: A method by its id. Families have more members than are listed, so that any text is taken.
Listed = Literal[
    "rkmk4",
]
Method = Union[Listed, str]

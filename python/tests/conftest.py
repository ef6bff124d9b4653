"""What all tests share: a problem and the tool."""

import _thread
import json
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

TOP = """
system = "rigid-body"
title = "top"
[parameters]
inertia = [5.0, 5.0, 1.0]
potential = { kind = "lagrange-top", strength = 20.0 }
[initial]
rotation = { vector = [0.3, 0.0, 0.0] }
omega = [0.0, 0.0, 50.0]
[solve]
method = "liemid-ea"
step = 0.01
until = 1.0
"""


def late(run, after: float = 0.2) -> tuple[float, object]:
    """How long after Ctrl-C a run ends, at best of a few, and what it has kept."""
    # What starts the tests may have told them to ignore it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    least, kept = float("inf"), None
    for _ in range(5):
        sent = []

        def interrupt():
            sent.append(time.monotonic())
            _thread.interrupt_main()

        threading.Timer(after, interrupt).start()
        with pytest.raises(KeyboardInterrupt) as caught:
            run()
        least, kept = min(least, time.monotonic() - sent[0]), caught.value.result
        if least < soon():
            break
    return least, kept


def soon() -> float:
    """A tenth of a second; more on a machine that does other things."""
    return 0.1 if os.getloadavg()[0] <= 1.5 * (os.cpu_count() or 1) else 2.0


@pytest.fixture
def top() -> str:
    """The text of a problem file."""
    return TOP


def tool(*arguments: str, cwd: object = None, status: int = 0, **variables: str) -> str:
    """What the command-line tool prints."""
    command = [sys.executable, "-m", "lieflow", *arguments]
    environment = {**os.environ, **variables}
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, env=environment)
    assert done.returncode == status, done.stderr
    return done.stdout if status == 0 else done.stderr


def tool_json(*arguments: str, cwd: object = None) -> dict:
    """The document that the tool prints."""
    return json.loads(tool(*arguments, "--json", cwd=cwd))

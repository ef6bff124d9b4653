"""The command-line tool, as the command ``lieflow`` that comes with the package."""

from __future__ import annotations

import signal
import sys

from . import _lieflow


def main() -> int:
    """Carries out the command line and gives the exit status."""
    # The tool looks for signals itself; the handler of Python would only note them.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.stdout.flush()
    return _lieflow.tool(["lieflow", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())

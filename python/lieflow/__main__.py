"""``python -m lieflow`` is the command-line tool."""

import sys

from ._tool import main

sys.exit(main())

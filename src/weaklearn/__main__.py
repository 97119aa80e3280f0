"""``python -m weaklearn`` is the command ``weaklearn``."""

import sys

from weaklearn.cli import main

sys.exit(main())

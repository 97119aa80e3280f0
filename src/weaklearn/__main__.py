"""``python -m weaklearn`` is the command ``weaklearn``."""

import sys

from weaklearn.cli import main

if __name__ == "__main__":
    sys.exit(main())

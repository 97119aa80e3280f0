"""``python -m weaklearn`` is the command ``weaklearn``."""

import sys

if __name__ == "__main__":
    try:
        from weaklearn.cli import main
    except KeyboardInterrupt:  # so early that nobody has begun to listen
        sys.exit(130)
    sys.exit(main())

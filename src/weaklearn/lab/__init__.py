"""The lab: a page on this machine where a class watches boosting.

``serve`` opens it, ``export`` writes one run as a page that replays it without a server. Behind it
stands the standard library alone.
"""

from .replay import export
from .serving import serve

__all__ = ["export", "serve"]

"""The lab: a page on this machine where a class watches boosting.

``serve`` opens it, ``export`` writes one run as a page that replays it without a server. Nothing but
the standard library stands behind it.
"""

from .export import export
from .serving import serve

__all__ = ["export", "serve"]

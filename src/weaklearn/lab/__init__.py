"""The lab: a page on this machine that shows boosting round by round.

``serve`` opens it, ``export`` writes one run as a page that replays it without a server. The server
is the standard library's.
"""

from .replay import export
from .serving import serve

__all__ = ["export", "serve"]

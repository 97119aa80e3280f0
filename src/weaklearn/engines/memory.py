"""The memory that this process may use."""

from __future__ import annotations

import os

from .threads import GROUPS, OWN, Place, control_groups, text_of


def memory_limit(groups: Place = GROUPS, own: Place = OWN) -> float:
    """The bytes of memory of this machine, or of the control group or container around the process.

    Infinity where the system does not say.
    """
    limits = [_granted(group, first) for group, first in control_groups("memory", groups, own)]
    return min([_machine(), *limits])


def _machine() -> float:
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, OSError, ValueError):  # as on Windows
        return float("inf")


def _granted(group: str, is_first_version: bool) -> float:
    """The memory that one control group grants, or infinity."""
    name = "memory.limit_in_bytes" if is_first_version else "memory.max"
    try:
        return float(int(text_of(group, name)))
    except (OSError, ValueError):  # there is no such group, or "max"
        return float("inf")

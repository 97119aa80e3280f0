"""Calibrations in files; they need numpy alone."""

from __future__ import annotations

from ..files.check import real
from ..files.member import MOST_SCORE
from ..files.record import plain
from ..losses.links import Calibration

_MOST_STEP = 1e9  # the slope and shift of a link, far beyond those that a fit finds
CALIBRATION = plain(
    22,
    Calibration,
    {"slope": real(-_MOST_STEP, _MOST_STEP), "shift": real(-MOST_SCORE, MOST_SCORE)},
)

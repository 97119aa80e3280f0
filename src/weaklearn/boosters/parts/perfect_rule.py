"""The end of a game that one rule wins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from ...base.booster import S
from ...base.record import Round, Stop

if TYPE_CHECKING:
    from ...base.ensemble import Ensemble

PERFECT = {"margin_min": 1.0, "train_error": 0.0}


def won(state: S, alone: Ensemble, metrics: Mapping[str, float]) -> tuple[S, Round]:
    """The state and the round in which a rule (or its opposite) errs nowhere.

    ``alone`` is the vote of that rule by itself: it outvotes all before it.
    """
    return replace(state, ensemble=alone), Round({**metrics, **PERFECT}, Stop.PERFECT)

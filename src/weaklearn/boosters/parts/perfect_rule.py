"""The end of boosting at a hypothesis without error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from ...base.booster import Round, S, Stop

if TYPE_CHECKING:
    from ...base.ensemble import Ensemble

PERFECT = {"margin_min": 1.0, "train_error": 0.0}


def won(state: S, alone: Ensemble, metrics: Mapping[str, float]) -> tuple[S, Round]:
    """The final state and round where a hypothesis (or its opposite) makes no error.

    ``alone`` is the vote of that rule by itself: it outvotes all before it.
    """
    return replace(state, ensemble=alone), Round({**metrics, **PERFECT}, Stop.PERFECT)

"""What many rules a round have learnt: as a table, and taken apart for one text."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.messages.table import Table
from ..base.types import Floats
from ..base.votes.graded_rules import GradedRules, merged
from ..inspection.merge_rules import MergedRounds
from ..inspection.rule_text import feature_name

_ALWAYS = "(always)"
_NOTE = "what the score of the label gains, times the weight of the term in the text"


def is_graded(ensemble: Any) -> bool:
    """Whether the members of an ensemble are many rules a round."""
    return len(ensemble) > 0 and isinstance(ensemble.members[0], GradedRules)


def rule_table(
    ensemble: Any, n: int | None, merge: bool, scored: tuple[list[Any], Any], schema: Any
) -> Table:
    """The rules of the first n rounds, those of a round from the best on, a line a label."""
    labels, score = scored
    found: dict[Any, tuple[list[int], Floats]] = {}
    for t, h in enumerate(ensemble.members[:n], start=1):
        listed = [(-1, h.base), *zip(h.features.tolist(), h.confidences, strict=True)]
        for j, numbers in listed:
            rounds, sum_of = found.setdefault(j if merge else (t, j), ([], np.zeros(len(h.base))))
            rounds.append(t)
            sum_of += numbers
    rows: list[tuple[Any, ...]] = []
    for key, (rounds, numbers) in found.items():
        j = key if merge else key[1]
        term = _ALWAYS if j < 0 else feature_name(schema, j)
        when = MergedRounds(rounds) if merge else rounds[0]
        gains = score(numbers).tolist()
        rows += [(when, term, *row) for row in zip(labels, gains, strict=True)]
    columns = ["rounds" if merge else "round", "term", "label", "adds"]
    return Table("rules", columns, rows, _NOTE, shown=30)


def added(ensemble: Any, weights: dict[int, float], score: Any) -> tuple[Floats, dict[int, Floats]]:
    """What a text scores without any term, and what each of its terms adds, label by label.

    ``weights`` are those of its terms, by column.
    """
    base, gains = np.zeros(len(ensemble.members[0].base)), dict[int, Floats]()
    for grain in dict.fromkeys(h.grain for h in ensemble.members):
        h = merged(each for each in ensemble.members if each.grain == grain)
        base += h.base
        for j, c in zip(h.features.tolist(), h.confidences, strict=True):
            if j in weights:
                gains[j] = gains.get(j, 0.0) + np.rint(weights[j] / grain) * grain * c
    return score(base), {j: score(each) for j, each in gains.items()}

"""Which fitted attributes of rules, of ensembles of them and of alternating trees files hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..base.ensemble import Ensemble
from ..base.trees.rule import Rule
from ..base.trees.splitter import Splitter
from ..base.votes.weighted_sum import WeightedSum
from ..files.check import instance, named, need, real
from ..files.rule import RULE
from ..registry import Row
from . import checks as fit
from .kept import Kept
from .kept_boosting import FACTS, two_classes


def _boosted_of(member: type, voting: type) -> Callable[[Any], None]:
    """The check of ``boosted``, for ensembles of one class of members and one class of votes."""
    recorded = fit.boosted(*FACTS.split())

    def check(model: Any) -> None:
        recorded(model)
        for part in model.ensemble_.parts:
            need(type(part) is voting, "the vote is not one of its scheme")
        for h in model.ensemble_.members:
            need(type(h) is member, f"a member is {named(h)}")

    return check


def alternating(row: Row) -> Kept:
    """An alternating decision tree."""
    return two_classes(row, consistent=_boosted_of(Splitter, WeightedSum))


def rule_set(row: Row) -> Kept:
    """An ensemble of rules."""
    return two_classes(row, consistent=_boosted_of(Rule, Ensemble))


rule = Kept(
    {
        "_schema": fit.schema,
        "classes_": fit.two_classes,
        "rule_": instance(RULE.home),
        "confidence_": real(),
        "error_": real(0.0, 1.0),
    }
)

"""Models of one rule."""

from __future__ import annotations

from ..prediction import rules, signs, stumps
from .model import Model


class StumpClassifier(Model):
    """One stump."""

    _answers = stumps.answers
    predict = stumps.predict
    decision_function = stumps.decision_function


class RuleClassifier(Model):
    """One conjunction of tests."""

    decision_function = rules.decision_function
    predict = signs.predict

"""Models of one rule."""

from __future__ import annotations

from ..files.check import instance, real
from ..files.readable import RULE
from ..files.stump import STUMP
from ..prediction import rules, signs, stumps
from .model import Classifier, columns, labels


class StumpClassifier(Classifier):
    """One stump."""

    _needed = {"_schema": columns, "classes_": labels, "stump_": instance(STUMP.home)}
    _answers = stumps.answers
    predict = stumps.predict
    decision_function = stumps.decision_function


class RuleClassifier(Classifier):
    """One conjunction of tests."""

    _needed = {
        "_schema": columns,
        "classes_": labels,
        "rule_": instance(RULE.home),
        "confidence_": real(),
    }

    decision_function = rules.decision_function
    predict = signs.predict

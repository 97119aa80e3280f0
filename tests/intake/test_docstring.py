"""Docstrings tell every parameter once, those that are shared too."""

from __future__ import annotations

import inspect
import re
from typing import Any

import pytest

import weaklearn as wl
from weaklearn.estimators.boosting.base import Boosting
from weaklearn.intake.docstring import completed

BOOSTED = [
    each
    for each in (getattr(wl, name) for name in wl.__all__)
    if inspect.isclass(each) and issubclass(each, Boosting)
]


def sections(doc: str) -> dict[str, list[str]]:
    """The names that stand at the left, by section."""
    found: dict[str, list[str]] = {}
    here: list[str] = []
    lines = inspect.cleandoc(doc).splitlines()
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        if re.fullmatch("-+", below):
            here = found.setdefault(line, [])
        elif line and not line.startswith((" ", "-", ">", ".")):
            here += re.findall(r"\w+", line.partition(" : ")[0])
    return found


@pytest.mark.parametrize("kind", BOOSTED, ids=lambda kind: kind.__name__)
def test_every_parameter_is_told_once(kind: Any) -> None:
    found = sections(kind.__doc__)
    assert sorted(found["Parameters"]) == sorted(inspect.signature(kind).parameters)
    assert {"n_features_in_", "ensemble_", "history_", "n_iter_"} <= set(found["Attributes"])
    order = [name for name in ("Parameters", "Attributes", "Examples") if name in found]
    assert list(found) == order


def test_help_shows_what_is_shared(capsys: Any) -> None:
    help(wl.LPBoostClassifier)
    shown = capsys.readouterr().out
    assert 'multiclass : {"ovr", "pairs"}' in shown
    assert "As in ``AdaBoostClassifier``" in shown
    assert "estimator_errors_" in shown


def test_what_has_no_parameters_is_left_alone() -> None:
    assert completed(None, ["tol"]) is None
    assert completed("A part of several.", ["tol"]) == "A part of several."
    whole = "It.\n\nParameters\n----------\ntol : float\n    Slack."
    assert completed(whole, ["tol"]) == whole

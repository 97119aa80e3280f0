"""Docstrings tell every parameter once, those that are shared too."""

from __future__ import annotations

import inspect
import re
from typing import Any

import pytest

import weaklearn as wl
from weaklearn.estimators.boosting.base import Boosting
from weaklearn.intake.docstring import completed, entries

ESTIMATORS = [
    each
    for each in (getattr(wl, name) for name in wl.__all__)
    if inspect.isclass(each) and hasattr(each, "get_params")
]
BOOSTED = [each for each in ESTIMATORS if issubclass(each, Boosting)]


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


@pytest.mark.parametrize("kind", ESTIMATORS, ids=lambda kind: kind.__name__)
def test_every_parameter_has_a_text_of_its_own(kind: Any) -> None:
    doc = inspect.cleandoc(kind.__doc__)
    described = doc.partition("Parameters\n----------\n")[2].partition("\n\n")[0]
    texts = {name: entry.text for entry in entries(described) for name in entry.names}
    parameters = list(inspect.signature(kind).parameters)
    assert sorted(texts) == sorted(parameters)
    assert [name for name in parameters if "\n    " not in texts[name]] == []
    assert re.findall("[Aa]s in ``.*|those of :class:.*", doc) == []


def test_help_shows_what_is_shared(capsys: Any) -> None:
    help(wl.MadaBoostClassifier)
    shown = capsys.readouterr().out
    assert 'multiclass : {"ovr", "pairs"}' in shown
    assert "The share of the rows held out for early stopping" in shown
    assert "estimator_errors_" in shown


def test_an_inherited_text_names_the_default_of_the_class() -> None:
    assert "n_estimators : int, default 100" in wl.AdaBoostClassifier.__doc__
    assert "n_estimators : int, default 50" in wl.AdaBoostRegressor.__doc__


def test_what_has_no_parameters_is_left_alone() -> None:
    assert completed(None, {"tol": 0.0}) is None
    assert completed("A part of several.", {"tol": 0.0}) == "A part of several."
    described = "It.\n\nParameters\n----------\ntol : float\n    Slack."
    assert completed(described, {"tol": 0.0}) == described

"""Values in messages: as their users write them, and not as numpy does."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import weaklearn as wl
from weaklearn.base.messages.value_text import show
from weaklearn.theory import bounds, simulate, vc
from weaklearn.theory.pac.planning import plan
from weaklearn.vision import haar

SOURCES = Path(wl.__file__).parent
# What is no value of a user's: names, texts, and objects that show themselves.
_OURS = {
    *("self", "found", "name", "text", "kind", "how", "label", "loss", "rule", "word"),
    *(
        "path",
        "str(path)",
        "package",
        "folder",
        "inside",
        "own",
        "option",
        "host",
        "axes",
        "scarce",
    ),
    *(
        "estimator",
        "callback",
        "callbacks",
        "self.estimator",
        "self.name",
        "self.how",
        "self.parts",
    ),
    *("loss.name", "row.type", "seen[word]", "type(self).__name__", "classes.tolist()[0]"),
    *("FADING", "OWN", "self._hidden()", "standing.constant", "standing.units[:-1]"),
    *("_word(cascade, name)", "scarce", "self.parts"),
}
# Texts alone come here: of tables, command lines, files and pages.
_OF_TEXTS = {
    "cli",
    "datasets",
    "files",
    "page",
    "persistence",
    "export",
    "production",
    "lazy_names",
}


def raised_reprs(path: Path) -> list[str]:
    """The expressions that errors of a file show by their repr."""
    return [
        ast.unparse(part.value)
        for raised in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(raised, ast.Raise)
        for part in ast.walk(raised)
        if isinstance(part, ast.FormattedValue) and part.conversion == ord("r")
    ]


def test_errors_show_values_and_not_their_repr() -> None:
    found = {
        f"{path.relative_to(SOURCES)}: {shown}"
        for path in sorted(SOURCES.rglob("*.py"))
        if path.relative_to(SOURCES).parts[0].removesuffix(".py") not in _OF_TEXTS
        for shown in raised_reprs(path)
        if shown not in _OURS
    }
    assert not found, "write {show(value)}: a repr shows np.float64(0.5)"


def test_numbers_of_numpy_are_shown_as_numbers() -> None:
    assert show(np.float64(0.5)) == "0.5"
    assert show((np.int64(3), [np.float32(0.5), np.True_])) == "(3, [0.5, True])"
    assert show(["a"] * 30).startswith("['a', ")


CALLS: dict[str, Callable[[Any], Any]] = {
    "gamma": lambda x: plan(x, 0.1, 0.1),
    "eps": lambda x: plan(0.1, x, 0.1),
    "vc_dim": lambda x: plan(0.1, 0.1, 0.1, vc_dim=x),
    "height": lambda x: haar.haar_count(x, 24),
    "types": lambda x: haar.haar_count(24, 24, types=x),
    "cls": vc.vc_dimension,
    "growth": lambda x: vc.growth(vc.Thresholds(), x),
    "trials": lambda x: simulate.coverage("consistent_finite", trials=x),
    "bits": bounds.bits_m,
    "resample": lambda x: wl.AdaBoostClassifier(resample=x).fit([[0], [1]], [0, 1]),
    "alpha": lambda x: wl.AlphaBoostClassifier(alpha=x, gamma=x).fit([[0], [1]], [0, 1]),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("value", [np.float64(-1.5), np.int64(-3), [np.float64(7.5)]], ids=str)
def test_no_message_speaks_numpy(call: str, value: Any) -> None:
    with pytest.raises((ValueError, TypeError)) as told:
        CALLS[call](value)
    assert "np." not in str(told.value)

"""Docstrings of estimators, completed with the parameters that they share."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")

_PARAMETERS = "Parameters\n----------\n"
_MULTICLASS = """\
multiclass : {"ovr", "pairs"}, default "ovr"
    More than two classes are boosted one against the rest, or every two against one another."""
_ATTRIBUTES = """\
Attributes
----------
classes_, n_features_in_, feature_names_in_, n_iter_, stop_reason_, history_, ensemble_,
estimators_, estimator_weights_, estimator_errors_, edges_, feature_importances_"""


def with_parameters(text: str) -> Callable[[type[T]], type[T]]:
    """A decorator that puts this text in place of the line PARAMETERS of a class's docstring."""

    def documented(cls: type[T]) -> type[T]:
        cls.__doc__ = (cls.__doc__ or "").replace("\n    PARAMETERS\n", text)
        return cls

    return documented


def completed(doc: str | None, names: Sequence[str]) -> str | None:
    """A docstring with the parameters that it leaves out, and a classifier's attributes.

    >>> print(completed("A booster.\\n\\nParameters\\n----------\\nnu : float", ["nu", "tol"]))
    A booster.
    <BLANKLINE>
    Parameters
    ----------
    nu : float
    tol
        As in ``AdaBoostClassifier``.
    """
    clean = "" if doc is None else inspect.cleandoc(doc)
    if _PARAMETERS not in clean:  # not of an estimator, or dropped by ``python -OO``
        return doc
    head, _, tail = clean.partition(_PARAMETERS)
    section, blank, rest = tail.partition("\n\n")
    section = "\n".join([section, *_left_out(section, names)])
    if "class_weight" in names and "Attributes\n---" not in rest:
        section += f"\n\n{_ATTRIBUTES}"
    return head + _PARAMETERS + section + blank + rest


def _left_out(section: str, names: Sequence[str]) -> list[str]:
    """Lines for the parameters that the section does not describe."""
    heads = re.findall(r"^(?! )([\w, \n]+?),?(?: :.*)?$", section, re.MULTILINE)
    known = {name for head in heads for name in re.split(r"\W+", head)}
    left = [name for name in names if name not in known]
    lines = [_MULTICLASS] if "multiclass" in left else []
    left = [name for name in left if name != "multiclass"]
    if left:
        lines += [*textwrap.wrap(", ".join(left), 92), "    As in ``AdaBoostClassifier``."]
    return lines

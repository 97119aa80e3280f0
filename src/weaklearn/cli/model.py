"""Models by their short names, and their parameters as they are written on a command line."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import weaklearn

from ..base.messages.spelling import nearest
from ..datasets.data_table import DataTable
from ..intake.other_names import meant
from ..registry import ROWS, row_of
from ..registry.row import RANKING
from .fault import Fault

CLASSES, NUMBERS = "classes", "numbers"
USUAL = "gradient"  # where no model is named
SIMPLER = "adaboost"  # what models that are hard to read are measured beside


def _models() -> dict[str, tuple[str, str]]:
    found: dict[str, tuple[str, str]] = {}
    for row in ROWS.values():
        if row.command is not None and row.reads == "columns":
            for_classes, for_numbers = found.get(row.command, ("", ""))
            pair = (row.name, for_numbers) if row.predicts == CLASSES else (for_classes, row.name)
            found[row.command] = pair
    return found


# By short names the class for classes, and the one for numbers; an empty name where there is none.
MODELS = _models()
TEXTS = {row.command: row.name for row in ROWS.values() if row.command and row.reads == "texts"}


def named(name: str, task: str) -> type[Any]:
    """The estimator class of a short name, or of the class's own name."""
    if name in TEXTS:
        return _class(getattr(weaklearn, TEXTS[name]))
    short = name.lower().replace("_", "-")
    if short in MODELS:
        for_classes, for_numbers = MODELS[short]
        wanted = for_classes if task == CLASSES else for_numbers
        if not wanted:
            able = ", ".join(key for key, pair in MODELS.items() if pair[1])
            raise Fault(
                f"--model {name} is a classifier, and the target holds numbers; choose one of "
                f"{able}, or pass --task classes."
            )
        return _class(getattr(weaklearn, wanted))
    if name in ROWS:
        found = _class(getattr(weaklearn, name))
        if "predict" in found._offered:
            return found
    known = [*MODELS, *TEXTS]
    raise Fault(
        f"--model {name} is not allowed: it must be one of {', '.join(known)}, or the name of an "
        f"estimator.{nearest(name, [*known, *weaklearn.__all__])}"
    )


def _class(found: Any) -> type[Any]:
    known: type[Any] = found
    return known


_TUPLE = re.compile(r"\([^()]*\)")  # as Python writes it


def made(name: str, task: str, settings: Sequence[str], **common: Any) -> Any:
    """An unfitted model with its parameters; ``common`` ones are set where the model has them."""
    kind = named(name, task)
    given = dict(map(setting, settings))
    _refuse_no_labels(kind, given)
    try:
        model = kind()
    except TypeError as error:
        raise Fault(f"--model {name} cannot be made from a command line: {error}") from None
    known = model.get_params(deep=False)
    check_known(kind, known, given)
    for key, value in given.items():
        if isinstance(value, str) and _TUPLE.fullmatch(value):
            raise Fault(
                f"--set {key}={value} is not allowed: write lists in brackets, such as "
                f"{key}=[{value[1:-1].strip().rstrip(',')}]."
            )
    chosen = {key: value for key, value in common.items() if value is not None and key in known}
    return model.set_params(**(chosen | given))


def _refuse_no_labels(kind: type[Any], given: Mapping[str, Any]) -> None:
    """Refuses models that learn from more than one target column: rankers, and survival."""
    row = row_of(kind)
    if row is not None and row.family == RANKING:
        raise Fault(
            f"{kind.__name__} learns from queries, whose ids no option names: rankers are fitted "
            "and verified in Python; weaklearn predict and explain take their files."
        )
    if "loss" in given and given["loss"] in weaklearn.losses.FOR_EVENTS:
        raise Fault(
            f"--set loss={given['loss']} learns times of events, which are two columns: survival "
            "is fitted and verified in Python, by fit(X, y), y of a column of bool and one of "
            "times; weaklearn predict and explain take its files."
        )


def refuse_no_labels(model: Any) -> None:
    """Refuses what would fit again a model of more than one target column."""
    _refuse_no_labels(type(model), model.get_params(deep=False))


def reads_of(model: Any) -> str:
    """What a model reads from a table: its columns, or texts; one of images is refused."""
    row = row_of(type(model))
    reads = "columns" if row is None else row.reads
    if reads == "images":
        raise Fault(f"{type(model).__name__} reads images, and no table; use it from Python.")
    return reads


def shaped(model: Any, X: DataTable, text: tuple[str, ...]) -> Any:
    """X as a model takes it: a table, or for text models a list of texts or a data frame."""
    if not text:
        return X
    if {"text_features", "text_columns"} & set(model.get_params(deep=False)):
        return X.to_frame()
    if X.names != text:
        raise Fault(
            f"{type(model).__name__} reads one column of texts; leave the others out with --ignore."
        )
    return ["" if value is None else value for value in X[text[0]]]


def check_known(kind: type[Any], known: Collection[str], given: Collection[str]) -> None:
    """Refuses parameters that a class does not have."""
    for key in given:
        if key not in known:
            raise Fault(
                f"--set {key}=... is not allowed: {kind.__name__} has no such parameter; it has "
                f"{', '.join(sorted(known))}.{meant(key, list(known), {})}"
            )


def classes_of(name: str) -> tuple[str, ...]:
    """The names of the classes that a model may be of.

    >>> classes_of("gradient")
    ('GradientBoostingClassifier', 'GradientBoostingRegressor')
    """
    if name in TEXTS:
        return (TEXTS[name],)
    return MODELS.get(name.lower().replace("_", "-"), (name,))


def setting(text: str, option: str = "--set") -> tuple[str, Any]:
    """A parameter and its value from ``name=value``, which an option holds.

    >>> setting("n_estimators=50"), setting("estimator=tree"), setting("early_stopping=true")
    (('n_estimators', 50), ('estimator', 'tree'), ('early_stopping', True))
    """
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise Fault(
            f"{option} {text!r} is not allowed: write name=value, such as learning_rate=0.5."
        )
    return name.strip(), _value(value.strip())


def _value(text: str) -> Any:
    words = {"true": True, "false": False, "none": None, "null": None}
    if text.lower() in words:
        return words[text.lower()]
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return text


def _refuse(word: str) -> Any:
    raise ValueError(word)

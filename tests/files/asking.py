"""Every way to ask a model: found from its methods, so that a new one is asked too.

``ways`` lists them; ``ask`` asks one and holds the answer to what an answer must be: numbers that
are numbers, probabilities that are probabilities, and no error but one that the library raises on
purpose.
"""

from __future__ import annotations

import inspect
import linecache
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import sklearn
from sklearn.exceptions import NotFittedError

import weaklearn
from weaklearn.files import ModelFileError, unseal
from weaklearn.files.envelope import Envelope
from weaklearn.persistence.inspect_file import contents_of
from weaklearn.persistence.model_bytes import opened, sealed
from weaklearn.runtime.loading import opened as opened_small

# Rows that are none of the columns a mutated model asks for.
_FOREIGN = (
    *("feature", "holds", "lacks", "column", "categor", "missing", "NaN", "infinity", "mixes"),
    *("time zone", "Feature names", "classes", "twice", "too large", "no number", "numbers"),
    "learning began with",  # a parameter that was set after the fit
    *("predictor", "values"),  # a row of a predictor
    "were learnt",  # windows of another size
)
_NOT_ASKED = ("fit", "set_", "from_", "load", "save", "edit", "get_metadata", "to_opencv")
_LAST = ("partial_fit", "refit", "run", "undo", "update")  # what changes a model
_STRICT = ("predict", "predict_proba", "decision_function", "transform", "detect")
_HOMES = tuple(str(Path(package.__file__).parent) for package in (weaklearn, sklearn))


@dataclass(frozen=True)
class Question:
    """What a model is asked about: rows, for the library and for the runtime, and labels."""

    X: Any
    rows: Any
    y: Any

    def cut(self, a: int, b: int) -> Question:
        """The same of fewer rows, and in an array, which is read in a quarter of a frame's time."""
        X = self.X.astype(object).to_numpy() if hasattr(self.X, "columns") else self.X
        by_column = isinstance(self.rows, dict)
        rows = {k: v[a:b] for k, v in self.rows.items()} if by_column else self.rows[a:b]
        return Question(X[a:b], rows, None if self.y is None else self.y[a:b])


class Wrong(AssertionError):
    """An answer that cannot be."""


def ways(model: Any) -> list[str]:
    """All ways to ask a model of the library, those that change it last."""
    return _ways(type(model))


@cache
def _ways(kind: type) -> list[str]:
    found = ["_repr_html_", "repr", "saved", "one row"]
    for name in dir(kind):
        if name.startswith(("_", *_NOT_ASKED)):
            continue
        if isinstance(inspect.getattr_static(kind, name), property) or (
            callable(getattr(kind, name, None)) and _arguments(kind, name) is not None
        ):
            found.append(name)
    return sorted(found, key=lambda name: name in _LAST)


_MEANT = {
    **dict.fromkeys(("X", "groups", "windows", "X_cal"), lambda q: q.X),
    "sequence": lambda q: list(zip(np.asarray(q.X), q.y, strict=True)),
    **dict.fromkeys(("y", "y_cal", "labels"), lambda q: q.y),
    **dict.fromkeys(("x", "message", "text"), lambda q: _first(q.rows)),
    "label": lambda q: q.y[0],
    "image": lambda q: np.tile(q.X[0], (3, 4)),
    **dict.fromkeys(("n", "n_estimators"), lambda q: 1),
    "eps": lambda q: 0.1,
    "delta": lambda q: 0.1,
}


@cache
def _arguments(kind: type, name: str) -> tuple[str, ...] | None:
    """The arguments that a method needs; None where it needs others than are known here."""
    needed = [
        p.name
        for p in list(inspect.signature(getattr(kind, name)).parameters.values())[1:]
        if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD) and p.default is p.empty
    ]
    return tuple(needed) if all(each in _MEANT for each in needed) else None


def _first(rows: Any) -> Any:
    return [column[0] for column in rows.values()] if isinstance(rows, dict) else rows[0]


def ask(model: Any, way: str, question: Question) -> None:
    """Asks in one way; raises what is no proper answer and no proper refusal."""
    try:
        _hold(way, _answer(model, way, question))
    except (ValueError, TypeError, AttributeError, NotImplementedError, NotFittedError) as error:
        if not _on_purpose(error):
            raise
        if way in _STRICT and not any(word in str(error) for word in _FOREIGN):
            raise Wrong(f"{way} is refused: {error!s:.200}") from error


def _answer(model: Any, way: str, question: Question) -> Any:
    special: dict[str, Callable[[], Any]] = {
        "_repr_html_": lambda: model._repr_html_(),
        "repr": lambda: repr(model) + str(model),
        "saved": lambda: _saved(model, question),
        "one row": lambda: _one_row(model, question),
    }
    if way in special:
        return special[way]()
    if isinstance(inspect.getattr_static(type(model), way), property):
        return getattr(model, way)
    if not hasattr(model, way):
        return None
    needed = _arguments(type(model), way) or ()
    known = inspect.signature(getattr(type(model), way)).parameters
    by_name = [name for name in needed if known[name].kind is known[name].KEYWORD_ONLY]
    found = getattr(model, way)(
        *(_MEANT[name](question) for name in needed if name not in by_name),
        **{name: _MEANT[name](question) for name in by_name},
    )
    if way.startswith("staged_"):
        return list(found)
    if way in ("card", "certify", "check", "explain", "rules"):
        return repr(found)
    return found


def _saved(model: Any, question: Question) -> None:
    """A loaded model can be saved; its file tells what is in it, and says the same."""
    envelope = unseal(sealed(model))
    repr(contents_of(envelope))
    if opened(envelope).fingerprint() != model.fingerprint():
        raise Wrong("a model that was saved again has another fingerprint")
    _small(model, envelope, question)


def _small(model: Any, envelope: Envelope, question: Question) -> None:
    """The runtime refuses a model's file, or answers what the model does."""
    try:
        small = opened_small(envelope)
    except ModelFileError as error:
        if "use weaklearn.load" not in str(error):
            raise Wrong(f"the runtime refuses what the library takes: {error}") from error
        return
    rows = _named_alike(model, question)
    for way in ("predict", "predict_proba", "decision_function"):
        if hasattr(small, way) and hasattr(model, way):
            said = getattr(small, way)(rows)
            meant = getattr(model, way)(question.X)
            if not _same(said, meant):
                raise Wrong(f"{way} of the runtime is another")


def _named_alike(model: Any, question: Question) -> Any:
    """The rows for the runtime: where X has no names, its columns have those of the model."""
    names = getattr(model, "feature_names_in_", None)
    by_place = isinstance(question.X, np.ndarray) and isinstance(question.rows, dict)
    if names is None or not by_place or len(names) != len(question.rows):
        return question.rows
    return dict(zip(names.tolist(), question.rows.values(), strict=True))


def _same(a: Any, b: Any) -> bool:
    a, b = np.asarray(a), np.asarray(b)
    return a.shape == b.shape and a.tolist() == b.tolist()


def _one_row(model: Any, question: Question) -> Any:
    width = getattr(model, "n_features_in_", None)
    if width is None:
        return None
    return model.predictor()([0.5] * min(width, 10_000))


def _hold(way: str, answer: Any) -> None:
    """Refuses answers of which some number is none."""
    each = answer if way.startswith("staged_") else [answer]
    for one in each if isinstance(each, list) else ():
        if isinstance(one, np.ndarray) and one.dtype.kind == "f":
            if way.endswith("proba") and "log" not in way:
                fine = (one >= 0).all() and (one <= 1).all()
                if not fine:
                    raise Wrong(f"{way} holds {one.ravel()[:4]}")
            elif way.removeprefix("staged_") in _STRICT and np.isnan(one).any():
                raise Wrong(f"{way} holds NaN")


def _on_purpose(error: BaseException) -> bool:
    """Whether an error comes from a statement that raises, in this library or in scikit-learn."""
    if isinstance(error, NotFittedError):
        return True
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    if place is None:
        return False
    name = place.tb_frame.f_code.co_filename
    line = linecache.getline(name, place.tb_lineno).strip()
    return name.startswith(_HOMES) and line.startswith("raise")

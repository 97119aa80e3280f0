"""Model cards: what a model is, what it was trained on, how good it is, and its fingerprint."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from ..base.messages.table import printable
from ..base.messages.value_text import show
from ..base.messages.warnings import suppressed_warnings
from ..base.offered import fact, offers
from ..base.sample import take_rows
from ..base.types import Floats
from ..inspection.rule_text import feature_name, time_text
from ..intake.column_schema import NOUNS
from ..intake.labels import read_labels
from ..intake.raw_column import Kind, as_time
from ..intake.splitting import unfitted_copy
from ..prediction.outputs import class_names, n_outputs
from ..prediction.positive import threshold_words
from ..prediction.rows import classes_of, schema_of
from .metric import FOLDS, Metric, mean, wilson
from .own_score import by_score, judged_by_score

_RESAMPLES = 1000


@dataclass(frozen=True, repr=False)
class Card:
    """The sections of a model card, in order; printing shows it as Markdown."""

    title: str
    sections: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """All sections as values that JSON can hold."""
        return {"title": self.title, **self.sections}

    def to_json(self) -> str:
        """The card as a JSON text."""
        return json.dumps(self.to_dict(), indent=2, default=str)

    def to_markdown(self) -> str:
        """The card as Markdown: headings, tables, lists."""
        parts = [f"# {_plain(self.title)}"]
        for heading, text in self.markdown_sections().items():
            parts += [f"## {_plain(heading)}", text]
        return "\n\n".join(parts) + "\n"

    def markdown_sections(self) -> dict[str, str]:
        """The text of every section by its heading, as ``skops.card.Card.add`` takes them."""
        return {
            _spaced(name).capitalize(): _markdown(content, str if name == "parameters" else _spaced)
            for name, content in self.sections.items()
        }

    def __repr__(self) -> str:
        return self.to_markdown()

    def _repr_markdown_(self) -> str:
        return self.to_markdown()


def card_of(model: Any, X: Any, y: Any, qid: Any, about: dict[str, Any]) -> Card:
    """The card of a fitted model; with X and y, the training rows, it holds quality metrics."""
    if (X is None) != (y is None):
        raise ValueError("X and y go together: pass both, or neither.")
    for name, text in about.items():
        if not isinstance(text, str):
            raise TypeError(f"{name}={show(text)} is not allowed: it must be a text.")
    sections: dict[str, Any] = dict(about)
    sections["model"] = _model(model)
    sections |= _origin(model)
    columns = _columns(model)
    if columns:
        sections["columns"] = columns
    sections["parameters"] = {k: _value(v) for k, v in model.get_params(deep=False).items()}
    if X is not None:
        sections["quality"] = _quality(model, X, y, qid)
    found = _certificates(model, X, y)
    if found is not None:
        sections["certificates"] = found
    return Card(type(model).__name__, sections)


def _model(model: Any) -> dict[str, Any]:
    fields: dict[str, Any] = {"kind": type(model).__name__}
    try:
        fields["fingerprint"] = model.fingerprint()
    except ValueError as error:  # a learner from elsewhere has none
        fields["fingerprint"] = None
        fields["why_no_fingerprint"] = str(error)
    for name in ("n_iter_", "stop_reason_", "n_features_in_"):
        if (known := fact(model, name)) is not None:
            fields[name.rstrip("_")] = _value(known)
    names = [[_value(label) for label in known] for known in class_names(model)]
    if names:
        fields["classes"] = names if n_outputs(model) > 1 else names[0]
        if model._positive is not None:
            fields["positive_class"] = names[0][model._positive]
    threshold = threshold_words(model)
    if threshold is not None:
        fields["threshold"] = threshold
    return fields


def _origin(model: Any) -> dict[str, Any]:
    """The section of the training rows, and that of the versions of libraries."""
    origin = model._origin
    if origin is None:
        return {"data": {}}
    return {
        "data": {
            "hash_of_the_training_rows": origin.rows,
            "n_examples": origin.n_examples,
            "target": origin.target,
            "fitted": origin.fitted,
        },
        "versions": {
            "weaklearn": origin.weaklearn,
            "numpy": origin.numpy,
            "scikit-learn": origin.scikit_learn,
            "python": origin.python,
        },
    }


def _columns(model: Any) -> list[dict[str, Any]]:
    vectorizer = fact(model, "vectorizer_")
    if vectorizer is not None:
        return [_texts("texts", vectorizer)]
    schema = schema_of(model)
    if schema is None:
        return []
    texts = [_texts(column.name or "texts", column.vectorizer) for column in schema.text_columns]
    schema = schema.plain if texts else schema
    if schema is None:
        return texts
    origin = model._origin
    profile = None if origin is None else origin.profile
    rows = []
    for j in range(min(schema.n_features, 2000)):
        column = schema.columns[j]
        row: dict[str, Any] = {"name": feature_name(schema, j), "kind": NOUNS[column.kind]}
        if profile is not None:
            h = profile.columns[j]
            row["missing"] = h.missing / max(1, h.n + h.missing)
            if column.kind is Kind.NUMBER and isfinite(h.low):
                row["least"], row["greatest"] = h.low, h.high
        if column.kind is Kind.CATEGORY:
            row["categories"] = column.n_categories
        elif profile is not None and column.marks is not None and len(column.marks):
            row["least"], row["greatest"] = (_mark(column, k) for k in (0, -1))
        rows.append(row)
    return rows + texts


def _texts(name: str, vectorizer: Any) -> dict[str, Any]:
    """The entry of a text column, with the number of its terms."""
    return {"name": name, "kind": "texts", "terms": len(vectorizer.vocabulary_)}


def _mark(column: Any, k: int) -> Any:
    mark = int(column.marks[k])
    if column.kind is Kind.WIDE:
        return mark
    return time_text(as_time(column.kind, mark, column.unit), column.tz)


# ------------------------------------------------------------------------------------------ quality


def _dense(y: Any) -> NDArray[Any]:
    table: Any = y
    return np.asarray(table.toarray() if issparse(y) else y)


def _quality(model: Any, X: Any, y: Any, qid: Any) -> dict[str, Any]:
    """Cross-validated metrics: each row is predicted by a copy fitted without it."""
    from sklearn.model_selection import KFold, StratifiedKFold

    table = X if hasattr(X, "shape") or hasattr(X, "iloc") else np.asarray(X, object)
    target = _dense(y)
    if not offers(model, "predict"):
        return {"note": "the model has no predict method"}
    answers = _dense(model.predict(X))  # which holds X against the columns of training
    n = len(answers)
    if n != len(target):
        raise ValueError(f"X has {n} rows, and y has {len(target)}; pass a label for every row.")
    if judged_by_score(model, answers, target):
        return by_score(model, table, y, qid)
    if target.ndim != 1:
        return {"note": "y holds several columns; metrics need one value a row"}
    classes = classes_of(model)
    splits: Any = KFold(FOLDS, shuffle=True, random_state=0)
    if classes is not None:
        _, codes = read_labels(y, len(target))
        if np.bincount(codes).min() < FOLDS:
            return {"note": f"a class has fewer than {FOLDS} rows; metrics need as many"}
        splits = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
    elif len(target) < 2 * FOLDS:
        return {"note": f"there are fewer than {2 * FOLDS} rows; metrics need as many"}
    how = "predict_proba" if offers(model, "predict_proba") else "predict"
    predicted: list[Any] = []
    where: list[Any] = []
    with suppressed_warnings():
        for inside, outside in splits.split(np.zeros(len(target)), target):
            copy = unfitted_copy(model)
            copy.fit(_taken(table, inside), target[inside])
            predicted.append(np.asarray(getattr(copy, how)(_taken(table, outside))))
            where.append(outside)
    order = np.argsort(np.concatenate(where))
    answers = np.concatenate(predicted)[order]
    if classes is None:
        metrics = _of_numbers(target.astype(np.float64), answers)
    else:
        metrics = _of_classes(np.asarray(classes), target, answers, how)
    return {
        "how": f"{FOLDS}-fold cross-validation; 95 % intervals",
        "n_rows": len(target),
        "metrics": [metric.in_words() for metric in metrics],
    }


def _taken(X: Any, rows: Any) -> Any:
    return take_rows(X, rows)


def _of_classes(
    classes: NDArray[Any], y: NDArray[Any], predicted: NDArray[Any], how: str
) -> list[Metric]:
    if how == "predict":
        return [wilson("accuracy", int((predicted == y).sum()), len(y))]
    codes = np.array([int(np.flatnonzero(classes == label)[0]) for label in y])
    p = np.clip(predicted[np.arange(len(y)), codes], 1e-15, 1.0)
    right = classes[predicted.argmax(axis=1)] == y
    found = [wilson("accuracy", int(right.sum()), len(y)), mean("log_loss", -np.log(p))]
    hits = np.zeros(predicted.shape)
    hits[np.arange(len(y)), codes] = 1
    found.append(
        mean("brier_score", ((predicted - hits) ** 2).sum(axis=1) / (1 + (len(classes) == 2)))
    )
    if len(classes) == 2:
        found.append(_resampled("roc_auc", codes, predicted[:, 1], _auc))
    return found


def _of_numbers(y: Floats, predicted: NDArray[Any]) -> list[Metric]:
    return [
        mean("mean_absolute_error", np.abs(y - predicted)),
        _resampled("r2", y, predicted, _r2),
    ]


def _resampled(name: str, y: NDArray[Any], predicted: Floats, score: Any) -> Metric:
    """A metric with its bootstrap interval, from a thousand resamples with a fixed seed."""
    rng = np.random.default_rng(0)
    n = min(_RESAMPLES, max(100, 20_000_000 // max(1, len(y))))
    draws = (rng.integers(0, len(y), len(y)) for _ in range(n))
    found = np.array([score(y[rows], predicted[rows]) for rows in draws])
    found = found[~np.isnan(found)]  # samples of one class, or of one value, have no score
    low, high = np.quantile(found, [0.025, 0.975]) if len(found) else (np.nan, np.nan)
    return Metric(name, float(score(y, predicted)), float(low), float(high))


def _auc(codes: NDArray[Any], p: Floats) -> float:
    positive = codes == 1
    m, n = int(positive.sum()), int((~positive).sum())
    if m == 0 or n == 0:
        return float("nan")
    _, place, counts = np.unique(p, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[place]
    return float((ranks[positive].sum() - m * (m + 1) / 2) / (m * n))


def _r2(y: Floats, predicted: Floats) -> float:
    total = float(((y - y.mean()) ** 2).sum())
    return 1 - float(((y - predicted) ** 2).sum()) / total if total > 0 else float("nan")


def _certificates(model: Any, X: Any, y: Any) -> Any:
    if not offers(model, "certify"):
        return None
    try:
        with suppressed_warnings():
            found = model.certify(X, y)
    except (TypeError, ValueError, AttributeError) as error:
        return {"note": f"there are none: {error}"}
    rows = found.table()
    if not rows.rows:
        return {"note": "there are none without test rows, which certify takes"}
    names = [name.replace(" ", "_") for name in rows.columns]
    return [dict(zip(names, map(_value, row), strict=True)) for row in rows.rows]


# ------------------------------------------------------------------------------------------ wording


def _value(value: Any) -> Any:
    """A value that JSON can hold; anything else as its repr."""
    if isinstance(value, (np.datetime64, np.timedelta64)):
        return str(value)
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if isfinite(value) else str(value)
    if isinstance(value, (list, tuple)) and len(value) <= 100:
        return [_value(item) for item in value]
    if isinstance(value, dict) and len(value) <= 100:
        return {str(k): _value(v) for k, v in value.items()}
    return printable(repr(value))


def _spaced(name: str) -> str:
    return name.replace("_", " ")


def _markdown(content: Any, names: Callable[[str], str] = _spaced) -> str:
    if isinstance(content, str):
        return _lines(content)
    if isinstance(content, dict):
        lines = [
            f"- **{_plain(names(k))}**: {'None' if v is None else _cell(v)}"
            for k, v in content.items()
        ]
        tables = [_table(v) for v in content.values() if _is_table(v)]
        kept = [line for line, v in zip(lines, content.values(), strict=True) if not _is_table(v)]
        return "\n\n".join(["\n".join(kept), *tables] if kept else tables)
    return _table(content) if _is_table(content) else _cell(content)


def _is_table(content: Any) -> bool:
    return isinstance(content, list) and len(content) > 0 and isinstance(content[0], dict)


def _table(rows: Sequence[dict[str, Any]]) -> str:
    names = list(dict.fromkeys(name for row in rows for name in row))
    lines = ["| " + " | ".join(_plain(_spaced(name)) for name in names) + " |"]
    lines.append("|" + " --- |" * len(names))
    lines += ["| " + " | ".join(_cell(row.get(name)) for name in names) + " |" for row in rows]
    return "\n".join(lines)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list):
        return _plain(", ".join(map(str, value)))
    return _plain(str(value))


_MARKS = str.maketrans({c: f"\\{c}" for c in "\\`*_{}[]<>#|!~$"} | {"&": "&amp;"})
_OPENINGS = re.compile(r"^(\d*)([-+=.)])", re.ASCII)  # of lists, and lines below headings


def _plain(text: str) -> str:
    """One line that Markdown shows literally, without links."""
    seen = "".join(c if c.isprintable() else repr(c)[1:-1] for c in text).translate(_MARKS)
    return seen.replace("://", "&#58;//").replace("www.", "www&#46;")


def _lines(text: str) -> str:
    """Several lines that Markdown shows literally."""
    return "\n".join(_OPENINGS.sub(r"\1\\\2", _plain(line.strip())) for line in text.splitlines())

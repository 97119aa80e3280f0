"""A model as one HTML file: what it is, how good it is, what is guaranteed, and how it decides."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.loss import EVENTS, Loss
from ...base.messages.table import printable
from ...base.messages.value_text import show
from ...base.offered import fact
from ...export.json import evaluator_source
from ...files import write
from ...intake import parameters
from ...page import Element, Node, document, packaged, tag
from ...prediction.outputs import class_names
from ...prediction.rows import classes_of
from ...theory.distinct import COPIES, REPEATS
from ..data.rows import EvaluatedRows, from_dataset
from .certificates import certificates, certificates_of
from .columns import columns
from .confusion import confusion
from .hardest import Ranking, hardest, ranking
from .importance import importance
from .provenance import provenance
from .residuals import residuals
from .roc_and_calibration import roc_and_calibration
from .rounds import margins, rounds
from .rules import rules
from .section import Absent, Part, ReportContext, Section
from .shapes import shapes
from .summary import summary
from .what_if import what_if

__all__ = ["report"]


def report(
    model: Any,
    X: Any,
    y: Any,
    path: str | os.PathLike[str] = "report.html",
    *,
    title: str | None = None,
    examples: bool = False,
    X_test: Any = None,
    y_test: Any = None,
    sample_weight: Any = None,
    delta: float = 0.05,
    repeats: str = COPIES,
    positive: Any = None,
) -> Path:
    """Writes a report on a fitted classifier or regressor: one file that opens from disk.

    It needs nothing from outside, can be read on paper and on a telephone, and shows no row of the
    data: columns are summed up, examples are named by their numbers. Parts that a model has no
    facts for are left out, and the last part says which. The same model and rows give the same
    bytes.

    Of several targets or quantiles the summary tells each, and there are no residuals; of models of
    survival, and of trees that answer several outputs of classes, there is no report.

    Parameters
    ----------
    model : a fitted classifier or regressor
    X, y : the rows to show it with; at best those of its fit, which certificates are made from. X
        may be a ``pyarrow.dataset.Dataset`` larger than memory, y and sample_weight then names of
        its columns: errors are those of all rows, read batch by batch, and what needs values is
        drawn from rows evenly spread. Certificates are then those that need no rows.
    path : name of the file
    title : str, optional
        The heading; by default the name of the target, or of the estimator where it is unknown.
    examples : bool, default False
        Whether the hardest examples are shown with their cells, and rare categories by name.
    X_test, y_test : rows that the model has never seen, to judge it by
    sample_weight : the weights of the fit, if there were any
    delta : float, default 0.05
        The probability with which what is certified of rows to come may be wrong.
    repeats : {"copies", "draws"}, default "copies"
        What equal rows are to certificates: copies, which count once, or independent draws.
    positive : label, optional
        The class that curves and thresholds speak of, of two: by default the one that the model was
        given, or the rarer one where it has less than a fifth of the rows, or ``classes_[1]``.

    Returns
    -------
    Path
        Where the file is.

    >>> import tempfile, os, weaklearn
    >>> X, y = weaklearn.datasets.toy()
    >>> model = weaklearn.AdaBoostClassifier(n_estimators=3).fit(X, y)
    >>> path = os.path.join(tempfile.mkdtemp(), "report.html")
    >>> weaklearn.show.report(model, X, y, path).name
    'report.html'
    """
    place = _place(path)
    parameters.switch("examples", examples)
    parameters.real("delta", delta, 0.0, 0.999999)
    parameters.one_of("repeats", repeats, REPEATS)
    if title is not None and not isinstance(title, str):
        raise TypeError(f"title={show(title)} is not allowed: it must be a text, or None.")
    if (X_test is None) != (y_test is None):
        raise ValueError("pass X_test together with y_test.")
    _check_kind(model)
    given = {"y": y, "sample_weight": sample_weight}
    X, (y, sample_weight) = from_dataset(model, X, given)
    rows, test = _evaluated(model, X, y, "y"), None
    if X_test is not None:
        X_test, (y_test,) = from_dataset(model, X_test, {"y_test": y_test})
        test = _evaluated(model, X_test, y_test, "y_test")
    given_class = (float(delta), examples, repeats, positive)
    context = ReportContext(model, rows, test, sample_weight, *given_class)
    if positive is not None:
        _ = context.positive  # a label that is none is refused here
    write(place, _page(context, title or context.target).encode("utf-8"))
    return place


def _page(context: ReportContext, title: str | None) -> str:
    """The HTML document."""
    known = certificates_of(context)
    ranked = ranking(context)
    parts: list[Part] = [
        summary(context, known),
        certificates(context, known),
        rounds(context, known),
        margins(context),
        rules(context),
        shapes(context),
        importance(context),
        roc_and_calibration(context),
        confusion(context),
        residuals(context),
        what_if(context, ranked.order.tolist() if isinstance(ranked, Ranking) else ()),
        hardest(context, ranked),
        columns(context),
    ]
    absent = [part for part in parts if isinstance(part, Absent)]
    sections = [part for part in parts if isinstance(part, Section)]
    sections.append(provenance(context, absent))
    heading = printable(title or context.kind)
    data = {name: texts for section in sections for name, texts in section.data.items()}
    return document(
        heading,
        tag("a", "Skip to the report", href="#summary", class_="skip"),
        tag(
            "div",
            _header(context, title),
            tag(
                "div",
                _contents(sections),
                tag("main", [section.element() for section in sections]),
                class_="frame",
            ),
            class_="page",
        ),
        script=_script(),
        data=data,
    )


def _script() -> str:
    """What the page answers with; of the model in it, the evaluator of exports."""
    general, panel = (packaged(__package__, name) for name in ("script.js", "what_if.js"))
    return f"{general}\n{evaluator_source()}\n{panel}"


def _header(context: ReportContext, title: str | None) -> Element:
    words = [context.kind] if title else []
    words.append(f"{context.rows.n:,} rows")
    if context.table is not None:
        words.append(f"{context.table.shape[1]:,} columns")
    if context.classes is not None:
        named = ", ".join(context.classes[:4])
        more = f" and {len(context.classes) - 4} more" if len(context.classes) > 4 else ""
        words.append(named + more)
    return tag(
        "header",
        tag(
            "div",
            tag("p", "weaklearn report", class_="eyebrow"),
            tag("h1", printable(title) if title else _breakable(context.kind)),
            tag("p", " · ".join(words), class_="lead"),
        ),
        tag("button", "Dark", type="button", data_switch=True, hidden=True, title="light or dark"),
        class_="top",
    )


def _breakable(name: str) -> list[Node]:
    """The name of a class, where a line may break before a capital."""
    parts = re.split("(?<=[a-z])(?=[A-Z])", name)
    return [part for k, word in enumerate(parts) for part in ((tag("wbr"), word) if k else (word,))]


def _contents(sections: list[Section]) -> Element:
    links = [tag("li", tag("a", part.title, href=f"#{part.name}")) for part in sections]
    return tag("nav", tag("ol", links), class_="contents", aria_label="contents")


# ---------------------------------------------------------------------------- checks of arguments


def _place(path: Any) -> Path:
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"path={show(path)} is not allowed: it must be the name of a file.")
    place = Path(path)
    if place.is_dir():
        raise IsADirectoryError(f"path={str(path)!r} is a folder; name a file in it.")
    if not place.parent.is_dir():
        raise FileNotFoundError(
            f"path={str(path)!r} is in a folder that is not there; make it first."
        )
    return place


def _check_kind(model: Any) -> None:
    """Refuses what is neither a classifier nor a regressor."""
    if isinstance(model, type) or not hasattr(model, "predict"):
        name = model.__name__ if isinstance(model, type) else type(model).__name__
        raise TypeError(f"model is {name}; a report is made of a fitted classifier or regressor.")
    known = getattr(model, "__sklearn_tags__", None)
    if known is not None and known().estimator_type not in ("classifier", "regressor"):
        name = type(model).__name__
        raise TypeError(f"model is a {name}; a report is made of a fitted classifier or regressor.")
    if len(class_names(model)) > 1:
        raise ValueError(
            f"this {type(model).__name__} answers {len(class_names(model))} outputs of classes a "
            "row, and a report is of one: fit a model for each."
        )
    loss = fact(model, "_loss")
    if isinstance(loss, Loss) and loss.target == EVENTS:
        raise ValueError(
            f"loss {show(loss.name)} learns times of events, and there is no report of survival: "
            "model.score(X, y) is the concordance index, model.predict_survival(X, times) the "
            "chances, and weaklearn.show.importances(model) the importance of columns."
        )


def _evaluated(model: Any, X: Any, y: Any, argument: str) -> EvaluatedRows:
    targets: NDArray[Any] = np.asarray(y)
    if targets.ndim == 2 and targets.shape[1] == 1:
        targets = targets[:, 0]
    rows = EvaluatedRows(model, X, targets)
    predictions = rows.predictions  # an unfitted model, or an X of other columns, is refused here
    if len(predictions) == 0:
        raise ValueError("X has 0 rows; pass at least one to report on.")
    if targets.ndim == 0 or len(targets) != len(predictions):
        n = 0 if targets.ndim == 0 else len(targets)
        raise ValueError(
            f"X has {len(predictions):,} rows and {argument} has {n:,}; pass one for each row."
        )
    if classes_of(model) is not None:
        if targets.ndim == 1:
            _ = rows.codes  # labels that are none, or none of training, are refused here
        elif targets.shape != predictions.shape:
            raise ValueError(
                f"{argument} holds {targets.shape[1]} columns, and {type(model).__name__} predicts "
                f"one class a row: pass these, of shares {argument}.argmax(axis=1)."
            )
    else:
        _check_numbers(targets, predictions, fact(model, "_loss"), argument)
    return rows


def _check_numbers(
    targets: NDArray[Any], predictions: NDArray[Any], loss: Any, argument: str
) -> None:
    many = loss.n_targets if isinstance(loss, Loss) else predictions[0].size
    try:
        shaped = targets.shape == ((len(predictions), many)[: 1 + (many > 1)])
        fine = shaped and bool(np.isfinite(targets.astype(np.float64)).all())
    except (TypeError, ValueError):
        fine = False
    if not fine:
        wanted = "one finite number" if many == 1 else f"{many} finite numbers"
        raise ValueError(f"{argument} must hold {wanted} a row, since the model predicts numbers.")

"""Explanations: what every term of an additive model adds to the score of a row."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.loss import Loss
from ..base.messages.table import Table
from ..base.messages.value_text import show
from ..base.rows import Rows
from ..base.types import Floats
from ..intake import parameters
from ..intake.raw_column import Kind, Raw
from ..intake.schema import open_table
from ..prediction.positive import positive_code
from ..prediction.rows import two_classes
from ..registry import display
from .rule_text import quote
from .shape import output_names, term_names

_ROWS, _TERMS = 3, 8  # printed
_OF_ONE = ("probability", "average share")  # units in which the classes add up to 1


def other_side(scale: str, classes: tuple[str, ...]) -> tuple[int, str]:
    """What the scores of two classes add up to, and the scale of the first from the second's.

    >>> other_side("probability of yes", ("no", "yes"))
    (1, 'probability of no')
    """
    unit = scale.removesuffix(f" of {classes[1]}")
    return int(unit in _OF_ONE), f"{unit} of {classes[0]}"


@dataclass(frozen=True, eq=False)
class Explanation:
    """Contributions of terms to the scores of rows; base and contributions add up to the score.

    ``contributions`` is (n, terms), or (n, terms, K) where there are K scores a row, and ``base``
    a number or K of them; ``names`` are the terms, ``outputs`` the K scores. ``offset`` holds the
    known scores of the rows, where there are any, which are added as well. Where one score decides
    between two classes, ``classes`` names both, and the score is that of the second named.
    """

    base: Any
    contributions: Floats
    names: tuple[str, ...]
    features: tuple[tuple[int, ...], ...]  # the columns of every term
    outputs: tuple[str, ...] = ()
    scale: str = "score"  # what the numbers are counted in
    cells: dict[int, Raw] = field(default_factory=dict, repr=False)  # by column
    offset: Floats | None = None  # (n,)
    classes: tuple[str, ...] = ()
    numbers: bool = False  # whether outputs are numbers of their own: targets, or quantiles

    def __len__(self) -> int:
        return len(self.contributions)

    @property
    def scores(self) -> Floats:
        """Base plus contributions: the score, (n,) or (n, K)."""
        F = np.tile(np.asarray(self.base), (len(self), *(1,) * np.ndim(self.base)))
        for k in range(len(self.names)):
            F += self.contributions[:, k]
        if self.offset is not None:
            F += self.offset.reshape(-1, *(1,) * np.ndim(self.base))
        return F

    def centred(self, background: Explanation) -> Explanation:
        """The same scores, relative to the mean score of other rows, such as those of training.

        ``background`` is the explanation of these rows by the same model. From every contribution
        the mean of its term over these rows is taken away and added to the base, so that models
        of every kind start from the same baseline.

        >>> from weaklearn import AdaBoostClassifier, datasets
        >>> X, y = datasets.toy()
        >>> model = AdaBoostClassifier(n_estimators=3).fit(X, y)
        >>> why = model.explain(X)
        >>> round(why.base, 3), round(why.centred(why).base, 3)
        (0.0, -0.049)
        """
        same = (self.names, self.outputs) == (background.names, background.outputs)
        if not same or not np.array_equal(self.base, background.base):
            raise ValueError("background is the explanation of another model; pass one of this.")
        if not len(background):
            raise ValueError("background explains no rows; pass one of the training rows.")
        mean = background.contributions.mean(axis=0)
        base = self.base + mean.sum(axis=0)
        return replace(
            self,
            base=base if self.outputs else float(base),
            contributions=self.contributions - mean,
        )

    def of(self, output: Any) -> Explanation:
        """The explanation of one score: of an output, or of either of two classes.

        Targets and quantiles may be told by their number too, counted from 0.

        The score of the first class is that of the second with its sign turned, the probability (or
        average share) of the first that of the second taken from 1.

        >>> from weaklearn import AdaBoostClassifier, datasets
        >>> X, y = datasets.toy()
        >>> why = AdaBoostClassifier(n_estimators=3).fit(X, y).explain(X)
        >>> round(float(why.scores[0]), 3), round(float(why.of(-1).scores[0]), 3), why.of(-1).scale
        (1.149, -1.149, 'score of -1')
        """
        if not self.classes:
            k = self.check_output(output)
            if k is None:
                return self
            base, name = float(self.base[k]), self.outputs[k]
            contributions, scale = self.contributions[:, :, k], f"{self.scale} of {name}"
            return replace(self, base=base, contributions=contributions, outputs=(), scale=scale)
        name = parameters.one_of("output", str(output), list(self.classes))
        if name == self.classes[1]:
            return self
        total, scale = other_side(self.scale, self.classes)
        return replace(
            self,
            base=total - self.base,
            contributions=-self.contributions,
            scale=scale,
            offset=None if self.offset is None else -self.offset,
            classes=self.classes[::-1],
        )

    def of_positive(self, model: Any, positive: Any) -> Explanation:
        """That of the class which is asked for, of two, or which the model was given.

        Where there is neither it is this one.
        """
        if positive is None and not self.classes:
            return self
        return self.of(two_classes(model)[positive_code(model, positive)])

    def to_shap(self) -> Any:
        """A ``shap.Explanation``, for the plots of the package shap, which must be installed."""
        try:
            import shap
        except ImportError:
            raise ImportError("to_shap() needs the package shap: pip install shap") from None
        base = np.broadcast_to(self.base, (len(self), *np.shape(self.base))).astype(np.float64)
        if self.offset is not None:
            base = base + self.offset.reshape(-1, *(1,) * np.ndim(self.base))
        numbers = [js for js in self.features if len(js) == 1 and self._is_number(js[0])]
        return shap.Explanation(
            self.contributions,
            base,
            np.column_stack([self.cells[j].values for (j,) in numbers])
            if len(numbers) == len(self.features)
            else self.values,
            feature_names=list(self.names),
            output_names=list(self.outputs) or None,
        )

    def _is_number(self, feature: int) -> bool:
        return self.cells[feature].kind is Kind.NUMBER

    def value(self, row: int, term: int, brief: bool = False) -> str:
        """The text of the row's value in the column, or the pair of columns, of a term.

        With ``brief`` datetimes are shown by their day.
        """
        return ", ".join(quote(self.cells[j], row, brief) for j in self.features[term])

    @property
    def values(self) -> NDArray[np.object_]:
        """The texts of all rows and terms, (n, terms)."""
        texts = np.empty((len(self), len(self.names)), dtype=object)
        for row in range(len(self)):
            texts[row] = [self.value(row, k) for k in range(len(self.names))]
        return texts

    def order(self, row: int, output: int | None = None) -> list[int]:
        """The terms, largest contributions first, to one score or to any of them."""
        sizes = np.abs(self.contributions[row])
        if sizes.ndim == 2:
            sizes = sizes.max(axis=1, initial=0.0) if output is None else sizes[:, output]
        return [int(k) for k in np.argsort(-sizes, kind="stable")]

    def table(self, row: int = 0, n: int | None = None, output: Any = None) -> Table:
        """One row: its terms with their values and contributions, the largest first.

        With ``n`` those after the first n are one line; of several scores ``output`` names the only
        one to tell.
        """
        only = self.check_output(output)
        row, order = self.check_row(row), self.order(row, only)
        shown = slice(None) if only is None else slice(only, only + 1)
        outputs = self.outputs[shown]
        parts = self.contributions[row].reshape(len(order), len(self.outputs) or 1)[:, shown]
        n = len(order) if n is None else parameters.integer("n", n, 1)
        n += len(order) == n + 1  # one term takes no more room than "1 other"
        lines = [(self.names[k], self.value(row, k), *parts[k].tolist()) for k in order[:n]]
        if order[n:]:
            rest = parts[order[n:]].sum(axis=0)
            lines.append((f"{len(order) - n} others", "", *rest.tolist()))
        columns = ["term", "value", *(outputs or ["contribution"])]
        base, score = np.atleast_1d(self.base)[shown], np.atleast_1d(self.scores_of(row))[shown]
        known = "" if self.offset is None else f" + offset {self.offset[row]:.4g}"
        sums = [
            f"base {b:.4g}{known} + contributions = {s:.4g}"
            for b, s in zip(base, score, strict=True)
        ]
        if outputs:
            sums = [f"{name}: {text}" for name, text in zip(outputs, sums, strict=True)]
        else:
            sums = [f"{sums[0]} ({self.scale})"]
        return Table(f"row {row}", columns, lines, "; ".join(sums), shown=len(lines))

    def scores_of(self, row: int) -> Any:
        """The score, or the K scores, of one row."""
        F = np.array(self.base, dtype=np.float64)
        for part in self.contributions[row]:
            F = F + part
        return F if self.offset is None else F + self.offset[row]

    def check_row(self, row: Any) -> int:
        """The row number, refused if there is none such; negative ones count from the end."""
        place = parameters.integer("row", row, -len(self), len(self) - 1)
        return place % len(self)

    def check_output(self, output: Any) -> int | None:
        """The number of a score, refused if there is none such; None for all."""
        if output is None:
            return None
        if not self.outputs:
            raise ValueError(
                f"output={show(output)} is given, and a row has one score only; leave it out."
            )
        names = list(self.outputs)
        place = type(output) is int and 0 <= output < len(names)
        if self.numbers and place and str(output) not in names:
            return int(output)
        return names.index(parameters.one_of("output", str(output), names))

    def __str__(self) -> str:
        shown = [f"row {row}\n{self.table(row, _TERMS)}" for row in range(min(_ROWS, len(self)))]
        left = len(self) - len(shown)
        more = [f"... and {left:,} more row{'s' * (left > 1)}"] if left else []
        return "\n\n".join([*shown, *more]) or "(no rows)"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        left = len(self) - _ROWS
        more = html.escape(f"... and {left:,} more row{'s' * (left > 1)}") if left > 0 else ""
        tables = (self.table(row, _TERMS)._repr_html_() for row in range(min(_ROWS, len(self))))
        return "".join(tables) + more

    def to_frame(self) -> Any:
        """One line per row: base, contributions and score; with K scores, K lines per row."""
        outputs = self.outputs or ("",)
        n, K = len(self), len(outputs)
        parts = self.contributions.reshape(n, len(self.names), K)
        base = np.broadcast_to(np.atleast_1d(self.base), (n, K))
        columns, known = ["base", *self.names, "score"], []
        if self.offset is not None:
            columns.insert(1, "offset")
            known = [np.broadcast_to(self.offset[:, None, None], (n, 1, K))]
        lines = np.concatenate(
            [base[:, None], *known, parts, self.scores.reshape(n, 1, K)], axis=1
        ).transpose(0, 2, 1)
        flat = [tuple(line) for line in lines.reshape(n * K, -1).tolist()]
        if self.outputs:
            marks = [(row, name) for row in range(n) for name in self.outputs]
            columns = ["row", "output", *columns]
            flat = [(*mark, *line) for mark, line in zip(marks, flat, strict=True)]
        return Table("contributions", columns, flat).to_frame()

    def plot(self, row: int = 0, **settings: Any) -> Any:
        """A waterfall of one row, from base to score: see weaklearn.show.WaterfallDisplay."""
        return display("WaterfallDisplay").from_explanation(self, row, **settings)


def explain(self: Any, X: Any, *, offset: Any = None, positive: Any = None) -> Explanation:
    """What every term adds to the score of every row, exactly.

    With ``offset``, a known score of every row, it is the score with that offset. ``positive`` is
    the class, of two, whose score it is: the model's own, else ``classes_[1]``.

    >>> import numpy as np
    >>> from weaklearn import AdditiveBoostingRegressor
    >>> X = np.arange(40.0).reshape(20, 2) % 7
    >>> model = AdditiveBoostingRegressor().fit(X, X[:, 0])
    >>> why = model.explain(X)
    >>> bool((why.scores == model.predict(X)).all())
    True
    """
    rows = self._rows(X)
    ensemble = self.ensemble_
    features = tuple(term.features for term in ensemble.terms)
    parts, base, K = ensemble.contributions(rows), ensemble.intercept, ensemble.n_outputs
    return Explanation(
        base=float(base[0]) if K == 1 else base.copy(),
        contributions=parts[:, :, 0] if K == 1 else parts,
        names=tuple(term_names(self._schema, ensemble.terms)),
        features=features,
        outputs=output_names(self),
        scale=self._explained_scale(),
        cells=cells_of(rows, features),
        offset=None if offset is None else self._known_scores(offset, len(rows)),
        classes=two_classes(self),
    ).of_positive(self, positive)


def scale_of(loss: Loss, classes: NDArray[Any] | None) -> str:
    """The unit of the scores of a loss."""
    if classes is None:
        return loss.score_name
    if len(classes) != 2:
        return "score"
    return f"{'log-odds' if loss.name == 'log_loss' else 'score'} of {classes[1]}"


def cells_of(rows: Rows, features: Sequence[Sequence[int]]) -> dict[int, Raw]:
    """The columns that terms use, as the user gave them."""
    used = sorted({j for js in features for j in js})
    n = len(rows.cells.columns or ())  # all others are numbers, which are cells already
    found = {j: _numbers(j, rows.column(j)) for j in used if j >= n}
    used = [j for j in used if j < n]
    if not used:
        return found
    table = open_table(rows.raw)
    if table.raws is not None:
        return found | {j: table.raws[j] for j in used}
    assert table.matrix is not None  # sparse columns are never categories
    return found | {j: _numbers(j, table.matrix[:, j]) for j in used}


def _numbers(j: int, column: NDArray[Any]) -> Raw:
    return Raw(f"column {j}", Kind.NUMBER, column)


# ----------------------------------------------------------------------------- sums of rules


@dataclass(frozen=True, eq=False)
class Summand:
    """What one rule adds to the scores of rows: its name, its columns, and numbers (n,)."""

    name: str
    features: tuple[int, ...]
    adds: Floats


@dataclass(frozen=True, eq=False)
class Sum:
    """One score: its name, its base, and its summands."""

    label: Any
    base: float
    summands: Sequence[Summand]


def explained(rows: Rows, sums: Sequence[Sum], classes: tuple[str, ...]) -> Explanation:
    """The explanation of scores given as sums; with several scores, rules carry their name.

    ``classes``: the two between which one score decides.
    """
    several = len(sums) > 1
    terms = [(k, term) for k, part in enumerate(sums) for term in part.summands]
    parts = np.zeros((len(rows), len(terms), len(sums)))
    for at, (k, term) in enumerate(terms):
        parts[:, at, k] = term.adds
    features = tuple(term.features for _, term in terms)
    titles = [f"{sums[k].label}: " if several else "" for k, _ in terms]
    return Explanation(
        base=np.array([part.base for part in sums]) if several else float(sums[0].base),
        contributions=parts if several else parts[:, :, 0],
        names=tuple(title + term.name for title, (_, term) in zip(titles, terms, strict=True)),
        features=features,
        outputs=tuple(str(part.label) for part in sums) if several else (),
        scale="score" if several else f"score of {sums[0].label}",
        cells=cells_of(rows, features),
        classes=() if several else classes,
    )

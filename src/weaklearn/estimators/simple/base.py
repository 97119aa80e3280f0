"""What the simple learners share: numbers in, one rule out, and a scheme to compress it."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from ...base.certificate import Certificate
from ...base.numeric.fixed_point import units
from ...base.offered import fact
from ...base.rows import Rows
from ...base.sample import Sample, take_rows
from ...base.types import Array, Bools
from ...engines import on_threads
from ...intake import parameters
from ...intake.arrays import labeller
from ...intake.cells import refuse_gaps
from ...intake.column_schema import NOUNS
from ...intake.label_kind import score_of_labels
from ...intake.labels import codes_among
from ...intake.prepare import prepare
from ...intake.raw_column import Kind
from ...intake.schema import Schema
from ...prediction import simple
from ...production.provenance import after_fit
from ...theory import bounds
from ...theory.certificates.generalisation import STATEMENTS
from ...theory.pac.compression import compression_scheme
from ...uncertainty.conformal import SetPrediction
from ...uncertainty.test_error import distinct_examples
from ..fit import column_names
from ..model import Model, in_one_step

if TYPE_CHECKING:
    from ...theory.pac.compression import Compressed

Facts = dict[str, Any]


class PlainClassifier(SetPrediction, ClassifierMixin, Model):
    """A rule on plain numbers, learnt in one step.

    A kind says ``_rule``, its name in messages, and has ``_learn``, which finds the fitted names,
    and ``_upper``, which tells the rows of ``classes_[1]``. A lone class counts as the upper one
    where it is a number above 0.
    """

    score = score_of_labels

    _rule = "a rule"
    _binary = True

    def _check_parameters(self) -> None:
        """Refuses parameters that are out of range."""

    def _learn(self, sample: Sample, positive: Bools) -> Facts:
        """The fitted names of the rule; weights come from the sample."""
        raise NotImplementedError

    def _upper(self, rows: Rows) -> Bools:
        """Which rows the rule calls positive."""
        raise NotImplementedError

    @in_one_step
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Finds the rule on rows X with labels y."""
        self._check_parameters()
        name = type(self).__name__
        ready = prepare(X, y, sample_weight, engine=on_threads(), name=name)
        sample, schema, classes = ready.sample, ready.schema, ready.classes
        self._check_numbers(schema)
        self._check_cells(sample, schema)
        if self._binary and len(classes) > 2:
            raise ValueError(
                "Only binary classification is supported. The type of the target is multiclass: y "
                f"holds {len(classes)} classes; pass two, or use DecisionStumpClassifier."
            )
        learnt = self._learn(sample, _positive(classes, sample.y > 0))
        self.__dict__.pop("feature_names_in_", None)
        self.__dict__.update(column_names(schema) | {"classes_": classes} | learnt)
        if "error_" not in learnt:
            self.error_ = self._error(sample)
        self._origin = after_fit(sample)
        return self

    def _error(self, sample: Sample) -> float:
        """The weighted training error."""
        codes = sample.y if len(self.classes_) > 2 else (sample.y > 0) & (len(self.classes_) == 2)
        w = units(sample.weights, len(sample))
        return int(w[self._codes(sample) != codes].sum()) / int(w.sum())

    def _check_numbers(self, schema: Schema) -> None:
        """Refuses what is no number: text, dates, integers that float64 would round."""
        for j, column in schema.special.items():
            found = NOUNS[column.kind] + (" beyond 2**53" if column.kind is Kind.WIDE else "")
            raise ValueError(
                f"X, {labeller(schema.names)(j)} holds {found}, and {self._rule} needs numbers "
                "there; convert the column, or use DecisionStumpClassifier, which takes it as it "
                "is."
            )

    def _check_cells(self, rows: Rows, schema: Schema) -> None:
        """Refuses missing values, naming the cell."""
        refuse_gaps(rows, schema, self._rule)

    def _rows(self, X: Any) -> Rows:
        check_is_fitted(self)
        rows = Rows(self._schema.read(X), X, on_threads())
        self._check_cells(rows, self._schema)
        return rows

    predict = simple.predict
    _codes = simple.codes

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.multi_class = not self._binary
        tags.classifier_tags.poor_score = True  # one rule of its own shape, on one column maybe
        return tags


class CompressedClassifier(PlainClassifier):
    """A rule that a few of its examples rebuild."""

    def _keep(self, rows: Rows, positive: Bools) -> list[int]:
        """The numbers of the rows to keep, in an order that tells what each is for."""
        raise NotImplementedError

    def _rebuild(self, rows: Sample, positive: Bools) -> Facts:
        """All that was learnt, from the kept rows alone; the choices may be taken as they are."""
        return self._learn(rows, positive)

    def _kappa(self, d: int) -> int | None:
        """The most rows that are kept of d columns; None where nothing limits them."""
        raise NotImplementedError

    def _choices(self, d: int) -> int:
        """Of how many such schemes the data chose one, as that of the best of d columns."""
        return 1

    def compression(
        self, X: Any, y: Any, delta: float = 0.05, *, repeats: str = "copies"
    ) -> Compressed:
        """The rule rebuilt from a few examples alone, and what that says about its true error.

        X and y are the rows of the fit. The answer tells the rows ``kept`` (repeats count), whether
        they rebuild the rule that was learnt (``verified``), and the ``bound`` on
        the true error, which holds with probability at least 1 - delta; where the best of d columns
        was taken, each has its share of delta. ``weaklearn.theory.compression_scheme`` has the
        theorem, and says what ``repeats`` of rows mean to it.
        """
        check_is_fitted(self)
        parameters.real("delta", delta, 0.0, 1.0, strict=True)
        rows = self._rows(X)
        codes = codes_among(self.classes_, y, len(rows), "y")
        positive = _positive(self.classes_, codes > 0)
        kept = np.array(self._keep(rows, positive), np.intp)
        few: Any = Rows(rows.cells.take(kept), take_rows(X, kept), rows.engine)
        facts = self._rebuild(few, positive[kept])
        rebuilt = copy.copy(self)
        rebuilt.__dict__.update(facts)
        d = self.n_features_in_
        table = X if hasattr(X, "shape") else np.asarray(X)
        found = compression_scheme(
            (lambda X, y: kept, lambda X, y: rebuilt.predict),
            table,
            np.asarray(self.classes_[codes]),
            kappa=self._kappa(d),
            delta=delta / self._choices(d),
            repeats=repeats,
        )
        # The same rule, and not only one that answers these rows alike.
        same = (np.array_equal(value, self.__dict__[name]) for name, value in facts.items())
        verified = all(same) and bool(np.array_equal(rebuilt._codes(rows), self._codes(rows)))
        return replace(
            found, verified=verified, bound=found.bound if verified else None, delta=delta
        )

    def _from_training(
        self, X: Any, y: Any, delta: float, repeats: str = "copies"
    ) -> list[Certificate]:
        statement, source = STATEMENTS["gen-compression"]
        named = ("gen-compression", statement, source)
        cells = self._rows(X).cells
        codes = codes_among(self.classes_, y, cells.n_rows, "y")
        examples = distinct_examples(cells, codes, repeats)
        kappa = self._kappa(self.n_features_in_)
        if kappa is not None and kappa >= examples.m:
            why = f"{kappa} examples would be kept of {examples.words}"
            return [Certificate.not_applicable(*named, why, "truth")]
        try:
            found = self.compression(X, y, delta, repeats=repeats)
        except OtherRows:
            found = None
        if found is None or found.bound is None:
            why = "these rows do not give the rule back: pass those of the fit"
            return [Certificate.not_applicable(*named, why, "truth")]
        return [
            Certificate(
                *named,
                ("the rule was rebuilt from the examples kept",),
                (
                    "the training examples were drawn independently of one another",
                    *examples.assumed,
                ),
                found.bound,
                note=f"{found.kappa} examples kept, m = {examples.words}",
                about="truth",
                delta=delta,
            )
        ]

    def sample_size(self, eps: float, delta: float, n_features: int | None = None) -> int:
        """Examples after which a rule without training error has a true error of at most eps.

        So it is with probability at least 1 - delta, by compression, whatever the distribution.
        ``n_features`` is the number of columns, and known of a fitted model.
        """
        d = self._width(n_features)
        parameters.real("delta", delta, 0.0, 1.0, strict=True)
        kappa = self._kappa(d)
        if kappa is None:
            raise ValueError(
                f"{type(self).__name__} has no sample size without a limit on its rules; set n_max."
            )
        return int(bounds.compression_consistent_smallest_m(kappa, eps, delta / self._choices(d)))

    def _width(self, n_features: int | None) -> int:
        known = (fact(self, "n_features_in_") or 1) if n_features is None else n_features
        return parameters.integer("n_features", known, 1)


class OtherRows(ValueError):
    """Rows that are not those of a fit."""


class LineClassifier(CompressedClassifier):
    """A rule on one number, on the column that suits it best."""

    feature_: int

    def _choices(self, d: int) -> int:
        return d

    def _value_row(self, x: Array, value: float, among: Bools | None = None) -> int:
        """A row that has a value."""
        found = np.flatnonzero((x == value) if among is None else (x == value) & among)
        if len(found) == 0:
            raise OtherRows(
                f"X, y do not hold the example at {value:g} that the rule was learnt from; pass "
                "the rows of the fit."
            )
        return int(found[0])


def best_column(wrong: list[int], total: int) -> int:
    """The first of the columns of least error; errors within 1e-12 of the weight are equal."""
    least = min(wrong)
    return next(j for j, weight in enumerate(wrong) if (weight - least) * 10**12 <= total)


def _positive(classes: Array, above: Bools) -> Bools:
    """Which examples are positive: those of the second class, or of a lone class above 0."""
    if len(classes) == 1:
        upper = classes.dtype.kind in "biuf" and bool(classes[0] > 0)
        return np.full(len(above), upper)
    return above

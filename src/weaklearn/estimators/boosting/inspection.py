"""What can be read from a fitted boosted model: rules, margins, certificates.

Functions of a fitted model; those named as methods are methods of the classes in ``base.py`` and
``classifier.py``.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from ...base.certificate import Certificates
from ...base.ensemble import StackedEnsemble, rounds_of_part
from ...base.messages.table import Table
from ...base.types import Floats
from ...base.votes.pairwise import PairwiseEnsemble, class_pairs
from ...inspection.rule_text import renamed
from ...intake import later, parameters
from ...intake.labels import coded_labels, codes_among
from ...losses.links import REDUCTIONS
from ...production.provenance import provenance_of, training_hash
from ...uncertainty.test_error import (
    all_hold,
    distinct_examples,
    judged_rows,
    together,
    whose_errors,
)
from ..thresholds import forget_threshold

if TYPE_CHECKING:
    from ...base.rows import Rows
    from ...theory.certificates.code_length import Table as CodedTable
    from ...theory.certificates.theorem import Evidence

M = TypeVar("M")


# ------------------------------------------------------------------------------------------ members


def rules(
    self: Any, n: int | None = None, *, merge: bool = False, feature_names: Any = None
) -> Table:
    """The rules of the first n rounds (all by default) as a table a person can read.

    With ``merge`` a rule that came up in several rounds is listed once, with the sum of its votes.

    ``feature_names`` says what columns are called where training did not see names, as those of
    a sparse matrix: ``pipeline[:-1].get_feature_names_out()`` knows what comes before a model.
    """
    check_is_fitted(self, "ensemble_")
    if n is not None:
        parameters.integer("n", n, 0)
    parameters.switch("merge", merge)
    from .fitted_members import rule_table

    schema = renamed(self._schema, feature_names)
    if isinstance(self.ensemble_, StackedEnsemble):
        return _rules_of_parts(self, schema, n, merge)
    return rule_table(self.ensemble_, schema, self._vote_classes, n, merge)


def _rules_of_parts(model: Any, schema: Any, n: int | None, merge: bool) -> Table:
    """The rules of several binary problems, one for each class or pair."""
    from .fitted_members import beginning, rule_table

    if not isinstance(model.ensemble_, PairwiseEnsemble):
        title, labels = "class", list(model.classes_)
        answers = [np.array([f"not {label}", label], object) for label in labels]
    else:
        title, answers = "classes", class_pairs(model.classes_)
        labels = [f"{a} or {b}" for a, b in answers]
    parts = model.ensemble_.parts
    tables = [
        rule_table(part, schema, classes, n, merge)
        for part, classes in zip(parts, answers, strict=True)
    ]
    table = joined_rules(title, labels, tables, n)
    begins = [beginning(part) for part in parts]
    if any(begins):
        starts = (f"{label}: {begin}" for label, begin in zip(labels, begins, strict=True))
        table.note += f"; it begins with {', '.join(starts)}"
    return table


def fitted_members(model: Any) -> list[Any]:
    """The members of an ensemble as fitted estimators, made once."""
    from .fitted_members import fitted_member

    check_is_fitted(model, "ensemble_")
    if "_estimators" not in vars(model):
        each = zip(
            model.ensemble_.members, model.estimator_errors_, model._member_classes(), strict=True
        )
        model._estimators = [
            fitted_member(h, model._schema, classes, float(error), t, model.estimator)
            for t, (h, error, classes) in enumerate(each)
        ]
    found: list[Any] = model._estimators
    return found


def recorded(model: Any, name: str) -> Floats:
    """One column of the history for every member kept; NaN where it was not recorded."""
    if name not in model.history_:
        return np.full(len(model.ensemble_.members), np.nan)
    column = model.history_[name]
    kept: Floats = column[-1:] if model._perfect else column[: model.n_iter_]
    return kept


def member_errors(model: Any) -> Floats:
    """The weighted errors epsilon_t of the members."""
    check_is_fitted(model, "ensemble_")
    stacked = isinstance(model.ensemble_, StackedEnsemble)
    if not stacked or "epsilon_0" not in model.history_:
        return recorded(model, "epsilon")
    history, n_parts = model.history_, len(model.ensemble_.parts)
    kept = [rounds_of_part(history, model.ensemble_, k) for k in range(n_parts)]
    return np.concatenate([history[f"epsilon_{k}"][rounds] for k, rounds in enumerate(kept)])


def member_classes(model: Any) -> list[NDArray[Any]]:
    """The classes that each member of a classifier answers with."""
    if not isinstance(model.ensemble_, StackedEnsemble):
        return [model._vote_classes] * len(model.ensemble_.members)
    parts, signs = model.ensemble_.parts, np.array([-1, 1])
    pairs = isinstance(model.ensemble_, PairwiseEnsemble)
    of_part = class_pairs(model.classes_) if pairs else [signs] * len(parts)
    return [classes for classes, part in zip(of_part, parts, strict=True) for _ in part.members]


def vote_shares(model: Any) -> Floats:
    """The share of the vote that each feature holds."""
    check_is_fitted(model, "ensemble_")
    shares = np.zeros(model.n_features_in_)
    for vote, h in model.ensemble_:
        own = h.importances(len(shares))
        if own is None:
            raise AttributeError(
                "Unable to compute feature importances since estimator does not have a "
                "feature_importances_ attribute"
            )
        shares += abs(vote) * own
    total = shares.sum()
    return shares / total if total > 0 else shares


def truncate(self: M, n: int) -> M:
    """A copy of this model that keeps the first n rounds only; all where there are fewer."""
    check_is_fitted(self, "ensemble_")
    parameters.integer("n", n, 1)
    other: Any = copy.copy(self)
    other.__dict__.pop("_estimators", None)
    if n < other.n_iter_:
        other.ensemble_ = other.ensemble_.staged(n)
        other.n_iter_ = len(other.ensemble_)
        other.history_ = other.history_.first(n)
        other.stop_reason_ = f"truncated to {n} members"
        other._final = False
    forget_threshold(self, other, "truncate")
    return cast("M", other)


# ---------------------------------------------------------------------------- margins, certificates


def margins(self: Any, X: Any, y: Any) -> Floats:
    """Normalised margins in [-1, 1]: how clearly the vote is right (wrong where negative)."""
    rows = self._rows(X)
    codes = codes_among(self.classes_, y, len(rows), "y")
    return vote_margins(self.ensemble_, rows, coded_labels(codes, len(self.classes_)))


def distributions(
    self: Any, X: Any, y: Any, rounds: Sequence[int] | None = None, sample_weight: Any = None
) -> Floats:
    """D_t, the weights of the rows in each of the given rounds (all by default): (rounds, n).

    X, y and sample_weight are those of fit; the run is replayed, not played again. Round 1
    has the weights that were given, round n_iter_ + 1 those that a further round would have.

    >>> from weaklearn import AdaBoostClassifier, datasets
    >>> X, y = datasets.toy()
    >>> model = AdaBoostClassifier(n_estimators=3).fit(X, y)
    >>> model.distributions(X, y, [1, 2]).round(3)[:, 0].tolist()
    [0.1, 0.167]
    """
    from ...inspection.replay import replayed

    check_is_fitted(self, "ensemble_")
    return replayed(self, X, y, rounds, sample_weight)


def certify(
    self: Any,
    X: Any = None,
    y: Any = None,
    X_test: Any = None,
    y_test: Any = None,
    delta: float = 0.05,
    sample_weight: Any = None,
    *,
    repeats: str = "copies",
) -> Certificates:
    """What is guaranteed, and what was observed: the first line is the one to quote.

    X, y and sample_weight are those of fit; with them margins and losses are recomputed, on the
    rows that were trained on, and the true error is bounded from them alone; without them the
    record alone is used. X_test and y_test are rows the model has never seen; rows that it has
    seen are found by their content, and then nothing is said of all.

    Statements about the true error come first, the strongest before the others; then those
    about the training rows (``.training``), and last what is vacuous or does not apply. All of
    them hold at once with probability 1 - delta: where both kinds of rows are given, one half
    of delta is for the test rows. Each theorem about the training rows has a sixth of theirs;
    of the test rows' share the exact interval has one half.

    Of the true error, rows that are equal, label included, count as one, and a whole-number weight
    is so many equal rows: copies are no further draws. With ``repeats="draws"`` they are taken for
    independent draws that are equal by chance, as they often are where columns have few values.
    """
    from ...theory.certificates.generalisation import certify_truth
    from ...theory.certificates.held_out import held_out
    from ...theory.certificates.theorem import applied

    check_is_fitted(self, "ensemble_")
    parameters.real("delta", delta, 0.0, 0.999999)
    together(X, y, X_test, y_test)
    tested = X_test is not None
    evidence = evidence_of(self, X, y, sample_weight, repeats)
    found = applied(evidence)
    share = delta / 2 if tested and X is not None else delta
    found += certify_truth(evidence, _coded_table(self), share)
    if tested:
        found += held_out(judged_rows(self, X_test, y_test, repeats), share)
    return Certificates.ranked(found, all_hold(delta), whose_errors(self))


def _coded_table(model: Any) -> CodedTable:
    """What was known of the columns before the data."""
    from ...theory.certificates.code_length import Table as CodedTable

    columns = model._schema.special

    def spell(feature: int, code: int) -> str | None:
        categories = columns[feature].categories
        return str(categories[code]) if code < len(categories) else None

    return CodedTable(model.n_features_in_, frozenset(columns), len(model.classes_), spell)


def evidence_of(
    model: Any, X: Any, y: Any, sample_weight: Any, repeats: str = "copies"
) -> Evidence:
    """What theorems may look at: the record, and the training rows where they are given."""
    from ...theory.certificates.theorem import Evidence

    training, labels, other, n = None, None, False, provenance_of(model).n_examples
    sample, distinct, left_out = None, None, 0
    if X is not None:
        again = model._prepare_again(X, y, sample_weight)
        sample = again.sample
        left_out = 0 if again.used is None else int(np.count_nonzero(~again.used))
        training = (vote_margins(model.ensemble_, sample, sample.y), sample.prior_shares)
        n, labels = sample.m, sample.y
        named = later.label_keys(labels) if sample.several else labels
        distinct = distinct_examples(sample.cells, named, repeats, sample.copies)
        other = provenance_of(model).rows != training_hash(sample)  # streams note none
    return Evidence(
        model.history_,
        model.ensemble_,
        n or 0,
        training,
        model._perfect,
        model._weighted,
        model._resumed,
        other,
        labels,
        sample,
        distinct,
        left_out,
        model._booster_name,
        model._scheme if model._scheme in REDUCTIONS else "",
        model._own_booster,
        len(model.classes_),
        model.get_params(deep=False) | _found(model),
    )


def _found(model: Any) -> dict[str, Any]:
    """What a fit found, by the public names that end with an underscore."""
    public = (name for name in vars(model) if name.endswith("_") and not name.startswith("_"))
    return {name: vars(model)[name] for name in public}


# ------------------------------------------------------------------------------------------- tables


def joined_rules(title: str, labels: list[Any], tables: list[Table], n: int | None) -> Table:
    """The rules of several binary problems as one table, in the order of rounds."""
    labelled = zip(labels, tables, strict=True)
    rows = [(t, label, *row) for label, table in labelled for t, *row in table]
    rows.sort(key=lambda row: row[0])
    longest = max(tables, key=len)
    columns = longest.columns
    gains = "what the score of the class gains"
    if title == "classes":
        gains = "what the score gains; above 0 speaks for the second class"
    note = f"then: {gains}" if longest.note.startswith("then:") else longest.note
    shown = 30 if n is None else len(rows)
    return Table("rules", [columns[0], title, *columns[1:]], rows, note, shown=shown)


def vote_margins(ensemble: Any, rows: Rows, y: NDArray[Any]) -> Floats:
    """Margins of rows, normalised as the vote has it."""
    from ...base.votes.label_scores import CodedScores

    if isinstance(ensemble, CodedScores):
        return ensemble.margins(rows, y)
    return normalised_margins(np.asarray(ensemble(rows)), y, ensemble)


def normalised_margins(F: Floats, y: NDArray[Any], ensemble: Any) -> Floats:
    """y F, or for many classes the lead over the best other class, by the weight of the vote.

    Where rows may have several labels, the smallest y F of a row.
    """
    weight = ensemble.margin_weight or 1.0
    if F.ndim == 1:
        return np.asarray(np.clip(y * F / weight, -1, 1))
    if y.ndim == 2:
        return np.asarray(np.clip((y * F).min(axis=1) / weight, -1, 1))
    everyone = np.arange(len(F))
    others = F.copy()
    others[everyone, y] = -np.inf
    return np.asarray(np.clip((F[everyone, y] - others.max(axis=1)) / weight, -1, 1))

"""What a boosted model tells of itself once it is fitted."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from ..base.certificate import Certificate, Certificates
from ..base.record import History
from ..base.table import Table
from . import parameters
from .intake import Schema
from .members import fitted_member, rule_table
from .origin import Origin, training_hash
from .setup import coded_labels, codes_among

if TYPE_CHECKING:
    from ..base.sample import Rows
    from ..theory.evidence import Evidence
    from .setup import Prepared

Floats = NDArray[np.float64]


class Membership:
    """The members of a model, their votes and the features they use."""

    estimator: Any
    ensemble_: Any
    history_: History
    n_iter_: int
    n_features_in_: int
    stop_reason_: str
    _schema: Schema
    _final: bool  # the game is over: more rounds would change nothing
    _perfect: bool  # the one member kept is that of the last round

    @property
    def _member_classes(self) -> NDArray[Any]:
        """The classes that members answer with; none where they answer with numbers."""
        return np.array([])

    def rules(self, n: int | None = None) -> Table:
        """The rules of the first n rounds (all by default) as a table a person can read."""
        check_is_fitted(self, "ensemble_")
        if n is not None:
            parameters.whole("n", n, 0)
        return rule_table(self.ensemble_, self._schema, self._member_classes, n)

    def _of_members(self, name: str) -> Floats:
        """One recorded fact for every member kept; not a number where none was recorded."""
        if name not in self.history_:
            return np.full(len(self.ensemble_.members), np.nan)
        column = self.history_[name]
        kept: Floats = column[-1:] if self._perfect else column[: self.n_iter_]
        return kept

    @property
    def estimators_(self) -> list[Any]:
        """The members as fitted estimators; "ovr" has those of classes -1 and 1, class by class."""
        check_is_fitted(self, "ensemble_")
        if "_estimators" not in self.__dict__:
            classes = self._member_classes
            members = zip(self.ensemble_.members, self.estimator_errors_, strict=True)
            self._estimators = [
                fitted_member(h, self._schema, classes, float(error), t, self.estimator)
                for t, (h, error) in enumerate(members)
            ]
        return self._estimators

    @property
    def estimator_weights_(self) -> Floats:
        """The votes alpha_t of the members."""
        check_is_fitted(self, "ensemble_")
        return np.asarray(self.ensemble_.votes)

    @property
    def estimator_errors_(self) -> Floats:
        """The weighted errors epsilon_t of the members."""
        check_is_fitted(self, "ensemble_")
        return self._of_members("epsilon")

    @property
    def feature_importances_(self) -> Floats:
        """The share of the vote that each feature holds."""
        check_is_fitted(self, "ensemble_")
        shares = np.zeros(self.n_features_in_)
        for vote, h in self.ensemble_:
            if hasattr(h, "packed"):
                shares[h.feature] += abs(vote) * (not h.constant)
            elif hasattr(h, "importances"):
                shares += abs(vote) * h.importances(len(shares))
            elif not getattr(h, "constant", False):
                shares += abs(vote) * _importances(h)
        total = shares.sum()
        return shares / total if total > 0 else shares

    def truncate(self, n: int) -> Any:
        """A copy of this model that keeps the first n members only."""
        check_is_fitted(self, "ensemble_")
        parameters.whole("n", n, 1)
        other = copy.copy(self)
        other.__dict__.pop("_estimators", None)
        if n < self.n_iter_:
            other.ensemble_ = self.ensemble_.staged(n)
            other.n_iter_ = len(other.ensemble_)
            other.history_ = self.history_.first(n)
            other.stop_reason_ = f"truncated to {n} members"
            other._final = False
        return other


class Telling(Membership):
    """Margins, certificates, rules and members of a model; mixed into every boosted classifier."""

    classes_: NDArray[Any]
    _weighted: bool  # weights other than repetitions were given
    _resumed: bool  # the rounds were played in several fits
    _origin: Origin

    if TYPE_CHECKING:

        def score(self, X: Any, y: Any) -> float: ...
        def _rows(self, X: Any) -> Rows: ...
        def _prepare_again(self, X: Any, y: Any, sample_weight: Any) -> Prepared: ...

    def margins(self, X: Any, y: Any) -> Floats:
        """Normalised margins in [-1, 1]: how clearly the vote is right (wrong where negative)."""
        rows = self._rows(X)
        codes = codes_among(self.classes_, y, len(rows), "y")
        labels = coded_labels(codes, len(self.classes_))
        return normalised_margins(np.asarray(self.ensemble_(rows)), labels, self.ensemble_)

    def certify(
        self,
        X: Any = None,
        y: Any = None,
        X_test: Any = None,
        y_test: Any = None,
        delta: float = 0.05,
        sample_weight: Any = None,
    ) -> Certificates:
        """What is guaranteed, and what was observed.

        X, y and sample_weight are those of fit; with them margins and losses are recomputed, on the
        rows that were trained on, and without them the record alone is used. X_test and y_test are
        rows the model has never seen; what they say of its true error holds with probability
        1 - delta.
        """
        from ..theory.certificates import test_set

        check_is_fitted(self, "ensemble_")
        parameters.real("delta", delta, 0.0, 0.999999)
        if (X is None) != (y is None) or (X_test is None) != (y_test is None):
            raise ValueError("pass X together with y, and X_test together with y_test.")
        found = Certificates(self._guarantees(self._evidence(X, y, sample_weight)))
        if X_test is None:
            return found
        error = 1 - self.score(X_test, y_test)
        return Certificates([*found, test_set(error, len(self._rows(X_test)), delta)])

    def _evidence(self, X: Any, y: Any, sample_weight: Any) -> Evidence:
        """What theorems may look at: the record, and the training rows where they are given."""
        from ..theory.evidence import Evidence

        training, other, n = None, False, self._origin.n_examples
        if X is not None:
            sample = self._prepare_again(X, y, sample_weight).sample
            F = np.asarray(self.ensemble_(sample))
            training = (normalised_margins(F, sample.y, self.ensemble_), sample.prior_shares)
            n = sample.m
            other = self._origin.rows not in (None, training_hash(sample))
        return Evidence(
            self.history_,
            self.ensemble_,
            n or 0,
            training,
            self._perfect,
            self._weighted,
            self._resumed,
            other,
        )

    def _guarantees(self, evidence: Evidence) -> Sequence[Certificate]:
        """The theorems that speak of this model; those that do not apply say why."""
        from ..theory.certificates import certify_votes

        return certify_votes(
            self._theorems,
            evidence.history,
            evidence.ensemble,
            evidence.training,
            perfect=evidence.perfect,
            weighted=evidence.weighted,
            resumed=evidence.resumed,
        )

    @property
    def _theorems(self) -> str:
        """Which family of theorems speaks of this model."""
        return "none"

    @property
    def _member_classes(self) -> NDArray[Any]:
        return np.array([-1, 1]) if hasattr(self.ensemble_, "parts") else self.classes_

    def rules(self, n: int | None = None) -> Table:
        """The rules of the first n rounds (all by default) as a table a person can read."""
        if not hasattr(self, "ensemble_") or not hasattr(self.ensemble_, "parts"):
            return super().rules(n)
        if n is not None:
            parameters.whole("n", n, 0)
        tables = [
            rule_table(part, self._schema, np.array([f"not {label}", label], object), n)
            for label, part in zip(self.classes_, self.ensemble_.parts, strict=True)
        ]
        told = zip(self.classes_, tables, strict=True)
        rows = [(t, label, *row) for label, table in told for t, *row in table]
        longest = max(tables, key=len)
        columns = longest.columns
        note = longest.note and "then: what the score of the class gains"
        rows.sort(key=lambda row: row[0])  # a round of all classes after another
        shown = 30 if n is None else len(rows)
        return Table("rules", [columns[0], "class", *columns[1:]], rows, note, shown=shown)

    @property
    def estimator_errors_(self) -> Floats:
        """The weighted errors epsilon_t of the members."""
        check_is_fitted(self, "ensemble_")
        if not hasattr(self.ensemble_, "parts") or "epsilon_0" not in self.history_:
            return self._of_members("epsilon")
        played = len(self.history_) if self._final else self.n_iter_
        history = self.history_.first(played)
        parts = enumerate(self.ensemble_.parts)
        return np.concatenate([_errors_of_part(history, k, len(part)) for k, part in parts])

    @property
    def edges_(self) -> Floats:
        """The edges gamma_t of the members."""
        check_is_fitted(self, "ensemble_")
        if hasattr(self.ensemble_, "parts"):
            return 0.5 - self.estimator_errors_
        return self._of_members("gamma")


def normalised_margins(F: Floats, y: NDArray[Any], ensemble: Any) -> Floats:
    """y F, or for many classes the lead over the best other class, by the weight of the vote."""
    weight = ensemble.margin_weight or 1.0
    if F.ndim == 1:
        return np.asarray(np.clip(y * F / weight, -1, 1))
    everyone = np.arange(len(F))
    others = F.copy()
    others[everyone, y] = -np.inf
    return np.asarray(np.clip((F[everyone, y] - others.max(axis=1)) / weight, -1, 1))


def _errors_of_part(history: History, k: int, n: int) -> Floats:
    """The errors of the n members of class k's own game."""
    errors, won = history[f"epsilon_{k}"], np.flatnonzero(np.isinf(history[f"alpha_{k}"]))
    return np.asarray(errors[won[:1]] if len(won) else errors[:n])


def _importances(h: Any) -> Floats:
    try:
        return np.asarray(h.estimator.feature_importances_)
    except AttributeError as error:
        raise AttributeError(
            "Unable to compute feature importances since estimator does not have a "
            "feature_importances_ attribute"
        ) from error

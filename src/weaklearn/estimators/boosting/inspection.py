"""What a boosted model tells of itself once it is fitted."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from ...base.certificate import Certificate, Certificates
from ...base.ensemble import StackedEnsemble
from ...base.messages.table import Table
from ...base.record import History
from ...base.votes.label_scores import CodedScores
from ...base.votes.pairwise import PairwiseEnsemble, pairs_of
from ...export.mixins import Source
from ...inspection.explainable import Summed
from ...inspection.rule_text import renamed
from ...intake import parameters
from ...intake.prepare import coded_labels, codes_among
from ...intake.schema import Schema
from ...production.provenance import Origin, training_hash
from ...uncertainty.test_error import together

if TYPE_CHECKING:
    from ...base.sample import Rows
    from ...intake.prepare import Prepared
    from ...theory.certificates.code_length import Table as CodedTable
    from ...theory.certificates.evidence import Evidence

Floats = NDArray[np.float64]


class Membership(Summed, Source):
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
    def _vote_classes(self) -> NDArray[Any]:
        """The classes that members answer with; none where they answer with numbers."""
        return np.array([])

    def _member_classes(self) -> list[NDArray[Any]]:
        """The classes that each member answers with."""
        return [self._vote_classes] * len(self.ensemble_.members)

    def rules(self, n: int | None = None, merge: bool = False, feature_names: Any = None) -> Table:
        """The rules of the first n rounds (all by default) as a table a person can read.

        With ``merge`` a rule that came up in several rounds is told once, with the sum of its
        votes.

        ``feature_names`` says what columns are called where training did not see names, as those of
        a sparse matrix: ``pipeline[:-1].get_feature_names_out()`` knows what comes before a model.
        """
        check_is_fitted(self, "ensemble_")
        if n is not None:
            parameters.whole("n", n, 0)
        parameters.switch("merge", merge)
        schema = renamed(self._schema, feature_names)
        from .fitted_members import rule_table

        return rule_table(self.ensemble_, schema, self._vote_classes, n, merge)

    def _of_members(self, name: str) -> Floats:
        """One recorded fact for every member kept; not a number where none was recorded."""
        if name not in self.history_:
            return np.full(len(self.ensemble_.members), np.nan)
        column = self.history_[name]
        kept: Floats = column[-1:] if self._perfect else column[: self.n_iter_]
        return kept

    @property
    def estimators_(self) -> list[Any]:
        """The members as fitted estimators, of several games one after another.

        "ovr" has those of classes -1 and 1, class by class; "pairs" those of both, pair by pair.
        """
        check_is_fitted(self, "ensemble_")
        if "_estimators" not in self.__dict__:
            from .fitted_members import fitted_member

            told = zip(
                self.ensemble_.members, self.estimator_errors_, self._member_classes(), strict=True
            )
            self._estimators = [
                fitted_member(h, self._schema, classes, float(error), t, self.estimator)
                for t, (h, error, classes) in enumerate(told)
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
            own = h.importances(len(shares))
            if own is None:
                raise AttributeError(
                    "Unable to compute feature importances since estimator does not have a "
                    "feature_importances_ attribute"
                )
            shares += abs(vote) * own
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
    _scheme: str
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
        return vote_margins(self.ensemble_, rows, coded_labels(codes, len(self.classes_)))

    def distributions(
        self, X: Any, y: Any, rounds: Sequence[int] | None = None, sample_weight: Any = None
    ) -> Floats:
        """D_t, the weights of the rows in each of the given rounds (all by default): (rounds, n).

        X, y and sample_weight are those of fit; the game is replayed, not played again. Round 1
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
        self,
        X: Any = None,
        y: Any = None,
        X_test: Any = None,
        y_test: Any = None,
        delta: float = 0.05,
        sample_weight: Any = None,
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
        """
        from ...theory.certificates.generalisation import certify_truth
        from ...theory.certificates.held_out import held_out
        from ...uncertainty.test_error import judged_rows

        check_is_fitted(self, "ensemble_")
        parameters.real("delta", delta, 0.0, 0.999999)
        together(X, y, X_test, y_test)
        tested = X_test is not None
        evidence = self._evidence(X, y, sample_weight)
        found = list(self._guarantees(evidence))
        share = delta / 2 if tested and X is not None else delta
        found += certify_truth(evidence, self._coded_table(), share)
        if tested:
            found += held_out(judged_rows(self, X_test, y_test), share)
        return Certificates.ranked(found, f"all hold at once with probability {1 - delta:g}")

    def _coded_table(self) -> CodedTable:
        """What was known of the columns before the data."""
        from ...theory.certificates.code_length import Table as CodedTable

        columns = self._schema.special

        def spell(feature: int, level: int) -> str | None:
            levels = columns[feature].levels
            return str(levels[level]) if level < len(levels) else None

        return CodedTable(self.n_features_in_, frozenset(columns), len(self.classes_), spell)

    def _evidence(self, X: Any, y: Any, sample_weight: Any) -> Evidence:
        """What theorems may look at: the record, and the training rows where they are given."""
        from ...theory.certificates.evidence import Evidence

        training, labels, other, n = None, None, False, self._origin.n_examples
        sample, left_out = None, 0
        if X is not None:
            again = self._prepare_again(X, y, sample_weight)
            sample = again.sample
            left_out = 0 if again.used is None else int(np.count_nonzero(~again.used))
            training = (vote_margins(self.ensemble_, sample, sample.y), sample.prior_shares)
            n, labels = sample.m, sample.y
            other = self._origin.rows != training_hash(sample)  # streams note none
        return Evidence(
            self.history_,
            self.ensemble_,
            n or 0,
            training,
            self._perfect,
            self._weighted,
            self._resumed,
            other,
            labels,
            sample,
            left_out,
        )

    def _guarantees(self, evidence: Evidence) -> Sequence[Certificate]:
        """The theorems that speak of this model; those that do not apply say why."""
        from ...theory.certificates.adaboost import certify_votes

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
    def _vote_classes(self) -> NDArray[Any]:
        return self.classes_

    def _member_classes(self) -> list[NDArray[Any]]:
        if not isinstance(self.ensemble_, StackedEnsemble):
            return super()._member_classes()
        parts = self.ensemble_.parts
        signs = np.array([-1, 1])
        pairs = isinstance(self.ensemble_, PairwiseEnsemble)
        games = self._pairs() if pairs else [signs] * len(parts)
        return [classes for classes, part in zip(games, parts, strict=True) for _ in part.members]

    def _pairs(self) -> list[NDArray[Any]]:
        """Every two classes, in the order of their games."""
        return [self.classes_[list(pair)] for pair in pairs_of(len(self.classes_))]

    def rules(self, n: int | None = None, merge: bool = False, feature_names: Any = None) -> Table:
        """The rules of the first n rounds (all by default) as a table a person can read.

        With ``merge`` a rule that came up in several rounds is told once, with the sum of its
        votes.

        ``feature_names`` says what columns are called where training did not see names, as those of
        a sparse matrix: ``pipeline[:-1].get_feature_names_out()`` knows what comes before a model.
        """
        if not isinstance(getattr(self, "ensemble_", None), StackedEnsemble):
            return super().rules(n, merge, feature_names)
        if n is not None:
            parameters.whole("n", n, 0)
        parameters.switch("merge", merge)
        if not isinstance(self.ensemble_, PairwiseEnsemble):
            title, labels = "class", list(self.classes_)
            answers = [np.array([f"not {label}", label], object) for label in labels]
        else:
            title, answers = "classes", self._pairs()
            labels = [f"{a} or {b}" for a, b in answers]
        from .fitted_members import beginning, rule_table

        parts, schema = self.ensemble_.parts, renamed(self._schema, feature_names)
        tables = [
            rule_table(part, schema, classes, n, merge)
            for part, classes in zip(parts, answers, strict=True)
        ]
        table = joined_rules(title, labels, tables, n)
        begins = [beginning(part) for part in parts]
        if any(begins):
            told = (f"{label}: {begin}" for label, begin in zip(labels, begins, strict=True))
            table.note += f"; it begins with {', '.join(told)}"
        return table

    @property
    def estimator_errors_(self) -> Floats:
        """The weighted errors epsilon_t of the members."""
        check_is_fitted(self, "ensemble_")
        stacked = isinstance(self.ensemble_, StackedEnsemble)
        if not stacked or "epsilon_0" not in self.history_:
            return self._of_members("epsilon")
        played = len(self.history_) if self._final else self.n_iter_
        history = self.history_.first(played)
        parts = enumerate(self.ensemble_.parts)
        return np.concatenate([_errors_of_part(history, k, len(part)) for k, part in parts])

    @property
    def edges_(self) -> Floats:
        """The edges gamma_t of the members."""
        check_is_fitted(self, "ensemble_")
        if isinstance(self.ensemble_, StackedEnsemble):
            return 0.5 - self.estimator_errors_
        return self._of_members("gamma")


def joined_rules(title: str, labels: list[Any], tables: list[Table], n: int | None) -> Table:
    """The rules of several games as one table, a round of all of them after another."""
    told = zip(labels, tables, strict=True)
    rows = [(t, label, *row) for label, table in told for t, *row in table]
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


def _errors_of_part(history: History, k: int, n: int) -> Floats:
    """The errors of the n members of class k's own game."""
    errors, won = history[f"epsilon_{k}"], np.flatnonzero(np.isinf(history[f"alpha_{k}"]))
    return np.asarray(errors[won[:1]] if len(won) else errors[:n])

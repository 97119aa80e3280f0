"""BoosTexterClassifier."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any, ClassVar, Literal

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..base.added_field import ADDED
from ..base.booster import Booster
from ..base.hypothesis import WeakLearner
from ..base.messages.table import Table
from ..base.messages.value_text import show
from ..base.numeric.total import added_in_order
from ..base.rows import Rows
from ..base.sample import Sample
from ..base.trees.label_tree import LabelTree
from ..base.types import Floats
from ..boosters import AdaBoostMH, AdaBoostMR
from ..estimators.boosting.label_boosting import LabelRanking
from ..estimators.fit import FitInputs
from ..estimators.gradient.folds import rounds_of_votes
from ..inspection.label_rules import words_of
from ..inspection.merge_rules import votes_of
from ..inspection.rule_text import feature_name, renamed
from ..intake import parameters
from ..intake.cells import Cells
from ..intake.labels import codes_among
from ..intake.schema import Schema
from ..learners.graded_rules import GradedRuleLearner
from ..learners.label_rules import TermRuleLearner
from .documents import items
from .graded import added, is_graded, rule_table
from .highlight import TextEvidence, pieces_of
from .rejection import RejectionCurve
from .table import TextSchema, as_texts, is_texts, only_texts, warn_of_texts
from .text_columns import TextColumn
from .vectorizer import TermVectorizer, vectorizer_of

Form = Literal["auto", "parallel", "real", "abstain", "discrete", "ranking"]
_MOST = {True: 100, False: 300}  # rounds that folds try, where many rules a round are found or one


@parameters.declared
class BoosTexterClassifier(LabelRanking):
    """Boosts rules of thumb about words: what a text with a term is about, and one without.

    X is a list of texts; or a sparse or dense matrix of terms, one column each; or a DataFrame in
    which ``text_columns`` are texts, and others numbers or categories. y is one label per row, or,
    where a text may have several, a table of 0 and 1 with one column per label.

    Of texts alone, many terms get rules in every round: a rule adds to the score of each label a
    confidence times the weight of its term in the text (tf-idf), and all confidences of a round
    take the step that leaves the least weight. In the other forms a round chooses one term, the
    same for all labels, and what its presence says of each label is added to the scores of the
    texts that contain it, what its absence says to those of the others; numbers and categories are
    asked about by stumps that answer every label.

    Sparse matrices are never made dense: a round adds up the entries once, and the weight of the
    texts without a term is what is left of the total.

    Parameters
    ----------
    form : {"auto", "parallel", "real", "abstain", "discrete", "ranking"}, default "auto"
        "parallel": AdaBoost.MH with ``rules_per_round`` rules a round, each 1/2 ln((W+ + s)/(W- +
        s)) times the weight of its term, W+ and W- being sums over texts that have the label, and
        over those that have not, of their weights times that of the term. "real": AdaBoost.MH whose
        rules answer with such confidences on either side, where the term is and where it is not.
        "abstain": the same, but a rule is silent of texts without its term. "discrete": rules
        answer -1 or +1 and get a vote. "ranking": AdaBoost.MR with such rules, which ranks the
        labels of a text above others. "auto" is "parallel" where X holds nothing but texts, else
        "real".
    n_estimators : "auto" or int, default "auto"
        Boosting rounds; "auto" finds their number by five folds (beyond 50,000 texts by one of
        them), of at most 100 rounds of form "parallel" and 300 of the others. With
        ``early_stopping`` the rows held out find it instead.
    smoothing : float, optional
        s, in shares of the weight; None means 1/(mK), m texts and K labels.
    vectorizer : TermVectorizer, optional
        How texts become terms; single words by default. In form "parallel" terms are counted and
        weigh by tf-idf, whatever its ``binary``.
    text_columns : list of str, optional
        The columns of a DataFrame that are texts. Their terms are named ``column:term``.
    on_perfect : {"stop", "smooth"}, default "stop"
        A rule that is right about every label of every text outvotes all others and ends the fit,
        or is one like others, as it always is in form "parallel".
    rules_per_round : int, default 2000
        How many terms, those with the most to gain, get rules in a round of form "parallel".

    Attributes
    ----------
    classes_ : ndarray
        The labels: where y is a table, the names of its columns, or their numbers.
    n_features_in_, feature_names_in_
        The terms, and the columns that are no texts.
    n_iter_, stop_reason_, history_, ensemble_, estimators_, estimator_weights_, estimator_errors_,
    edges_, feature_importances_

    Examples
    --------
    >>> from weaklearn.text import BoosTexterClassifier
    >>> texts = ["the match was a win", "a goal won the match", "the bank lost money",
    ...          "money in the bank", "a vote for the bank", "they won the vote"]
    >>> topics = ["sport", "sport", "money", "money", "money", "politics"]
    >>> model = BoosTexterClassifier(form="real", n_estimators=5).fit(texts, topics)
    >>> model.predict(["he won a match", "the bank is closed"]).tolist()
    ['sport', 'money']
    >>> print(model.explain("The bank is closed").highlighted())
    The [bank +2.9] is closed
    >>> print(model.certify(texts, topics)[0].verdict)
    holds

    Reference: Schapire and Singer (2000), BoosTexter: a boosting-based system for text
    categorization, Machine Learning 39.
    """

    form: Form = "auto"
    n_estimators: int | Literal["auto"] = "auto"  # type: ignore[assignment]
    smoothing: float | None = None
    vectorizer: Any = None
    text_columns: Any = None
    rules_per_round: int = field(default=2000, metadata=ADDED)

    _rounds_by_folds = True
    estimator: ClassVar[Any] = None  # type: ignore[misc]  # rules are about terms

    # ------------------------------------------------------------------------------------ fitting

    def _check_parameters(self) -> None:
        super()._check_parameters()
        parameters.one_of("form", self.form, Form)
        parameters.integer("rules_per_round", self.rules_per_round, 1)
        if self.smoothing is not None:
            parameters.real("smoothing", self.smoothing, None, 1e6, least=0.0)
        vectorizer_of(self.vectorizer)._check_parameters()
        self._text_columns()

    def _text_columns(self) -> list[str] | None:
        given = self.text_columns
        if given is None:
            return None
        names = list(given) if isinstance(given, (list, tuple, np.ndarray)) else []
        if not names or not all(isinstance(name, str) for name in names):
            raise ValueError(
                f"text_columns={show(given)} is not allowed: it must be a list of the names of "
                "columns, or None."
            )
        if len(set(names)) < len(names):
            raise ValueError(f"text_columns={show(given)} names a column twice.")
        return [str(name) for name in names]

    @property
    def _ranks(self) -> bool:
        return self.form == "ranking"

    def _parallel(self, schema: Schema | None) -> bool:
        """Whether a round has many rules, for columns of this schema."""
        alone = isinstance(schema, TextSchema) and schema.plain is None
        return self.form == "parallel" or (self.form == "auto" and alone)

    def _make_learner(self, seed: int, schema: Schema | None) -> WeakLearner:
        smoothing = None if self.smoothing is None else float(self.smoothing)
        if self._parallel(schema):
            if self.min_weight_fraction_leaf:
                raise ValueError(
                    f"min_weight_fraction_leaf={show(self.min_weight_fraction_leaf)} is not "
                    "allowed under form='parallel', whose rules part no texts; it must be 0, or "
                    "set form='real'."
                )
            rate = float(self.learning_rate)
            return GradedRuleLearner(int(self.rules_per_round), smoothing, rate)
        form = "discrete" if self._ranks else "real" if self.form == "auto" else self.form
        return TermRuleLearner(form, smoothing, float(self.min_weight_fraction_leaf))

    def _make_booster(self, sample: Sample, learner: WeakLearner) -> Booster:
        if isinstance(learner, GradedRuleLearner):  # the rate is in its confidences
            return AdaBoostMH(1.0, "smooth")
        booster = AdaBoostMR if self._ranks else AdaBoostMH
        return booster(float(self.learning_rate), self.on_perfect)

    @property
    def _most_rounds(self) -> int:
        if not self._finds_rounds:
            return int(self.n_estimators)
        return _MOST[self.form == "parallel"]

    def _rounds_to_play(self, inputs: FitInputs) -> int:
        if not self._finds_rounds:
            return int(self.n_estimators)
        sample, learner = inputs.prepared.sample, inputs.learner
        most = _MOST[isinstance(learner, GradedRuleLearner)]
        if self.early_stopping:
            return most
        return rounds_of_votes(
            self._make_booster, sample, learner, seed=inputs.seed, most_rounds=most
        ).rounds

    def _inputs(
        self, X: Any, y: Any, sample_weight: Any = None, *others: Any, **named: Any
    ) -> FitInputs:
        X_val, *rest = others or (None,)
        if isinstance(X_val, Mapping):
            X_val = {name: as_texts(texts) for name, texts in X_val.items()}
        else:
            X_val = as_texts(X_val)
        return super()._inputs(as_texts(X), y, sample_weight, X_val, *rest, **named)

    def _learn_schema(self, X: Any, **how: Any) -> tuple[Schema, Cells]:
        columns = self._text_columns()
        if isinstance(X, (str, bytes, bytearray)):
            items(X, "X")  # refuses one text
        if columns is None and not is_texts(X):
            warn_of_texts(X)
            return super()._learn_schema(X, **how)
        return TextSchema.learn_texts(X, columns, self._new_vectorizer(X, columns), **how)

    def _new_vectorizer(self, X: Any, columns: list[str] | None) -> TermVectorizer:
        """A vectorizer for texts, whose terms have the weights that the form asks for."""
        found = vectorizer_of(self.vectorizer)
        alone = columns is None or only_texts(X, columns)
        if self.form == "parallel" or (self.form == "auto" and alone):
            found.set_params(binary=False, weights="tfidf")
        return found

    # --------------------------------------------------------------------------------- predicting

    def _rows(self, X: Any) -> Rows:
        rows = super()._rows(as_texts(X))
        if isinstance(self._schema, TextSchema):  # whoever looks at X wants the other columns
            return replace(rows, raw=self._schema.others(X))
        return rows

    def predict(self, X: Any, reject_below: float | None = None, rejected: Any = None) -> Any:
        """The label of each row, or an indicator matrix where rows may have several.

        With ``reject_below`` rows whose best label has a smaller probability get the label
        ``rejected`` instead; ``rejection_curve`` shows what each threshold does.
        """
        if reject_below is None:
            return super().predict(X)
        parameters.real("reject_below", reject_below, None, 1.0, least=0.0)
        self._check_one_label("reject_below")
        p = self.predict_proba(X)
        labels = self.classes_[p.argmax(axis=1)].astype(object)
        labels[p.max(axis=1) < reject_below] = rejected
        return labels

    def rejection_curve(self, X: Any, y: Any) -> RejectionCurve:
        """Accuracy among accepted rows against the share rejected, threshold by threshold."""
        self._check_one_label("rejection_curve")
        p = self.predict_proba(X)
        codes = codes_among(self.classes_, y, len(p), "y")
        return RejectionCurve.of(p.max(axis=1), p.argmax(axis=1) == codes)

    def _check_one_label(self, what: str) -> None:
        check_is_fitted(self, "ensemble_")
        if self._indicator is not None:
            raise ValueError(
                f"{what} is for rows of one label each, and this model gives rows several; look at "
                "predict_proba, which is of each label by itself."
            )

    # --------------------------------------------------------------------------------- describing

    @property
    def _scored(self) -> tuple[list[Any], Any]:
        """The labels that have scores, and the function from a rule's answers to them."""
        labels = self.classes_.tolist()
        if len(labels) != 2 or self._indicator is not None:
            return labels, lambda answers: answers
        return labels[1:], lambda answers: (answers[..., 1:] - answers[..., :1]) / 2

    def rules(
        self, n: int | None = None, *, merge: bool = True, feature_names: Any = None
    ) -> Table:
        """The rules of the first n rounds (all by default): what a term adds to each label.

        ``present`` and ``absent`` are what the score of the label gains where the term is there
        and where it is not. With ``merge`` the rounds of the same term are added up. In form
        "parallel" ``adds`` is what it gains times the weight of the term, the best rules of the
        first round first.
        Where values of other columns were missing in training, ``missing`` is what is gained there.

        ``feature_names`` says what columns are called where training did not see names, as those of
        a sparse matrix: ``pipeline[:-1].get_feature_names_out()`` knows what comes before a model.
        """
        check_is_fitted(self, "ensemble_")
        if n is not None:
            parameters.integer("n", n, 0)
        parameters.switch("merge", merge)
        (labels, score), schema = self._scored, renamed(self._schema, feature_names)
        if is_graded(self.ensemble_):
            return rule_table(self.ensemble_, n, merge, (labels, score), schema)
        voting = votes_of(self.ensemble_, n, merge)
        gaps = any(h.tree.width[0] == 3 for _, _, h in voting)  # a branch for missing values
        rows: list[tuple[Any, ...]] = []
        for t, vote, h in voting:
            test, *answers = self._test_and_answers(h, schema)
            amounts = [score(vote * a).tolist() for a in answers[: 3 if gaps else 2]]
            rows += [(t, test, *row) for row in zip(labels, *amounts, strict=True)]
        columns = ["rounds" if merge else "round", "term", "label", "present", "absent"]
        columns += ["missing"] if gaps else []
        note = "what the score of the label gains where the term is present, and where it is not"
        return Table("rules", columns, rows, note, shown=30 if n is None else len(rows))

    def _test_and_answers(self, h: LabelTree, schema: Schema) -> tuple[str, Floats, Floats, Floats]:
        """The test of a rule, and its answers where it holds, where not, and where missing."""
        answers = h.answers
        if h.constant:
            return "(always)", answers[0], answers[0], answers[0]
        first, j = int(h.tree.first[0]), int(h.tree.feature[0])
        if h.tree.width[0] == 2 and self._is_term(j):
            test = feature_name(schema, j)
        else:
            test = words_of(h, schema, self.classes_).question(0)
        unknown = answers[first + int(h.tree.missing[0])]
        return test, answers[first + 1], answers[first], unknown

    def _is_term(self, j: int) -> bool:
        """Whether a column is the 0/1 indicator of a term."""
        schema = self._schema
        if not isinstance(schema, TextSchema):
            return False
        n_plain = 0 if schema.plain is None else schema.plain.n_features
        return j >= n_plain and all(map(_asks_presence, schema.texts))

    def explain(self, X: Any, *, label: Any = None, positive: Any = None) -> Any:
        """The text with the contribution of its terms to the score; a list for several texts.

        ``label`` is the one to explain, by default the one that scores highest. Where the model was
        fitted on a table, it is what every column adds to the score of every row, and of two
        classes ``positive`` is the one whose score it is.
        """
        check_is_fitted(self, "ensemble_")
        single = X is None or isinstance(X, (str, bytes, bytearray))
        schema = self._schema
        if isinstance(schema, TextSchema) and schema.texts[0].name is None:
            found = [
                self._explained(schema, text, label) for text in ([X] if single else items(X, "X"))
            ]
            return found[0] if single else found
        if single:
            raise ValueError(
                "X is one text, but the model was fitted on a table; pass a table of one row."
            )
        if is_graded(self.ensemble_):
            raise ValueError(
                "explain is for texts under form='parallel', and the model was fitted on a table; "
                "rules() has what every column adds."
            )
        return super().explain(X, positive=positive)

    def _explained(self, schema: TextSchema, text: Any, label: Any) -> TextEvidence:
        cells = schema.read([text]).sparse
        there = dict(zip(cells.indices.tolist(), cells.data.tolist(), strict=True))
        labels, (scored, score) = self.classes_.tolist(), self._scored
        chosen = self._place(label, labels, text)
        # Two classes share one score: what speaks for the second speaks against the first.
        k, sign = (chosen, 1.0) if len(scored) == len(labels) else (0, 2.0 * chosen - 1.0)
        base = -float(self._cut)
        amounts: dict[int, float] = {}
        graded = is_graded(self.ensemble_)
        if graded:
            always, gains = added(self.ensemble_, there, score)
            base += sign * float(always[k])
            amounts = {j: sign * float(each[k]) for j, each in gains.items()}
        for vote, h in () if graded else self.ensemble_:
            scores, first = sign * score(vote * h.answers)[:, k], int(h.tree.first[0])
            base += float(scores[first])  # of a rule without a test, its only answer
            j = int(h.tree.feature[0])
            if there.get(j, 0.0) > h.tree.threshold[0]:
                amounts[j] = amounts.get(j, 0.0) + float(scores[first + 1] - scores[first])
        names = schema.names or ()
        order = sorted(amounts, key=lambda j: (-abs(amounts[j]), j))
        reasons = tuple((names[j], amounts[j]) for j in order if amounts[j])
        pieces = tuple(pieces_of(text, schema.texts[0].vectorizer, dict(reasons)))
        return TextEvidence(
            labels[chosen], base + added_in_order(amounts.values()), base, reasons, pieces
        )

    def _place(self, label: Any, labels: list[Any], X: Any) -> int:
        if label is None:
            F = self.decision_function([X])[0]
            return int(np.argmax(F)) if np.ndim(F) else int(F > 0 and len(labels) > 1)
        for k, known in enumerate(labels):
            if known == label:
                return k
        raise ValueError(f"label={show(label)} is not allowed: it must be one of {show(labels)}.")


def _asks_presence(column: TextColumn) -> bool:
    """Whether the terms of a column of texts are 0 or 1."""
    return bool(column.vectorizer.binary and column.vectorizer.weights is None)

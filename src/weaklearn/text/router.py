"""CallRouter: classification of calls, with rejection of uncertain ones."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from ..base.messages.table import Table
from ..base.messages.value_text import show
from ..estimators.boosting.confidence_rated import AdaBoostLClassifier
from ..estimators.boosting.multilabel import AdaBoostMHClassifier
from ..estimators.model import Model, in_one_step
from ..intake import parameters
from ..intake.label_kind import score_of_labels
from ..intake.labels import read_labels
from ..intake.weights import counts, read_weights
from ..prediction import calls
from ..production.provenance import fitted_now
from .documents import items
from .handwritten import Handwritten, HandwrittenPrior
from .rejection import RejectionCurve
from .term_gains import TermGains
from .vectorizer import TermVectorizer, vectorizer_of


@parameters.declared
class CallRouter(ClassifierMixin, Model):
    """Routes utterances by what they ask for; what it is not sure of goes to "other".

    Words and pairs of words become terms, and AdaBoost.MH with confidences learns rules that score
    every type of call at once. An utterance whose best type has a probability below ``threshold``
    is rejected: its label is ``other``.

    Prior knowledge is given as hand-written rules: a term, or a function of the
    text, speaks for or against types with a strength s, which makes a type e^s times as likely as
    one without a rule. Boosting then starts from these probabilities and is held near them, as if
    each utterance had been seen ``prior_strength`` times more, labelled as the rules would have it;
    the loss is then the logistic one (AdaBoost.L, type by type). Few calls: the rules win; many:
    the calls do.

    Parameters
    ----------
    n_estimators : int, default 100
        Boosting rounds at most.
    vectorizer : TermVectorizer, optional
        How utterances become terms; by default words and pairs of words.
    threshold : float, default 0.0
        The least probability that is accepted; ``rejection_curve`` shows what each would do.
    other : label, default "other"
        The label of what is rejected.
    prior_rules : dict, function or list of these, optional
        A dict from term to label to strength; a function from a text to a dict from label to
        strength, or None. A term may be several words.
    prior_strength : float, default 1.0
        How many utterances the rules are worth beside each one seen.

    Attributes
    ----------
    classes_ : ndarray
    vectorizer_, model_ : the fitted parts

    Examples
    --------
    >>> from weaklearn.text import CallRouter
    >>> calls = ["my bill is wrong", "pay my bill", "the line is dead", "no dial tone"]
    >>> types = ["billing", "billing", "repair", "repair"]
    >>> router = CallRouter(n_estimators=10).fit(calls, types)
    >>> router.predict(["a question on my bill", "my line is dead"]).tolist()
    ['billing', 'repair']
    >>> router.set_params(threshold=0.9).predict(["good morning"]).tolist()
    ['other']

    Reference: Schapire and Singer (2000), BoosTexter, Machine Learning 39; Schapire, Rochery, Rahim
    and Gupta (2002), Incorporating prior knowledge into boosting, ICML.
    """

    score = score_of_labels

    n_estimators: int = 100
    vectorizer: Any = None
    threshold: float = 0.0
    other: Hashable = "other"
    prior_rules: Any = None
    prior_strength: float = 1.0
    n_jobs: int | None = None

    def _check_parameters(self) -> None:
        parameters.integer("n_estimators", self.n_estimators, 1)
        calls.check_rejection(self.threshold, self.other)
        parameters.real("prior_strength", self.prior_strength, None, 1e6, least=0.0)
        self._new_vectorizer()._check_parameters()
        if self.prior_rules is not None:
            Handwritten.read(self.prior_rules)

    def _new_vectorizer(self) -> TermVectorizer:
        return vectorizer_of(self.vectorizer, ngram_range=2)

    # ----------------------------------------------------------------------------------- learning

    @in_one_step
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learns from utterances X, texts, and their types y; a whole weight is so many copies,
        and one of weight 0 does not count at all.
        """
        self._check_parameters()
        texts = list(items(X, "X"))
        classes, codes = read_labels(y, len(texts), estimator_name=type(self).__name__)
        weights = read_weights(sample_weight, len(texts))
        if weights is not None:
            kept = np.flatnonzero(weights)
            texts, weights = [texts[i] for i in kept], weights[kept]
            present, codes = np.unique(codes[kept], return_inverse=True)
            classes = classes[present]
        vectorizer = self._new_vectorizer()
        terms = vectorizer._learned(texts, counts(weights))
        if self.prior_rules is not None:
            self._check_rules(classes.tolist(), vectorizer)
        model = self._booster(len(classes))
        model.fit(self._beside(terms, texts, vectorizer, classes), classes[codes], weights)
        self.vectorizer_, self.model_, self.classes_ = vectorizer, model, classes
        self._origin = fitted_now()
        return self

    def _booster(self, n_labels: int) -> Any:
        given: dict[str, Any] = {"n_estimators": self.n_estimators, "n_jobs": self.n_jobs}
        if self.prior_rules is None:
            by_labels: Any = AdaBoostMHClassifier
            return by_labels(**given)
        return AdaBoostLClassifier(
            prior=HandwrittenPrior(n_labels), prior_strength=self.prior_strength, **given
        )

    def _check_rules(self, labels: list[Any], vectorizer: TermVectorizer) -> None:
        rules = Handwritten.read(self.prior_rules)
        for term in rules.terms:
            if not vectorizer.tokens(term):
                raise ValueError(
                    f"prior_rules holds the term {show(term)}, in which the vectorizer sees no "
                    "word, so that no text contains it; set punctuation=True there, or write a "
                    "function."
                )
        strange = [label for label in rules.labels() if label not in labels]
        if strange:
            raise ValueError(
                f"prior_rules speaks of the label {show(strange[0])}, which is not in y; known are "
                f"{', '.join(map(show, labels[:10]))}."
            )

    def _beside(
        self, terms: Any, texts: list[Any], vectorizer: TermVectorizer, classes: NDArray[Any]
    ) -> Any:
        """The terms, followed by the strengths of the hand-written rules for each label."""
        if self.prior_rules is None:
            return terms
        rules = Handwritten.read(self.prior_rules)
        sums = rules.sums(texts, vectorizer._terms(), classes.tolist())
        return sp.hstack([terms, sp.csr_matrix(sums.astype(np.float64))], format="csr")

    # --------------------------------------------------------------------------------- predicting

    def _rows(self, X: Any) -> Any:
        check_is_fitted(self, "model_")
        texts = list(items(X, "X"))
        return self._beside(
            self.vectorizer_._counted(texts), texts, self.vectorizer_, self.classes_
        )

    decision_function = calls.decision_function
    predict_proba = calls.predict_proba
    predict = calls.predict
    _confidence = calls.best_probabilities

    def rejection_curve(self, X: Any, y: Any) -> RejectionCurve:
        """Accuracy among the accepted against the share rejected, for every threshold.

        Types in y that the router does not know are mistakes wherever they are accepted.
        """
        rows = self._rows(X)
        labels, codes = read_labels(y, rows.shape[0], estimator_name=type(self).__name__)
        right = np.asarray(self.model_.predict(rows) == labels[codes])
        return RejectionCurve.of(self._confidence(rows), right)

    def ask_next(self, X: Any, n: int = 1) -> NDArray[np.intp]:
        """Active learning: the n texts of X to label next, those with the smallest |F|.

        F is the score of the best type: at 0 it is as likely as not. Places in X, the least sure
        first; of equals the first in X.
        """
        parameters.integer("n", n, 1)
        F = self.decision_function(X)
        top = np.abs(F if F.ndim == 1 else F.max(axis=1))
        return np.argsort(top, kind="stable")[:n]

    # -------------------------------------------------------------------------------- explanations

    def rules(self, n: int | None = None) -> Table:
        """The n strongest terms (all by default): what each adds to the score of each type."""
        check_is_fitted(self, "model_")
        if n is not None:
            parameters.integer("n", n, 0)
        evidence, terms = self._taken_apart(), list(self.vectorizer_.vocabulary_)
        labels = [str(label) for label in self.classes_.tolist()]
        if evidence.gains.shape[1] == 1:
            labels = labels[1:] if len(labels) > 1 else labels
        chosen = [j for j in evidence.strongest().tolist() if j < len(terms)]
        rows = [
            (terms[j], *(round(float(gain), 4) for gain in evidence.gains[j]))
            for j in (chosen if n is None else chosen[:n])
        ]
        return Table("rules", ["if it contains", *labels], rows, shown=max(12, n or 0))

    def _taken_apart(self) -> TermGains:
        return TermGains.of(self.model_, self.model_.n_features_in_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        return tags

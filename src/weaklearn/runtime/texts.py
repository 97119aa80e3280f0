"""Models of texts: topics, spam, calls put through."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..files.check import instance, integer, need, real
from ..files.error import Flaw
from ..files.game import LABEL_SCORES
from ..text.documents import items
from ..text.handwritten import Handwritten
from ..text.messages import Messages
from ..text.sleepers import Sleepers
from ..text.terms import check_encoding
from .columns import one_column
from .held import Held
from .model import Classifier, Floats, labels
from .term_rows import TermRows, side_by_side
from .terms import Vectorizer, any_columns
from .votes import VoteClassifier


class BoosTexter(VoteClassifier):
    """A vote of rules on terms, and on columns beside them."""

    _needed = VoteClassifier._needed | {
        "_schema": any_columns,
        "ensemble_": instance(LABEL_SCORES.home),
    }


def _model(name: str, value: Any) -> None:
    need(isinstance(value, Held), f"{name} is no model")


class _OfTexts(Classifier):
    """A model of the terms of texts, which are no columns."""

    _schema: Any = None
    vectorizer_: Any
    model_: Any
    _inner = "AdaBoostMHClassifier"
    _needed = {
        "vectorizer_": lambda name, value: None,  # looked at below
        "model_": _model,
        "classes_": labels,
    }

    def _check(self) -> None:
        from .loading import model_of

        super()._check()
        self.vectorizer_ = Vectorizer(self.vectorizer_)
        need(self.model_.name == self._inner, f"the rules are not of an {self._inner}")
        self.model_ = model_of(self.model_)
        n = len(self.vectorizer_.vocabulary_) + self._beside()
        need(self.model_.n_features_in_ == n, f"the rules are not of {n} columns")

    def _beside(self) -> int:
        """How many columns stand behind the terms."""
        return 0

    def _terms(self, X: Any) -> TermRows:
        raise NotImplementedError

    def decision_function(self, X: Any) -> Floats:
        """The score of each text by the trained rules."""
        return np.asarray(self.model_.decision_function(self._terms(X)))


class SpamFilter(_OfTexts):
    """Ham or spam, by rules and by what was told since."""

    threshold_: float
    _sleepers: Any
    _needed = _OfTexts._needed | {
        "threshold_": real(0.0, 1.0),
        "_sleepers": instance(Sleepers),
    }

    def _check(self) -> None:
        super()._check()
        need(self._K == 2, "there are not two labels")
        need(self.model_.classes_.tolist() == [0, 1], "the rules do not tell ham and spam apart")
        need(self.vectorizer_.how.binary, "the vectorizer counts terms")
        self._check_experts()
        max_bytes: Any = self.parameters.get("max_bytes")
        integer(1)("max_bytes", max_bytes)
        encoding: Any = self.parameters.get("encoding")
        try:
            check_encoding(encoding)
        except ValueError as error:
            raise Flaw(str(error)) from None
        self._messages = Messages(int(max_bytes), encoding, self.vectorizer_.how.tokens)

    def _check_experts(self) -> None:
        experts, n_terms = self._sleepers, len(self.vectorizer_.vocabulary_)
        n = 2 * len(experts.terms) + 1
        need(0 < experts.epsilon < 1, "epsilon is not between 0 and 1")
        need((np.diff(experts.terms) > 0).all(), "the terms of experts are in no order")
        inside = ((experts.terms >= 0) & (experts.terms < n_terms)).all()
        need(inside, "an expert is of no term")
        need(len(experts.chances) == len(experts.mistakes) == n, f"there are not {n} experts")
        need((np.abs(experts.chances) <= experts.t + 1e9).all(), "chances are not of t updates")
        wrong = (experts.mistakes >= 0) & (experts.mistakes <= experts.t)
        need(wrong.all(), "there are more mistakes than updates")

    def _terms(self, X: Any) -> TermRows:
        terms: TermRows = self.vectorizer_.transform(self._messages.listed(one_column(X)))
        return terms

    def predict_proba(self, X: Any) -> Floats:
        """The probabilities of ham and of spam."""
        terms = self._terms(X)
        found: Floats = self.model_.predict_proba(terms)
        if self._sleepers.t == 0:
            return found
        p = self._sleepers.probabilities(terms, found[:, 1], self.threshold_)
        return np.column_stack([1 - p, p])

    def predict(self, X: Any) -> NDArray[Any]:
        """The label of each message."""
        terms = self._terms(X)
        p = self.model_.predict_proba(terms)[:, 1]
        return np.asarray(self.classes_[self._sleepers.labels(terms, p, self.threshold_)])


class CallRouter(_OfTexts):
    """The type of an utterance, or none where the best is not probable enough."""

    def _check(self) -> None:
        given = self.parameters.get("prior_rules")
        self._rules = None if given is None else _rules(given)
        self._inner = "AdaBoostMHClassifier" if given is None else "AdaBoostLClassifier"
        super()._check()
        real(0.0, 1.0)("threshold", self.parameters.get("threshold"))
        labels = self.classes_.tolist()
        need(self.model_.classes_.tolist() == labels, "the rules have other labels")
        if self._rules is not None:
            known = self._rules.labels() <= set(labels)
            need(known, "prior_rules speak of a label that is no class")

    def _terms(self, X: Any) -> TermRows:
        texts = list(items(one_column(X), "X"))
        terms: TermRows = self.vectorizer_.transform(texts)
        if self._rules is None:
            return terms
        sums = self._rules.sums(texts, self.vectorizer_.how, self.classes_.tolist())
        return side_by_side([terms, TermRows.of(sums)])

    def _beside(self) -> int:
        return 0 if self._rules is None else self._K

    def predict_proba(self, X: Any) -> Floats:
        """The probability of every type, in the order of ``classes_``."""
        return np.asarray(self.model_.predict_proba(self._terms(X)))

    def predict(self, X: Any) -> NDArray[Any]:
        """The type of each utterance, or ``other`` where none is probable enough."""
        rows = self._terms(X)
        found = np.asarray(self.model_.predict(rows))
        best = self.model_.predict_proba(rows).max(axis=1, initial=0.0)
        unsure = best < self.parameters["threshold"]
        if unsure.any():
            found = found.astype(object)
            found[unsure] = self.parameters.get("other")
        return found


def _rules(given: Any) -> Handwritten:
    """Rules of people; functions are in no file."""
    try:
        return Handwritten.read(given)
    except (TypeError, ValueError) as error:
        raise Flaw(f"prior_rules are wrong: {error!s:.300}") from None

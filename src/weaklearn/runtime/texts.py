"""Models of texts: topics, spam, calls put through."""

from __future__ import annotations

from typing import Any

from ..files.check import instance, integer, need, real
from ..files.error import Flaw
from ..files.game import LABEL_SCORES
from ..prediction import calls, spam
from ..text.documents import items
from ..text.handwritten import Handwritten
from ..text.messages import Messages
from ..text.sleepers import Sleepers
from ..text.terms import check_encoding
from .columns import one_column
from .held import Held
from .model import Classifier, labels
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


class SpamFilter(_OfTexts):
    """Ham or spam, by rules and by what was told since."""

    decision_function = spam.decision_function
    predict_proba = spam.predict_proba
    predict = spam.predict
    _needed = _OfTexts._needed | {
        "threshold_": real(0.0, 1.0),
        "_sleepers": instance(Sleepers),
    }

    def _check(self) -> None:
        super()._check()
        need(self._K == 2, "there are not two labels")
        need(self.model_.classes_.tolist() == [0, 1], "the rules do not tell ham and spam apart")
        need(self.vectorizer_.how.binary, "the vectorizer counts terms")
        self._sleepers.check(len(self.vectorizer_.vocabulary_))
        max_bytes: Any = self.parameters.get("max_bytes")
        integer(1)("max_bytes", max_bytes)
        encoding: Any = self.parameters.get("encoding")
        try:
            check_encoding(encoding)
        except ValueError as error:
            raise Flaw(str(error)) from None
        self._messages = Messages(int(max_bytes), encoding, self.vectorizer_.how.tokens)

    def _terms(self, X: Any) -> TermRows:
        terms: TermRows = self.vectorizer_.transform(self._messages.listed(one_column(X)))
        return terms


class CallRouter(_OfTexts):
    """The type of an utterance, or none where the best is not probable enough."""

    decision_function = calls.decision_function
    predict_proba = calls.predict_proba
    predict = calls.predict

    def _check(self) -> None:
        given = self.parameters.get("prior_rules")
        self._rules = None if given is None else _rules(given)
        self._inner = "AdaBoostMHClassifier" if given is None else "AdaBoostLClassifier"
        super()._check()
        self.threshold, self.other = (self.parameters.get(name) for name in ("threshold", "other"))
        real(0.0, 1.0)("threshold", self.threshold)
        labels = self.classes_.tolist()
        need(self.model_.classes_.tolist() == labels, "the rules have other labels")
        if self._rules is not None:
            known = self._rules.labels() <= set(labels)
            need(known, "prior_rules speak of a label that is no class")

    def _rows(self, X: Any) -> Any:
        texts = list(items(one_column(X), "X"))
        terms: TermRows = self.vectorizer_.transform(texts)
        if self._rules is None:
            return terms
        sums = self._rules.sums(texts, self.vectorizer_.how, self.classes_.tolist())
        return side_by_side([terms, TermRows.of(sums)])

    def _beside(self) -> int:
        return 0 if self._rules is None else self._K


def _rules(given: Any) -> Handwritten:
    """Rules of people; functions are in no file."""
    try:
        return Handwritten.read(given)
    except (TypeError, ValueError) as error:
        raise Flaw(f"prior_rules are wrong: {error!s:.300}") from None

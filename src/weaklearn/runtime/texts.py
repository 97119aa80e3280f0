"""Models of texts: topics, spam, calls put through."""

from __future__ import annotations

from typing import Any

from ..files.check import integer, need
from ..files.error import Flaw
from ..prediction import calls, spam
from ..text.documents import items
from ..text.handwritten import Handwritten
from ..text.mail import MOST_BYTES
from ..text.messages import Messages
from ..text.terms import check_encoding
from . import later
from .columns import one_column
from .model import Model
from .term_rows import TermRows, side_by_side
from .terms import Vectorizer


class _OfTexts(Model):
    """A model of the terms of texts, which are no columns."""

    _schema: Any = None
    vectorizer_: Any
    model_: Any

    def _restore(self) -> None:
        self.vectorizer_ = Vectorizer(self.vectorizer_)
        self.model_ = later.model_of(self.model_)


class SpamFilter(_OfTexts):
    """Ham or spam, by rules and by the corrections since."""

    decision_function = spam.decision_function
    predict_proba = spam.predict_proba
    predict = spam.predict

    def _restore(self) -> None:
        super()._restore()
        max_bytes: Any = self.parameters.get("max_bytes")
        encoding: Any = self.parameters.get("encoding")
        integer(1, MOST_BYTES)("max_bytes", max_bytes)
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

    def _restore(self) -> None:
        super()._restore()
        given = self.parameters.get("prior_rules")
        self._rules = None if given is None else _rules(given)
        inner = "AdaBoostMHClassifier" if given is None else "AdaBoostLClassifier"
        need(self.model_.kind == inner, f"the rules are not of an {inner}")
        labels = self.classes_.tolist()
        n = len(self.vectorizer_.vocabulary_) + (0 if given is None else len(labels))
        need(self.model_.n_features_in_ == n, f"the rules are not of {n} columns")
        need(self.model_.classes_.tolist() == labels, "the rules have other labels")
        self.threshold, self.other = (self.parameters.get(name) for name in ("threshold", "other"))
        try:
            calls.check_rejection(self.threshold, self.other)
        except (TypeError, ValueError) as error:
            raise Flaw(str(error)) from None
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


def _rules(given: Any) -> Handwritten:
    """Rules of people; functions are in no file."""
    try:
        return Handwritten.read(given)
    except (TypeError, ValueError) as error:
        raise Flaw(f"prior_rules are wrong: {error!s:.300}") from None

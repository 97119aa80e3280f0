"""SpamFilter: a spam filter made of readable rules about words."""

from __future__ import annotations

import hashlib
from math import ceil
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from ..base.messages.table import Table
from ..base.messages.value_text import show
from ..base.messages.warnings import warn
from ..base.types import Floats
from ..estimators.boosting.multilabel import AdaBoostMHClassifier
from ..estimators.model import Model, in_one_step
from ..intake import parameters
from ..intake.label_kind import score_of_labels
from ..intake.labels import read_labels
from ..intake.weights import counts, read_weights
from ..prediction import spam as spam_prediction
from ..production.provenance import fitted_now
from .documents import folder, is_path, items, table
from .mail import MAX_BYTES, MOST_BYTES
from .messages import Messages, Verdict
from .sleepers import Sleepers
from .term_gains import TermGains
from .terms import check_encoding
from .vectorizer import TermVectorizer, vectorizer_of

_FOLDS = 5
_SPAM = ("spam", "junk", "1", "true", "yes")  # labels known to mean spam, in lower case


@parameters.declared
class SpamFilter(ClassifierMixin, Model):
    """A spam filter built of rules of thumb: "if it contains the word ...".

    Each rule asks whether a message contains a term, and has a score for those that do and one for
    those that do not; the rules are found by AdaBoost.MH with confidences. A message is a text,
    bytes, or an ``email.message.Message``; what begins with the headers of an e-mail is read as
    one. Terms of the subject are written ``subject:free``, the sender ``from:ann@example.org`` and
    ``from:@example.org``.

    It goes on learning with ``update(message, label)``, by sleeping experts: one for the trained
    filter, which is always awake, and two for each term of its rules, awake where the term is
    present, of which one says spam and one ham. The first begins with about half of all weight,
    and from the first update on the weighted majority of those awake is the verdict. Guarantee:
    whatever messages come, the expected mistakes of following an expert by its share are at most
    (1 + epsilon) (M + ln(W/w)/ln(1 + epsilon)) on the messages on which an expert is awake, M being
    its mistakes there and w/W its share in the beginning; the majority makes at most twice as many.

    Parameters
    ----------
    n_estimators : int, default 100
        Rules to learn at most.
    vectorizer : TermVectorizer, optional
        How texts become terms; by default words, numbers and punctuation.
    threshold : float, default 0.5
        A message is spam where its probability is above.
    max_false_positives : float, optional
        The share of ham that may be held for spam, above 0 and below 1: the threshold is raised
        until no larger share of the ham of training, judged by filters that have not seen it (five
        folds), is above it, and never lowered. 1/share - 1 messages of ham are needed at least;
        with fewer it is set above all of them, and a warning says so.
    spam_label : label, optional
        Which of two labels means spam; needed where neither is called spam, junk, 1 or True.
    epsilon : float, default 0.5
        Between 0 and 1: how fast updates move weights.
    max_bytes : int, default 1,000,000
        How much of a message is read.
    encoding : str, default "utf-8"
        Of bytes that do not say theirs.

    Attributes
    ----------
    classes_ : ndarray
        The two labels, ham first.
    threshold_ : float
    vectorizer_, model_ : the fitted parts
    n_updates_, mistakes_ : int
        Messages learnt from since training, and how many of them were judged wrongly before.

    Examples
    --------
    >>> from weaklearn.text import SpamFilter
    >>> spam = ["Win a prize now", "Cheap prize, win cash", "Cash now!"]
    >>> ham = ["Lunch at noon?", "See you at lunch", "The notes of our meeting"]
    >>> model = SpamFilter(n_estimators=10).fit(spam=spam, ham=ham)
    >>> model.predict(["You win a prize", "Notes for lunch"]).tolist()
    ['spam', 'ham']
    >>> model.explain("Win cash now").label
    'spam'
    """

    score = score_of_labels

    n_estimators: int = 100
    vectorizer: Any = None
    threshold: float = 0.5
    max_false_positives: float | None = None
    spam_label: Any = None
    epsilon: float = 0.5
    max_bytes: int = MAX_BYTES
    encoding: str = "utf-8"
    n_jobs: int | None = None

    def _check_parameters(self) -> None:
        parameters.integer("n_estimators", self.n_estimators, 1)
        parameters.real("threshold", self.threshold, None, 1.0, least=0.0, strict=True)
        if self.max_false_positives is not None:
            parameters.real("max_false_positives", self.max_false_positives, 0.0, 1.0, strict=True)
        parameters.real("epsilon", self.epsilon, 0.0, 1.0, strict=True)
        parameters.integer("max_bytes", self.max_bytes, 1, MOST_BYTES)
        check_encoding(self.encoding)
        self._new_vectorizer()._check_parameters()

    def _new_vectorizer(self) -> TermVectorizer:
        found = vectorizer_of(self.vectorizer, punctuation=True, max_chars=None)  # max_bytes bounds
        if not found.binary:
            raise ValueError(
                "vectorizer has binary=False; the rules of this filter ask whether a term is "
                "there: set binary=True."
            )
        if found.weights is not None:
            raise ValueError(
                f"vectorizer has weights={show(found.weights)}; the rules of this filter ask "
                "whether a term is there: set weights=None."
            )
        return found

    # ----------------------------------------------------------------------------------- learning

    @in_one_step
    def fit(
        self,
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
        *,
        spam: Any = None,
        ham: Any = None,
    ) -> Self:
        """Learns from messages X with labels y, or from those of ``spam`` and of ``ham``.

        Each of the latter is a list of messages, or the path of a folder, a message a file. Labels
        of y may be anything, as long as one is known to mean spam (see ``spam_label``). A message
        of a whole weight counts like so many copies of it, one of weight 0 not at all; other
        weights say how much messages matter beside one another.
        """
        self._check_parameters()
        if spam is not None or ham is not None:
            if sample_weight is not None:
                raise TypeError("fit() takes sample_weight with X and y, not with spam= and ham=.")
            messages, y = self._pair(X, y, spam, ham)
        else:
            if X is None or y is None:
                raise TypeError("fit() needs messages and labels: fit(X, y), or spam= and ham=.")
            if is_path(X):
                raise TypeError(f"X is the path {show(X)}; fit_csv(path) reads a CSV file.")
            messages = list(items(X, "X"))
        documents = self._messages(self._new_vectorizer()).read(messages)
        if not documents:
            raise ValueError("X has 0 rows: pass messages of both kinds, spam and ham.")
        classes, codes = self._labels(y, len(documents))
        weights = read_weights(sample_weight, len(documents))
        if weights is None:
            return self._learn(documents, classes, codes, np.ones(len(documents)))
        there = weights > 0
        if len(np.unique(codes[there])) < 2:
            raise ValueError(
                f"sample_weight is above 0 for messages of {show(classes[codes[there][0]])} alone: "
                "a filter needs messages of both kinds, spam and ham."
            )
        seen = [document for document, counted in zip(documents, there, strict=True) if counted]
        return self._learn(seen, classes, codes[there], weights[there])

    def fit_csv(self, path: Any, text: str | None = None, label: str | None = None) -> SpamFilter:
        """Learns from a CSV file whose first line names its columns.

        ``text`` and ``label`` name the two that count; where they are left out, columns of usual
        names are taken: text, message, body, ... and label, class, category, ...
        """
        self._check_parameters()
        messages, labels = table(path, text, label, self.encoding)
        return self.fit(messages, np.array(labels, object))

    def _pair(self, X: Any, y: Any, spam: Any, ham: Any) -> tuple[list[Any], Any]:
        if spam is None or ham is None or X is not None or y is not None:
            raise TypeError("fit() takes spam= and ham= together, and then neither X nor y.")
        found: list[list[Any]] = []
        for name, given in (("spam", spam), ("ham", ham)):
            messages = folder(given, name, self.max_bytes) if is_path(given) else items(given, name)
            found.append(list(messages))
            if not found[-1]:
                raise ValueError(f"{name} is empty: a filter needs messages of both kinds.")
        label = "spam" if self.spam_label is None else self.spam_label
        number = isinstance(label, (int, float, np.number, np.bool_))
        other: Any = type(label)(not label) if number else "ham"
        if other == label:
            raise ValueError(
                f"spam_label={show(label)} is not allowed with spam= and ham=: it is what messages "
                "of ham are called."
            )
        return [*found[0], *found[1]], [label] * len(found[0]) + [other] * len(found[1])

    def _labels(self, y: Any, n: int) -> tuple[NDArray[Any], NDArray[np.int64]]:
        """The two labels, ham first, and the code of each message."""
        classes, codes = read_labels(y, n, estimator_name=type(self).__name__)
        listed = classes.tolist()
        if len(listed) == 1:
            raise ValueError(
                f"y holds one label alone, {show(listed[0])}: a filter needs messages of both "
                "kinds, spam and ham; add some of the other."
            )
        if len(listed) != 2:
            raise ValueError(
                f"y holds {len(listed)} labels, {', '.join(map(show, listed[:5]))}: a filter needs "
                "messages of two, spam and ham."
            )
        if self.spam_label is not None:
            known = [k for k in (0, 1) if listed[k] == self.spam_label]
        else:
            known = [k for k in (0, 1) if str(listed[k]).strip().lower() in _SPAM]
        if len(known) != 1:
            given = "" if self.spam_label is None else f"; spam_label is {show(self.spam_label)}"
            raise ValueError(
                f"which of the labels {show(listed[0])} and {show(listed[1])} means spam is not "
                f"known{given}: name one as spam_label."
            )
        return (classes, codes) if known[0] == 1 else (classes[::-1].copy(), 1 - codes)

    def _learn(
        self,
        documents: list[list[str]],
        classes: NDArray[Any],
        codes: NDArray[np.int64],
        weights: Floats,
    ) -> SpamFilter:
        vectorizer = self._new_vectorizer()
        X = vectorizer._learned(documents, counts(weights))
        model = self._booster().fit(X, codes, weights)
        threshold = float(self.threshold)
        if self.max_false_positives is not None:
            threshold = max(threshold, self._careful(X, codes, weights, documents))
        self.vectorizer_, self.model_, self.classes_ = vectorizer, model, classes
        self.threshold_ = threshold
        self._origin = fitted_now()
        self._evidence = TermGains.of(model, X.shape[1])
        self._sleepers = Sleepers.fresh(self._evidence.used(), float(self.epsilon))
        return self

    def _booster(self) -> Any:
        made: Any = AdaBoostMHClassifier
        return made(n_estimators=self.n_estimators, n_jobs=self.n_jobs)

    def _careful(
        self, X: Any, codes: NDArray[np.int64], weights: Floats, documents: list[list[str]]
    ) -> float:
        """The threshold for a given false positive rate, from out-of-fold scores of the ham.

        A message goes to a fold by its content, so that copies stay together. Of n ham in order of
        probability it is the one at place (n + 1)(1 - share): a next one, as likely as any to stand
        anywhere among them, is above it with no larger chance than asked for.
        """
        folds = np.array([_fold(document) for document in documents])
        copies = counts(weights)
        if copies is None:  # importances
            copies = np.ones(len(documents), np.int64)
        p: list[Floats] = []
        for fold in range(_FOLDS):
            inside, outside = folds != fold, (folds == fold) & (codes == 0)
            if outside.any() and len(np.unique(codes[inside])) == 2:
                model = self._booster().fit(X[inside], codes[inside], weights[inside])
                p.append(np.repeat(model.predict_proba(X[outside])[:, 1], copies[outside]))
        held = np.sort(np.concatenate(p)) if p else np.zeros(0)
        share, n = float(self.max_false_positives or 0.0), len(held)
        place = ceil((n + 1) * (1 - share) - 1e-9)
        if place > n:
            warn(
                f"{n} messages of ham cannot vouch for max_false_positives={share!r}: at least "
                f"{ceil(1 / max(share, 1e-15)) - 1} are needed. The threshold is above all of them."
            )
        return float(held[min(place, n) - 1]) if n else float(self.threshold)

    # ---------------------------------------------------------------------------------- messages

    def _messages(self, vectorizer: TermVectorizer) -> Messages:
        return Messages(self.max_bytes, self.encoding, vectorizer._terms().tokens)

    # --------------------------------------------------------------------------------- predicting

    decision_function = spam_prediction.decision_function
    predict_proba = spam_prediction.predict_proba
    predict = spam_prediction.predict

    def _terms(self, X: Any) -> Any:
        check_is_fitted(self, "model_")
        return self.vectorizer_._counted(self._messages(self.vectorizer_).listed(X))

    # -------------------------------------------------------------------------------- explanations

    def rules(self, n: int | None = None) -> Table:
        """The n strongest terms (all by default), and what each adds to a message's score."""
        check_is_fitted(self, "model_")
        if n is not None:
            parameters.integer("n", n, 0)
        evidence, terms = self._taken_apart(), list(self.vectorizer_.vocabulary_)
        ham, spam = self.classes_.tolist()
        rows = []
        for j in evidence.strongest(n).tolist():
            amount = float(evidence.gains[j, 0])
            seen = int(self.vectorizer_.document_frequency_[j])
            rows.append((terms[j], str(spam if amount > 0 else ham), round(amount, 4), seen))
        note = f"without any of them: {evidence.base[0]:+.4f}; above 0 it is {spam}"
        columns = ["if it contains", "it speaks for", "by", "messages"]
        return Table("rules", columns, rows, note, shown=max(12, n or 0))

    def explain(self, message: Any, *, n: int = 5) -> Verdict:
        """The verdict on one message, with the n strongest reasons of the trained rules."""
        check_is_fitted(self, "model_")
        parameters.integer("n", n, 1)
        terms = self._terms([message])
        p = self.model_.predict_proba(terms)[:, 1]
        evidence, names = self._taken_apart(), list(self.vectorizer_.vocabulary_)
        amounts = [(names[j], float(evidence.gains[j, 0])) for j in terms.indices.tolist()]
        reasons = sorted((r for r in amounts if r[1] != 0), key=lambda r: (-abs(r[1]), r[0]))
        ham, spam = self.classes_.tolist()
        return Verdict(
            spam if self._sleepers.labels(terms, p, self.threshold_)[0] else ham,
            float(self._sleepers.probabilities(terms, p, self.threshold_)[0]),
            self.threshold_,
            float(self.model_.decision_function(terms)[0]),
            float(evidence.base[0]),
            tuple(reasons),
            (ham, spam),
            n,
            self.n_updates_,
        )

    def _taken_apart(self) -> TermGains:
        found: TermGains | None = self.__dict__.get("_evidence")
        if found is None:
            found = self._evidence = TermGains.of(self.model_, len(self.vectorizer_.vocabulary_))
        return found

    # -------------------------------------------------------------------------------------- online

    @in_one_step
    def update(self, message: Any, label: Any) -> bool:
        """Updates the filter with the label of a message; returns whether it was mistaken before.

        >>> model = SpamFilter(n_estimators=10).fit(spam=["win cash"], ham=["see you at lunch"])
        >>> model.update("win a cup", "ham"), model.mistakes_
        (True, 1)
        """
        document = self._terms([message])
        p = float(self.model_.predict_proba(document)[0, 1])
        before = self.mistakes_
        verdict = int(p > self.threshold_)
        self._sleepers = self._sleepers.updated(document, verdict, self._code(label))
        return self.mistakes_ > before

    def _code(self, label: Any) -> int:
        for code, known in enumerate(self.classes_.tolist()):
            if label == known:
                return code
        labels = " and ".join(map(show, self.classes_.tolist()))
        raise ValueError(f"label={show(label)} is not one of the labels of training, {labels}.")

    @property
    def n_updates_(self) -> int:
        """The number of updates since training."""
        check_is_fitted(self, "model_")
        return self._sleepers.t

    @property
    def mistakes_(self) -> int:
        """How many of the updated messages were misclassified before."""
        check_is_fitted(self, "model_")
        return self._sleepers.errors

    def __getstate__(self) -> dict[str, Any]:
        return {name: v for name, v in super().__getstate__().items() if name != "_evidence"}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.classifier_tags.multi_class = False
        return tags


def _fold(document: list[str]) -> int:
    """The fold of a document, by a hash of its content."""
    content = "\0".join(document).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.sha256(content).digest()[:8], "big") % _FOLDS

"""SleepingExperts: many rules that fire sometimes, as one."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from ...base.messages.value_text import show
from ...base.offered import fact
from ...base.types import Floats
from ...engines import on_threads
from ...intake import parameters
from ...intake.labels import read_labels
from ...intake.schema import Schema
from ...online.experts import Advice, Codes, Experts, ExpertTrace, Outcomes
from ...online.protocol import OnlineLearner
from ...production.provenance import fitted_now
from ...theory.bounds import sleeping_bound
from ...uncertainty.conformal import SetPrediction
from ...uncertainty.test_error import Counted
from ..model import Model, in_one_step
from .expert_advice import GivenAdvice, coded, read_advice


@parameters.declared
class SleepingExperts(SetPrediction, ClassifierMixin, OnlineLearner, Model):
    """Combines experts, each of which may sleep on an example, by weights that mistakes move.

    A row of X holds what each expert says of an example, one column an expert, with NaN or None
    where it sleeps (which is why scikit-learn's general checks do not apply); a sparse matrix has
    entries for those awake. All weights w begin at 1. Of an example with awake experts A, p_i is
    w_i over the sum of w in A, and expert i is followed with probability p_i. With q the chance of
    a mistake and m_i = 1 where expert i was wrong, each awake expert gets

        w_i <- w_i (1 + epsilon)^(q / (1 + epsilon) - m_i).

    Where all sleep, nothing is given and nothing learnt. Experts that are always awake are the
    special case of halving that tolerates noise.

    Guarantee: for every expert i at once, on the examples on which it is awake, the expected
    mistakes are at most (1 + epsilon) times its own plus (1 + epsilon) ln n / ln(1 + epsilon). The
    weighted majority makes at most twice as many.

    One example at a time: ``predict(x)``, then ``update(x, y)``. Many: ``fit``, ``partial_fit``,
    and ``run`` with its trace. Labels may be numbers or texts, any number of them.

    Parameters
    ----------
    epsilon : float, default 0.5
        Between 0 and 1: how fast weights move.
    deterministic : bool, default False
        Whether to predict with the weighted majority of those awake (of equal labels the last)
        rather than with an expert that is drawn.
    random_state : None, int below 2**32, RandomState or Generator
        Seeds the draws.

    Attributes
    ----------
    weights_, log_weights_ : ndarray
    mistakes_of_expert_ : ndarray
        The mistakes of each expert.
    expected_mistakes_ : ndarray
        For each expert: the expected mistakes of the combination where that expert was awake.
    bound_ : ndarray
        What the theorem bounds these by.
    mistakes_, t_ : int
        Mistakes of the predictions themselves, and examples seen.
    classes_, n_features_in_, feature_names_in_
        All labels seen; the number and the names of the experts.

    Examples
    --------
    >>> from weaklearn import SleepingExperts
    >>> X = [[1, None, -1], [1, 1, None], [None, -1, -1]]
    >>> model = SleepingExperts(epsilon=0.5).fit(X, [1, 1, -1])
    >>> model.weights_.round(3).tolist()
    [1.145, 1.0, 0.763]
    >>> (model.expected_mistakes_ <= model.bound_).all()
    np.True_

    References
    ----------
    Blum, Hopcroft and Kannan, Foundations of Data Science, section 6.8; Freund, Schapire, Singer
    and Warmuth (1997), Using and combining predictors that specialize.
    """

    epsilon: float = field(default=0.5, kw_only=False)
    deterministic: bool = False
    random_state: Any = None

    conservative = False
    _in_order = True  # learning goes by the order of rows
    _hows = ("split",)

    def _check_parameters(self) -> None:
        parameters.real("epsilon", self.epsilon, 0.0, 1.0, strict=True)
        parameters.switch("deterministic", self.deterministic)
        if not isinstance(self.random_state, (np.random.RandomState, np.random.Generator)):
            parameters.seed("random_state", self.random_state)

    # ----------------------------------------------------------------------------------- learning

    @in_one_step
    def fit(self, X: Any, y: Any) -> Self:
        """Goes over the examples once, in their order; what was learnt before is forgotten."""
        given = read_advice(X)
        self._play(given, y, self._new(given), None)
        return self

    @in_one_step
    def partial_fit(self, X: Any, y: Any) -> Self:
        """Learns from examples in one pass, in their order; a batch, or a single row."""
        given = read_advice(X)
        self._play(given, y, *self._experts_so_far(given))
        return self

    @in_one_step
    def update(self, x: Any, y: Any) -> bool:
        """Learns that the example x, what each expert says, has label y; whether that was mistaken.

        Where all experts sleep, it was not.
        """
        given = read_advice(_row(x))
        return bool(self._learn(given, _single(y), *self._experts_so_far(given))[2][0])

    @in_one_step
    def run(self, sequence: Any, labels: Any = None, weights: bool = False) -> ExpertTrace:
        """As ``partial_fit``, with a trace; also of a list of pairs (x, y).

        With ``weights``, the trace holds shares and weights of all experts in every round.
        """
        if labels is None:
            examples = list(sequence)
            sequence, labels = [x for x, _ in examples], [y for _, y in examples]
        given = read_advice(sequence)
        experts, known = self._experts_so_far(given)
        before = deepcopy(experts)
        truth, guesses, outcomes, wrong = self._play(given, labels, experts, known)
        p = after = None
        if weights:
            p, after = _watched(before, *coded(given, truth, self.classes_)[:2])
        return ExpertTrace(
            guesses,
            truth,
            np.nan_to_num(outcomes.chance),
            wrong,
            np.nan_to_num(outcomes.chance),
            prob_mistake=outcomes.chance,
            mistakes_of_expert=self.mistakes_of_expert_.copy(),
            expected_mistakes_on_S_i=self.expected_mistakes_.copy(),
            bound=self.bound_,
            total_weight_end=float(self.weights_.sum()),
            p=p,
            weights_after=after,
        )

    def _play(
        self, given: GivenAdvice, y: Any, experts: Experts, known: NDArray[Any] | None
    ) -> tuple[NDArray[Any], NDArray[Any], Outcomes, NDArray[np.bool_]]:
        """True labels, predictions (None: all sleep), the outcomes, and which were mistaken."""
        labels, codes = read_labels(y, len(given), estimator_name=type(self).__name__)
        truth = labels[codes]
        answers, outcomes, wrong = self._learn(given, truth, experts, known)
        return truth, _labels(answers, self.classes_), outcomes, wrong

    def _learn(
        self, given: GivenAdvice, truth: NDArray[Any], experts: Experts, known: NDArray[Any] | None
    ) -> tuple[Codes, Outcomes, NDArray[np.bool_]]:
        advice, own, classes = coded(given, truth, known)
        seen = 0 if known is None else self.mistakes_
        outcomes = experts.play(advice, own, max(1, len(classes)))
        answers = outcomes.majority if self.deterministic else outcomes.drawn
        wrong = (answers >= 0) & (answers != own)
        self._keep(given, experts, classes, seen + int(np.count_nonzero(wrong)))
        return answers, outcomes, wrong

    def _new(self, given: GivenAdvice) -> Experts:
        self._check_parameters()
        if given.n_experts == 0 or len(given) == 0:
            raise ValueError(
                f"X has {len(given)} rows and {given.n_experts} columns: at least one example and "
                "one expert are needed."
            )
        seed = parameters.seed("random_state", self.random_state)
        return Experts(given.n_experts, float(self.epsilon), seed)

    def _experts_so_far(self, given: GivenAdvice) -> tuple[Experts, NDArray[Any] | None]:
        """The experts as they stand, and the labels known; both new before any example."""
        if fact(self, "expected_mistakes_") is None:
            return self._new(given), None
        self._schema.check(given.n_experts, given.names)
        if self.epsilon != self._epsilon:
            raise ValueError(
                f"epsilon={show(self.epsilon)} is not the {show(self._epsilon)} that learning "
                "began with; set it back, or call fit."
            )
        return self._kept_experts(), self.classes_

    def _kept_experts(self) -> Experts:
        experts = Experts(self.n_features_in_, self._epsilon, self._seed)
        experts.chances = self.expected_mistakes_.copy()
        experts.mistakes = self.mistakes_of_expert_.copy()
        experts.t = self.t_
        return experts

    def _keep(
        self, given: GivenAdvice, experts: Experts, classes: NDArray[Any], mistakes: int
    ) -> None:
        if experts.t == len(given):  # these were the first examples
            self._schema = Schema(given.n_experts, given.names, {}, type(self).__name__)
            self.__dict__.pop("feature_names_in_", None)
            if given.names is not None:
                self.feature_names_in_ = np.array(given.names, dtype=object)
        self.n_features_in_ = len(experts)
        self.expected_mistakes_, self.mistakes_of_expert_ = experts.chances, experts.mistakes
        self._epsilon, self._seed = experts.epsilon, experts.seed
        self.classes_, self.mistakes_, self.t_ = classes, mistakes, experts.t
        self._origin = fitted_now()

    # --------------------------------------------------------------------------------- predicting

    def predict(self, X: Any) -> Any:
        """The label of an example, None where all experts sleep; or of each row of a table.

        The expert to follow is drawn for the example that comes next: asked again, the answer is
        the same until an example was learnt.
        """
        if is_row(X):
            found: Any = self.predict(_row(X))[0]
            return found.item() if isinstance(found, np.generic) else found
        given = read_advice(X)
        experts, known = self._experts_so_far(given)
        advice, _, classes = coded(given, given.labels[:0], known)
        outcomes = experts.ask(advice, np.zeros(len(given), np.int32), max(1, len(classes)))
        return _labels(outcomes.majority if self.deterministic else outcomes.drawn, classes)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of examples that are labelled as in y; one on which all sleep is not."""
        said = zip(self.predict(X).tolist(), np.asarray(y).tolist(), strict=True)
        right = np.array([label is not None and label == truth for label, truth in said])
        return float(np.average(right, weights=sample_weight))

    def shares(self, x: Any) -> Floats:
        """p of each expert for an example; NaN for those that sleep."""
        given = read_advice(_row(x))
        experts = self._experts_so_far(given)[0]
        p = np.full(given.n_experts, np.nan)
        p[given.expert] = experts.shares(given.expert)
        return p

    def _judged_cells(self, X: Any) -> Counted:
        return Counted(len(read_advice(X)))

    def _label_scores(self, X: Any) -> Floats:
        """1 less the share of the awake weight that says a label; 1 where all sleep."""
        given = read_advice(X)
        experts, known = self._experts_so_far(given)
        advice, _, classes = coded(given, given.labels[:0], known)
        weighted = np.zeros((len(given), len(classes)))
        logs = experts.log_weights[given.expert]
        for i in range(len(given)):
            part = slice(given.start[i], given.start[i + 1])
            if part.stop > part.start:
                weights = on_threads().weights.exponentials(logs[part] - logs[part].max())
                votes = np.bincount(advice.label[part], weights, len(classes))
                weighted[i] = votes / weights.sum()
        return 1 - weighted[:, np.searchsorted(classes, self.classes_)]

    @property
    def mistakes(self) -> int:  # type: ignore[override]
        """``mistakes_``, and 0 before any example."""
        return int(fact(self, "mistakes_") or 0)

    @property
    def log_weights_(self) -> Floats:
        """The logarithms of the weights, which no run is too long for."""
        check_is_fitted(self, "expected_mistakes_")
        return self._kept_experts().log_weights

    @property
    def weights_(self) -> Floats:
        """The weights of the experts, 1 in the beginning."""
        return np.exp(self.log_weights_)

    @property
    def bound_(self) -> Floats:
        """For each expert: the most expected mistakes on the examples on which it was awake."""
        check_is_fitted(self, "expected_mistakes_")
        return np.asarray(
            sleeping_bound(self.mistakes_of_expert_, self.n_features_in_, self._epsilon)
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = tags.input_tags.allow_nan = True
        tags.input_tags.string = tags.input_tags.categorical = True
        return tags


def is_row(x: Any) -> bool:
    """Whether x is what the experts say of one example."""
    if isinstance(x, np.ndarray):
        return x.ndim == 1
    if isinstance(x, (list, tuple)):
        return not any(isinstance(cell, (list, tuple, np.ndarray)) for cell in x)
    return False


def _row(x: Any) -> Any:
    """One example as a table."""
    if isinstance(x, np.ndarray) and x.ndim == 1:
        return x[None]
    return [list(x)] if isinstance(x, (list, tuple)) else x


def _single(y: Any) -> NDArray[Any]:
    """One label as an array."""
    if isinstance(y, (int, np.integer)):
        return np.array([y])
    labels, _ = read_labels([y], 1)
    return labels


def _labels(codes: Codes, classes: NDArray[Any]) -> NDArray[Any]:
    """Codes as labels; None where nobody was awake."""
    if (codes >= 0).all():
        return np.asarray(classes[codes])
    labels = np.empty(len(codes), object)
    for i, code in enumerate(codes.tolist()):
        labels[i] = None if code < 0 else classes[code : code + 1].tolist()[0]
    return labels


def _watched(experts: Experts, advice: Advice, truth: Codes) -> tuple[Floats, Floats]:
    """Shares and weights of all experts, round by round."""
    n_labels = int(max(advice.label.max(initial=0), truth.max(initial=0))) + 1
    p = np.full((len(truth), len(experts)), np.nan)
    after = np.empty((len(truth), len(experts)))
    for t in range(len(truth)):
        part = slice(advice.start[t], advice.start[t + 1])
        awake = advice.expert[part]
        p[t, awake] = experts.shares(awake)
        start = np.array([0, len(awake)], np.int64)
        one = Advice(start, awake, advice.label[part])
        experts.play(one, truth[t : t + 1], n_labels)
        after[t] = experts.weights
    return p, after

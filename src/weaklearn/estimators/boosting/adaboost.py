"""AdaBoostClassifier."""

from __future__ import annotations

from typing import Any, Literal

from ... import boosters, learners
from ...base.booster import Booster
from ...base.hypothesis import WeakLearner
from ...base.messages.value_text import show
from ...base.rows import Binning
from ...base.sample import WRONG, Sample
from ...intake import parameters
from .. import later
from .classifier import OnPerfect, TwoClassBoosting
from .weak_learner import Answers, can_answer_labels, is_foreign

Multiclass = Literal["auto", "m1", "m2", "mh", "mo", "mr", "samme", "ovr", "pairs"]
OnHalf = Literal["flip", "stop"]

# Schemes whose rules answer every label at once.
_OF_LABELS = ("mh", "mo", "mr")
# Schemes that ask for more than a class, and what they ask for; "m2" is that of ``AdaBoostM2``.
_ANSWERS = {"m2": Answers.SHARES, "mh": Answers.LABELS, "mo": Answers.LABELS, "mr": Answers.SIGNS}


@parameters.declared
class AdaBoostClassifier(TwoClassBoosting):
    """AdaBoost: a strong classifier from many weak rules of thumb.

    Two classes are boosted as in Algorithm 1.1 of Schapire and Freund: in every round the weak
    learner is asked for a rule with small error under the present weights, the rule gets the vote
    alpha = 1/2 ln((1 - epsilon)/epsilon), and the examples it got wrong gain weight.

    Parameters
    ----------
    multiclass : {"auto", "m1", "m2", "mh", "mo", "mr", "samme", "ovr", "pairs"}, default "auto"
        How more than two classes are boosted: by rules that name a class ("m1", "samme"), tell
        how plausible each is ("m2"), answer yes or no to each ("mh"), to the bits of a random code
        ("mo"), or rank them ("mr"); one class against the rest; or every two against one another.
        "auto" is "mh" for stumps and small trees of this library, "m1" for its trees of any depth,
        unless the first of them errs on half of the weight, and "samme" for all others.
    on_half : {"flip", "stop"}, default "flip"
        A rule worse than chance votes negatively, or ends the fit (as it always does under "m1",
        "m2" and "samme"; rules that answer every label are never worse).
    on_perfect : {"stop", "smooth"}, default "stop"
        A rule without error outvotes all others and ends the fit, or is counted as if it erred
        on half an example.

    Examples
    --------
    >>> from weaklearn import AdaBoostClassifier, datasets
    >>> X, y = datasets.toy()
    >>> model = AdaBoostClassifier(n_estimators=3).fit(X, y)
    >>> [round(float(a), 2) for a in model.estimator_weights_]
    [0.42, 0.65, 0.92]
    >>> model.score(X, y)
    1.0
    """

    multiclass: Multiclass = "auto"  # type: ignore[assignment]  # more than others have
    on_half: OnHalf = "flip"
    on_perfect: OnPerfect = "stop"
    resample: Any = False

    over_partitions = True
    _multiclass = Multiclass

    def _check_parameters(self) -> None:
        super()._check_parameters()
        parameters.one_of("on_half", self.on_half, OnHalf)
        parameters.one_of("on_perfect", self.on_perfect, OnPerfect)
        if self.multiclass in _OF_LABELS and self.resample is not False:
            raise ValueError(
                f"resample={show(self.resample)} is not allowed with "
                f"multiclass={show(self.multiclass)}, which weighs examples and labels: rows "
                "cannot be drawn by such weights; set resample=False."
            )

    def _check_for_dataset(self) -> None:
        usual = {"estimator": None, "resample": False, "calibrate": None, "scoring": None}
        for name, value in usual.items():
            given = getattr(self, name)
            if given is not value:
                raise ValueError(
                    f"{name}={show(given)} is not allowed where X is a dataset, whose rows stay in "
                    f"their files: leave {name}={value}, or pass X in memory."
                )

    def _booster_of_two(self, sample: Sample) -> Booster:
        return boosters.AdaBoost(float(self.learning_rate), self.on_half, self.on_perfect)

    def _booster_of_many(self, sample: Sample, learner: WeakLearner, two: Booster) -> Booster:
        if self.multiclass in ("ovr", "pairs"):
            return super()._booster_of_many(sample, learner, two)
        if self.multiclass == "m1" or (
            self.multiclass == "auto" and self._is_strong(sample, learner)
        ):
            return boosters.AdaBoostM1(float(self.learning_rate), self.on_perfect)
        if self.multiclass == "m2":
            return boosters.AdaBoostM2(float(self.learning_rate), self.on_perfect)
        if self.multiclass in _OF_LABELS or self._answers_every_label(learner):
            return self._booster_of_labels(sample)
        return boosters.Samme(float(self.learning_rate), self.on_perfect)

    def _booster_of_labels(self, sample: Sample) -> Booster:
        """One rule a round for all classes."""
        how, rate = self.multiclass, float(self.learning_rate)
        if how == "mr":
            return boosters.AdaBoostMR(rate, self.on_perfect)
        if how != "mo":
            return boosters.AdaBoostMH(rate, self.on_perfect)
        seed = self._seed if self._goes_on else parameters.seed("random_state", self.random_state)
        code = later.code_for("random", sample, seed)
        return boosters.AdaBoostMO(rate, self.on_perfect, tuple(map(tuple, code.tolist())))

    def _answers_every_label(self, learner: WeakLearner) -> bool:
        """Whether "auto" has rules that answer every label: of stumps and small trees it has."""
        if self.multiclass != "auto" or is_foreign(self.estimator) or self.resample is not False:
            return False
        if self._goes_on:
            return bool(self._scheme == "AdaBoostMH")
        return can_answer_labels(learner)

    def _is_strong(self, sample: Sample, learner: WeakLearner) -> bool:
        """Whether a learner grows trees of any depth, and errs on less than half of the weight."""
        if not isinstance(learner, learners.TreeLearner):
            return False
        if learner.max_depth or learner.max_leaf_nodes:
            return False
        if self._goes_on:
            return bool(self._scheme == "AdaBoostM1")
        D = sample.prior
        return D.mass(sample.correctness(learner.bind(sample)(D, sample.y)), WRONG) < 0.5

    def _answers_for(self, booster: Booster) -> Answers:
        scheme = type(booster).__name__.removeprefix("AdaBoost").lower()
        return _ANSWERS.get(scheme, Answers.CLASSES)

    @property
    def _binning(self) -> Binning:
        if self.multiclass in _ANSWERS:  # learners that answer otherwise look at other codes
            return self._learner_answering(_ANSWERS[self.multiclass], 0, None).binning
        return super()._binning

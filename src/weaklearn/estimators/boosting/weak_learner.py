"""Which weak learner the parameter ``estimator`` names."""

from __future__ import annotations

import enum
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_regressor
from sklearn.utils import Tags, get_tags

from ... import learners
from ...base.hypothesis import Hypothesis, WeakLearner
from ...base.messages.value_text import show
from ...base.rows import OPENED, Binning
from ...base.sample import take_rows
from ...intake import parameters
from ...intake.arrays import as_table
from ...intake.prepare import Reading
from ...learners.stump import StumpLearner
from ...prediction.rows import read_rows
from .. import later
from ..model import Model

if TYPE_CHECKING:
    from ...base.rows import Rows
    from ...base.sample import Sample
    from ...engines import Engine
    from ...intake.schema import Schema
    from ...learners.resampling import Train

# A C4.5-style tree to be boosted. It is pruned, keeps two examples a leaf, and is never without
# error, as one that knows a small sample by heart would end the run in the first round.
BOOSTED_TREE: dict[str, Any] = {
    "criterion": "gain_ratio",
    "categorical": "multiway",
    "min_samples_leaf": 2,
    "pruning": "pessimistic",
}

_DEFAULTS: dict[str, Any] = {
    "n_samples": None,
    "gamma": None,
    "delta": 0.05,
    "success_probability": 0.5,
    "on_failure": "best",
}


def is_native(estimator: Any) -> bool:
    """Whether an estimator of this library is boosted by the weak learner that it wraps."""
    return isinstance(estimator, Model) and estimator._native_learner is not None


def parameter(estimator: Any, name: str) -> Any:
    """A parameter of an estimator of this library; None where it has none of that name."""
    return estimator.get_params(deep=False).get(name)


def is_foreign(estimator: Any) -> bool:
    """Whether an estimator is none of this library's learners, and so gets X as it came."""
    native = is_native(estimator) or isinstance(estimator, WeakLearner)
    return not (native or estimator is None or isinstance(estimator, str))


def refuses_missing(estimator: Any) -> bool:
    """Whether a weak learner of this library is set to refuse missing values."""
    return is_native(estimator) and estimator.missing == "error"


def refuses_unseen(estimator: Any) -> bool:
    """Whether a weak learner of this library is set to refuse unseen categories."""
    return is_native(estimator) and parameter(estimator, "unseen") == "error"


def reading_for(estimator: Any) -> Reading:
    """How X is read for a weak learner."""
    return Reading(
        categorical_features=getattr(estimator, "categorical_features", "from_dtype"),
        refuses_missing=refuses_missing(estimator),
        any_shape=is_foreign(estimator),
    )


def rows_for(
    estimator: Any, schema: Schema, X: Any, engine: Engine, unseen: str, any_shape: bool
) -> Rows:
    """X as a model of such weak learners reads it; ``any_shape``: it need not be a table."""
    strict = refuses_missing(estimator)
    unseen = "error" if strict or refuses_unseen(estimator) else unseen
    table = as_table(X) if any_shape else X
    return read_rows(schema, X, engine, unseen=unseen, strict=strict, table=table)


def with_tags_of(estimator: Any, tags: Tags) -> Tags:
    """The tags of a model that reads what its weak learner can read."""
    if hasattr(estimator, "__sklearn_tags__"):
        tags.input_tags = get_tags(estimator).input_tags
    else:
        tags.input_tags.sparse = tags.input_tags.allow_nan = tags.input_tags.string = True
    return tags


def binning_for(estimator: Any) -> Binning:
    """How the columns are coded for a weak learner."""
    if isinstance(estimator, str) and estimator == "tree":
        estimator = learners.TreeLearner(**BOOSTED_TREE)
    if isinstance(estimator, learners.TreeLearner):
        return estimator.binning
    return estimator._binning if is_native(estimator) else OPENED


class Answers(enum.Enum):
    """The form of answers that a booster needs of hypotheses."""

    CLASSES = "a sign, or a class"
    SHARES = "how plausible each class is"
    LABELS = "a confidence for every label"
    SIGNS = "a rule, times a sign for every label"


def learner_for(
    estimator: Any,
    resample: Any,
    n_rounds: int,
    seed: int,
    least_share: float = 0.0,
    schema: Schema | None = None,
    *,
    answers: Answers = Answers.CLASSES,
    smoothing: float | None = None,
) -> WeakLearner:
    """The learner behind ``estimator``, with hypotheses of the form that a booster needs.

    It is resampled where asked, or where it takes no weights; those that answer every label never
    are. Stumps of this library can answer with shares, and with trees they answer labels with
    confidences, or, as all others do, with a rule times a sign for each. A schema of X is needed
    where an estimator makes demands on columns by name.
    """
    if answers in (Answers.LABELS, Answers.SIGNS):
        native = _resolve(estimator, seed, least_share, schema)[0]
        found = _label_learner(native, estimator, answers, least_share, smoothing)
        if found is not None:
            return found
        return learners.ProductLearner(
            learner_for(estimator, False, n_rounds, seed, least_share, schema)
        )
    options = _resample_options(resample)
    learner, train, takes_weights = _resolve(estimator, seed, least_share, schema)
    if answers is Answers.SHARES and isinstance(learner, StumpLearner):
        shares = learners.sharing(learner)
        learner, train, takes_weights = _resolve(shares, seed, least_share, schema)
    if options is None and takes_weights:
        return learner
    options = options or _DEFAULTS
    tries = int(
        later.resample_tries(
            T=n_rounds, delta=options["delta"], success_probability=options["success_probability"]
        )
    )
    return learners.Resampling(
        train,
        tries=max(1, tries),
        n_samples=options["n_samples"],
        gamma=options["gamma"],
        on_failure=options["on_failure"],
        seed=seed,
        form=learner.form,
    )


def _label_learner(
    native: WeakLearner,
    estimator: Any,
    answers: Answers,
    least_share: float,
    smoothing: float | None,
) -> WeakLearner | None:
    """Stumps and trees of this library that answer every label; None for all others."""
    if isinstance(native, StumpLearner):
        _refuse_abstaining(native)
        if answers is Answers.SIGNS:
            return learners.ProductStumpLearner(native.least_share)
        return learners.LabelPartitionLearner(
            categorical=native.categorical, least_share=native.least_share, smoothing=smoothing
        )
    if not isinstance(native, learners.TreeLearner) or answers is Answers.SIGNS:
        return None
    if isinstance(estimator, str):  # "tree"
        return learners.LabelPartitionLearner(
            max_depth=3, min_samples_leaf=2, least_share=least_share, smoothing=smoothing
        )
    return _label_tree(native, smoothing)


def can_answer_labels(learner: WeakLearner) -> bool:
    """Whether a learner of stumps or small trees has none of the options that ``_label_learner``
    refuses: abstention, pruning, drawn or monotone features, limits given as shares.
    """
    if isinstance(learner, StumpLearner):
        return learner.missing != "abstain"
    if not isinstance(learner, learners.TreeLearner):
        return False
    if not (learner.max_depth or learner.max_leaf_nodes):
        return False
    others = (learner.pruning, learner.max_features, learner.monotonic)
    limits = (learner.min_samples_split, learner.min_samples_leaf)
    return others == (None, None, None) and not any(isinstance(n, float) for n in limits)


def _refuse_abstaining(stump: StumpLearner) -> None:
    if stump.missing == "abstain":
        raise ValueError(
            "missing='abstain' is not for stumps that answer every label, whose blocks answer with "
            "as little confidence as they have; set missing='branch'."
        )


def _label_tree(tree: learners.TreeLearner, smoothing: float | None) -> WeakLearner:
    """The limits of a tree of classes, for one that answers every label."""
    for name, value in (
        ("pruning", tree.pruning),
        ("max_features", tree.max_features),
        ("monotonic_cst", tree.monotonic),
    ):
        if value is not None:
            raise ValueError(
                f"{name} is set on the weak learner, whose trees answer every label here and know "
                f"no {name}: leave it at None, and limit max_depth or max_leaf_nodes."
            )
    for name in ("min_samples_split", "min_samples_leaf"):
        if isinstance(getattr(tree, name), float):
            raise ValueError(
                f"{name}={show(getattr(tree, name))} is a share of the examples, and trees that "
                "answer every label count them: pass a whole number."
            )
    return learners.LabelPartitionLearner(
        categorical="multiway" if tree.categorical == "multiway" else "equality",
        max_depth=tree.max_depth,
        max_leaf_nodes=tree.max_leaf_nodes,
        min_samples_split=int(tree.min_samples_split),
        min_samples_leaf=int(tree.min_samples_leaf),
        least_share=tree.least_share,
        smoothing=smoothing,
    )


def _resolve(
    estimator: Any, seed: int, least_share: float, schema: Schema | None
) -> tuple[WeakLearner, Train, bool]:
    """The learner behind ``estimator``, how it trains on drawn rows, whether it takes weights."""
    if estimator is None:
        estimator = StumpLearner()
    elif isinstance(estimator, str):
        parameters.one_of("estimator", estimator, ["stump", "tree"])
        humble = learners.TreeLearner(**BOOSTED_TREE, humble=True)
        estimator = StumpLearner() if estimator == "stump" else humble
    if is_native(estimator):
        if parameter(estimator, "class_weight") is not None:
            raise ValueError(
                "class_weight is set on the weak learner, whose weights are the booster's to "
                "choose: set it on the booster."
            )
        estimator = _native(estimator, schema)
    if isinstance(estimator, learners.TreeLearner):
        estimator = replace(estimator, seed=seed)
    if least_share > 0:
        estimator = _with_heavy_sides(estimator, least_share)
    if isinstance(estimator, WeakLearner):
        return estimator, _train_native(estimator), True
    if isinstance(estimator, type):
        raise TypeError(
            f"estimator={estimator.__name__} is a class; pass an instance, {estimator.__name__}()."
        )
    if hasattr(estimator, "fit") and hasattr(estimator, "predict"):
        if is_regressor(estimator):
            raise TypeError(
                f"estimator={show(estimator)} predicts numbers, and a classifier is boosted here; "
                "pass a classifier, or use RealAdaBoostClassifier, GentleBoostClassifier or "
                "AdaBoostLClassifier, which boost regressors too."
            )
        foreign = later.ForeignLearner(estimator, seed)
        return foreign, foreign.train_on, later.weight_argument(estimator) is not None
    if callable(estimator):
        return learners.FunctionLearner(estimator), _train_function(estimator), True
    raise TypeError(
        f"estimator={show(estimator)} is not a weak learner: pass 'stump', 'tree', a scikit-learn "
        "classifier or Pipeline, or a function of (X, y, D) that returns a hypothesis."
    )


def _native(estimator: Any, schema: Schema | None) -> WeakLearner:
    """The learner that one of this library's estimators wraps."""
    learner: WeakLearner = estimator._native_learner()
    if not isinstance(learner, learners.TreeLearner):
        return learner
    if learner.of_numbers:
        raise TypeError(
            f"estimator={type(estimator).__name__}() predicts numbers, and a classifier is "
            "boosted here; pass DecisionTreeClassifier()."
        )
    if learner.pruning == "cost_complexity" and learner.ccp_alpha is None:
        raise ValueError(
            "pruning='cost_complexity' is set on the weak learner without ccp_alpha, which folds "
            "would have to find anew in every round: pass ccp_alpha, or pruning='pessimistic'."
        )
    wanted = parameter(estimator, "monotonic_cst")
    if wanted is None or schema is None:
        return learner
    return replace(learner, monotonic=later.monotonic(wanted, schema))


def _with_heavy_sides(estimator: Any, least_share: float) -> Any:
    if isinstance(estimator, (StumpLearner, learners.TreeLearner)):
        return replace(estimator, least_share=least_share)
    name = "min_weight_fraction_leaf"
    if hasattr(estimator, "get_params") and name in estimator.get_params(deep=False):
        return clone(estimator).set_params(**{name: least_share})
    return estimator  # it has no leaves


def _train_native(learner: WeakLearner) -> Train:
    def train(
        sample: Sample, z: NDArray[Any], rows: NDArray[np.intp], copies: NDArray[np.int64], key: int
    ) -> Hypothesis:
        drawn = replace(sample.subset(rows, copies), y=np.ascontiguousarray(z[rows]))
        return learner.bind(drawn)(drawn.prior, drawn.y, key)

    return train


def _train_function(function: Any) -> Train:
    looked = False  # at the answers of the first hypothesis

    def train(
        sample: Sample, z: NDArray[Any], rows: NDArray[np.intp], copies: NDArray[np.int64], key: int
    ) -> Hypothesis:
        nonlocal looked
        drawn = np.repeat(rows, copies)
        uniform = np.full(len(drawn), 1 / len(drawn))
        h = learners.ask(
            function, take_rows(sample.raw, drawn), z[drawn], uniform, sample.n_classes
        )
        if sample.binary and not looked:
            learners.doubt_zeros(h(sample))
            looked = True
        return h

    return train


def _resample_options(resample: Any) -> dict[str, Any] | None:
    if resample is False or resample is None:
        return None
    if resample is True:
        return dict(_DEFAULTS)
    if not isinstance(resample, dict):
        raise TypeError(
            f"resample={show(resample)} is not allowed: it must be True, False or a dict of "
            + ", ".join(_DEFAULTS)
            + "."
        )
    for name in resample:
        if name not in _DEFAULTS:
            raise ValueError(
                f"resample holds {name!r}, which is not among its options: {', '.join(_DEFAULTS)}."
                + parameters.nearest(name, list(_DEFAULTS))
            )
    options = _DEFAULTS | resample
    if options["n_samples"] is not None:
        parameters.integer("resample['n_samples']", options["n_samples"], 1, 2**31 - 1)
    if options["gamma"] is not None:
        parameters.real("resample['gamma']", options["gamma"], 0.0, 0.5)
    parameters.real("resample['delta']", options["delta"], 0.0, 0.999999)
    parameters.real(
        "resample['success_probability']", options["success_probability"], 0.0, 0.999999
    )
    parameters.one_of("resample['on_failure']", options["on_failure"], ["fail", "best", "stop"])
    return options

"""Which learner of numbers the parameter ``estimator`` names."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sklearn.base import is_regressor

from ...base.hypothesis import Form, WeakLearner
from ...base.messages.value_text import show
from ...intake import parameters
from ...learners.adapters import BOOSTED_REGRESSION, RegressionLearner
from ...learners.function import NumberFunctionLearner
from ...learners.resampling import Redrawing
from ...learners.tree import TreeLearner
from .. import later
from .weak_learner import is_foreign, is_native, parameter

if TYPE_CHECKING:
    from ...intake.schema import Schema


def is_of_numbers(estimator: Any) -> bool:
    """Whether an estimator is a regressor, of this library or another."""
    if isinstance(estimator, WeakLearner):
        return estimator.form is Form.NUMBERS
    known = estimator is None or isinstance(estimator, (str, type))
    return not known and hasattr(estimator, "fit") and bool(is_regressor(estimator))


def is_function(estimator: Any) -> bool:
    """Whether an estimator is a plain function of (X, y, D)."""
    plain = not isinstance(estimator, (WeakLearner, type)) and not hasattr(estimator, "fit")
    return plain and callable(estimator)


def regressor_for(
    estimator: Any,
    seed: int,
    schema: Schema | None = None,
    default: TreeLearner = BOOSTED_REGRESSION,
) -> WeakLearner:
    """The learner behind ``estimator``; one that takes no weights is trained on rows redrawn."""
    if estimator is None or isinstance(estimator, str):
        name = "tree" if estimator is None else estimator
        parameters.one_of("estimator", name, ["stump", "tree"])
        return RegressionLearner(default if name == "tree" else replace(default, max_depth=1))
    if isinstance(estimator, WeakLearner):
        return estimator
    if isinstance(estimator, type):
        raise TypeError(
            f"estimator={estimator.__name__} is a class; pass an instance, {estimator.__name__}()."
        )
    if is_native(estimator):
        return _native(estimator, seed, schema)
    if hasattr(estimator, "fit") and hasattr(estimator, "predict"):
        foreign = later.RegressorLearner(estimator, seed)
        takes_weights = later.weight_argument(estimator) is not None
        return foreign if takes_weights else Redrawing(foreign.train_on, seed)
    if callable(estimator):
        return NumberFunctionLearner(estimator)
    raise TypeError(
        f"estimator={show(estimator)} is not a weak learner: pass 'stump', 'tree', a scikit-learn "
        "regressor or Pipeline, or a function of (X, target, D) that returns a hypothesis."
    )


def learner_of_numbers(estimator: Any, seed: int, schema: Schema | None) -> WeakLearner | None:
    """The learner behind a regressor from outside, or a function; None for what answers classes."""
    if not is_foreign(estimator):
        return None
    if is_of_numbers(estimator):
        return regressor_for(estimator, seed, schema)
    return NumberFunctionLearner(estimator) if is_function(estimator) else None


def _native(estimator: Any, seed: int, schema: Schema | None) -> RegressionLearner:
    learner = estimator._native_learner()
    if not isinstance(learner, TreeLearner) or not learner.of_numbers:
        raise TypeError(
            f"estimator={type(estimator).__name__}() predicts classes, and numbers are fitted "
            "here; pass DecisionTreeRegressor()."
        )
    if learner.criterion != "squared_error":
        raise ValueError(
            f"criterion={show(learner.criterion)} of the weak learner is for trees alone: boosting "
            "fits numbers of its own by squared error; leave criterion at 'squared_error'."
        )
    wanted = parameter(estimator, "monotonic_cst")
    cuts = None if wanted is None or schema is None else later.monotonic(wanted, schema)
    return RegressionLearner(replace(learner, seed=seed, monotonic=cuts))

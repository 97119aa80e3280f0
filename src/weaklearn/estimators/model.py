"""``Model``, the base of every estimator of this library."""

from __future__ import annotations

import functools
import inspect
import logging
import os
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from types import FunctionType, MemberDescriptorType
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from sklearn.base import BaseEstimator

from ..base.offered import Method as Optional
from ..base.offered import fact, methods_of, offers
from ..base.rows import OPENED
from ..base.types import TreeHolder
from ..engines.profile import VARIABLE, profiled
from ..engines.supervisor import WorkersLost
from ..intake.elsewhere import are_elsewhere, in_files, is_collection, is_dataset
from ..intake.parameters import Arguments, refuse_unset
from ..persistence import save_load
from ..production import methods as production
from . import later

if TYPE_CHECKING:
    from ..base.hypothesis import WeakLearner

log = logging.getLogger("weaklearn")
Method = TypeVar("Method", bound=Callable[..., Any])


def in_one_step(method: Method) -> Method:
    """A method that learns, and changes the model in one step at its end, or not at all.

    It learns on a copy; the model takes over what the copy has changed once nothing can fail any
    more. After an interrupt it takes over what ``assign`` had given the copy by then, such as
    complete rounds. Unknown arguments are refused, with what may be meant, and so is an estimator
    that cannot learn from rows in several partitions where they are.
    """

    arguments = Arguments(method)

    @functools.wraps(method)
    def learning(self: Any, *args: Any, **kwargs: Any) -> Any:
        if kwargs or len(args) < len(arguments.needed):
            arguments.check(self, args, kwargs)
        start, in_slots, began = dict(vars(self)), _slots(self), time.perf_counter()
        changed = object.__new__(type(self))
        changed.__dict__ = before = dict(start)
        _fill_slots(changed, {}, in_slots)
        try:
            learns = profiled(method) if os.environ.get(VARIABLE, "0") not in ("", "0") else method
            if are_elsewhere((*args, *kwargs.values())):
                learns = functools.partial(later.learn_elsewhere, arguments, learns)
            answer = learns(changed, *args, **kwargs)
        except (KeyboardInterrupt, WorkersLost):
            if vars(changed) is not before:
                _fill_slots(self, in_slots, _slots(changed))
                self.__dict__ = _changed(vars(self), start, vars(changed))
            raise
        answer = self if answer is changed else answer
        took = time.perf_counter() - began
        log.debug("%s.%s took %.3g s", type(self).__name__, method.__name__, took)
        _fill_slots(self, in_slots, _slots(changed))
        self.__dict__ = _changed(vars(self), start, vars(changed))
        return answer

    return learning  # type: ignore[return-value]


def _slots(model: Any) -> dict[MemberDescriptorType, Any]:
    """The attributes that subclasses keep in ``__slots__``, by their descriptors."""
    found = {}
    for kind in type(model).__mro__:
        if "__slots__" in vars(kind):
            for slot in vars(kind).values():
                if isinstance(slot, MemberDescriptorType):
                    with suppress(AttributeError):  # not set
                        found[slot] = slot.__get__(model)
    return found


def _fill_slots(
    model: Any, start: dict[MemberDescriptorType, Any], later: dict[MemberDescriptorType, Any]
) -> None:
    """Sets the slots that changed from ``start`` to ``later``, and empties those that are gone."""
    for slot, value in later.items():
        if start.get(slot, later) is not value:
            slot.__set__(model, value)
    for slot in start.keys() - later.keys():
        with suppress(AttributeError):  # emptied meanwhile
            slot.__delete__(model)


def _changed(now: dict[str, Any], start: dict[str, Any], later: dict[str, Any]) -> dict[str, Any]:
    """The attributes now, with what became of ``start`` in ``later``."""
    new = {name: value for name, value in later.items() if start.get(name, later) is not value}
    gone = start.keys() - later.keys()
    return {name: value for name, value in now.items() if name not in gone} | new


def assign(model: Any, facts: dict[str, Any], forget: Iterable[str] = ()) -> None:
    """Gives a model its fitted attributes in one step; of earlier ones it forgets those named."""
    kept = {name: value for name, value in vars(model).items() if name not in forget}
    model.__dict__ = kept | facts


def predicting(method: Method) -> Method:
    """A method of X that predicts, of rows elsewhere too.

    For a dataset it gives an iterator over the answers for each batch, for a collection of Dask's
    a lazy collection.
    """

    @functools.wraps(method)
    def anywhere(self: Any, X: Any, *args: Any, **kwargs: Any) -> Any:
        if is_dataset(X) or in_files(X) or is_collection(X):
            return later.predict_elsewhere(method, self, X, *args, **kwargs)
        return method(self, X, *args, **kwargs)

    _PREDICTING.add(anywhere)
    return anywhere  # type: ignore[return-value]


_PREDICTING: set[Callable[..., Any]] = set()  # what ``predicting`` gave
_METHODS = ("predict", "predict_proba", "predict_log_proba", "decision_function")


class Model(BaseEstimator):
    """What every estimator can do once it is fitted: be saved, watched and described.

    The work is done by functions of the packages named; classes of estimators that can do more
    take those functions as methods in the same way. An estimator can be saved once its row in
    ``weaklearn/registry`` has a number and a rule. Parameters that most estimators have are
    described here.

    Parameters
    ----------
    class_weight : None, "balanced" or dict, default None
        Factors on the weights of the classes; "balanced" gives every class the same total.
    categorical_features : "from_dtype", None, or columns by mask, number or name
        The columns that hold categories; by default those whose type says so.
    unseen : {"missing", "error"}, default "missing"
        A category that training never saw is taken for a missing value, or refused.
    columns : {"strict", "by_name"}, default "strict"
        Where X to predict for has names, they are those of training in their order, or are found
        by name among others; so in X_val, and where a fitted model learns more rows.
    random_state : None, int below 2**32, RandomState or Generator
        Seeds what is random; None is 0.
    n_jobs : int, optional
        Threads; None means all this process may use. The model is the same for any number.
    verbose : int, default 0
        1 shows a progress bar.
    """

    saved_in_files: ClassVar[bool] = True
    over_partitions: ClassVar[bool] = False  # whether rows may lie in several partitions
    # Parameters that then stay at their defaults, as what they ask for needs all rows at once.
    options_of_all_rows: ClassVar[tuple[str, ...]] = ()
    predicts_datasets: ClassVar[bool] = False  # whether X to predict for may be one of pyarrow
    # The method that gives the weak learner which boosters take for it; None where there is none.
    _native_learner: Any = None
    # Set by a fit that has them: the provenance, whether an offset was given, the edits since.
    _origin: Any = None
    _has_offset: bool = False
    _decision: Any = None  # a threshold on scores and the class that is spoken of, where given
    _edits: tuple[Any, ...] = ()
    # What others ask of a model, declared by the classes of which it is true.
    _in_order: Any = False  # whether it learns the rows in their order
    _binning: Any = OPENED  # of the columns, where it is the weak learner
    _schema: Any = None  # of the columns that it reads
    _within: Any = None  # the model that reads them for it
    _ensemble: Any = None  # ``ensemble_``, where rounds were run
    _loss: Any = None  # that its scores descend
    _score_names: Any = ()  # of its scores, where they are several numbers
    _prediction: Any = None  # the method that makes numbers of scores
    _rows: Any = None  # the method that reads X
    _judged_cells: Any = None  # the method that encodes X, for scores of calibration
    _settings: Any = None  # the method that gives the parameters a warm start may not change
    _product_bounds: bool = False  # whether the training error is at most the product of all Z
    _indicator: ClassVar[tuple[int, bool] | None] = None  # how y with several labels was written
    _no_intervals: Any = ""  # why its answers cannot be made conformal, where they cannot
    _hows: tuple[str, ...] = ()  # the ways in which its predictions may be made conformal
    _tree_holder: ClassVar[TreeHolder] = None  # the attribute that holds all that answers
    _offered: ClassVar[frozenset[str]] = frozenset()  # optional methods

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for name in _METHODS:
            method = inspect.getattr_static(cls, name, None)
            if isinstance(method, FunctionType) and method not in _PREDICTING:
                setattr(cls, name, predicting(method))
        cls._offered = methods_of(cls)

    save = save_load.save
    fingerprint = save_load.fingerprint
    predictor = production.predictor
    check = production.check
    card = production.card

    @property
    def _threshold(self) -> float | None:
        """The threshold on scores that was given for what the model has learnt."""
        known = self._decision
        return None if known is None or not known.of(self) else known.threshold

    @property
    def _positive(self) -> int | None:
        """The place of the class that is spoken of, where it was given for what was learnt."""
        known = self._decision
        return None if known is None or not known.of(self) else known.positive

    def _check_parameters(self) -> None:
        """Refuses parameters that are not allowed, as far as it shows before the rows are read."""

    def _learner_before_rows(self) -> WeakLearner | None:
        """The weak learner that the parameters name, for what can be said of it before rows are
        read; None where there is none.
        """
        return None

    def _check_for_dataset(self) -> None:
        """Refuses to learn from a dataset of pyarrow, whose rows stay in their files."""
        raise TypeError(
            f"{type(self).__name__} cannot learn from a pyarrow dataset, larger than memory, as "
            "gradient boosting, the glass box and AdaBoost on stumps can; pass X.to_table() "
            "without the column of y, and that column as y."
        )

    def __getstate__(self) -> dict[str, Any]:
        return save_load.with_version(super().__getstate__())

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(save_load.without_version(type(self).__name__, state))

    def set_params(self, **params: Any) -> Self:
        """Sets parameters by name; ``estimator__name`` is one of the estimator inside."""
        refuse_unset(self, params)
        super().set_params(**params)
        return self


@offers.register
def _(model: Model, method: Optional) -> bool:
    return method in model._offered


@fact.register
def _(model: Model, name: str) -> Any:
    return vars(model).get(name)

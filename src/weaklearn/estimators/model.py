"""``Model``, the base of every estimator of this library."""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from types import FunctionType, MemberDescriptorType
from typing import Any, ClassVar, Self, TypeVar

from sklearn.base import BaseEstimator, is_regressor

from ..cluster.pieces import check_numbers, is_collection
from ..cluster.prediction import METHODS, taking_collections
from ..engines.profile import VARIABLE, profiled
from ..engines.supervisor import WorkersLost
from ..intake.dataset_table import is_dataset
from ..intake.parameters import Arguments, refuse_unset
from ..persistence import save_load
from ..production import methods as production
from .callback_support import is_protocol_callback
from .over_partitions import heard_once, planned_partitions, refuse_estimator

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
        refuse_estimator(self)
        X = args[0] if args else kwargs.get("X")
        if is_dataset(X):
            self._check_for_dataset()
        start, in_slots = dict(vars(self)), _slots(self)
        later = object.__new__(type(self))
        later.__dict__ = before = dict(start)
        _fill_slots(later, {}, in_slots)
        try:
            learns = profiled(method) if os.environ.get(VARIABLE, "0") not in ("", "0") else method
            if any(map(is_collection, (*args, *kwargs.values()))):
                learns = functools.partial(_on_cluster, arguments)
            with heard_once():
                answer = learns(later, *args, **kwargs)
        except (KeyboardInterrupt, WorkersLost):
            if vars(later) is not before:
                _fill_slots(self, in_slots, _slots(later))
                self.__dict__ = _changed(vars(self), start, vars(later))
            raise
        answer = self if answer is later else answer
        _fill_slots(self, in_slots, _slots(later))
        self.__dict__ = _changed(vars(self), start, vars(later))
        return answer

    return learning  # type: ignore[return-value]


def _on_cluster(arguments: Arguments, model: Any, *args: Any, **kwargs: Any) -> Any:
    """Fits a model on collections of Dask's, on the cluster of the current client."""
    from ..cluster.fit import fit as fit_on_cluster

    given = dict(zip(arguments.known, args, strict=False)) | kwargs
    with planned_partitions():
        refuse_estimator(model)
        if arguments.method != "fit":
            raise TypeError(
                f"{type(model).__name__}.{arguments.method} takes no dask collections: pass "
                "X.compute() and y.compute(), or call fit."
            )
        model._check_parameters()
    if is_regressor(model):
        check_numbers(given)
    for callback in model.get_params(deep=False).get("callbacks") or ():
        if is_protocol_callback(callback):
            raise TypeError(
                f"callbacks holds {callback!r}, which dask collections do not go with: pass "
                "functions of (t, state, history), which are called in the client."
            )
    own = set(model.get_params(deep=False))

    def keep(kept: Any, fitted: dict[str, Any]) -> None:
        found = {name: value for name, value in fitted.items() if name not in own}
        assign(kept, found, forget=vars(kept).keys() - own - found.keys())

    fit_on_cluster(model, given, keep)
    return model


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


# Methods that predict for collections of Dask's too.
_TAKING: set[Callable[..., Any]] = set()


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
    random_state : None, int below 2**32, RandomState or Generator
        Seeds what is random; None is 0.
    n_jobs : int, optional
        Threads; None means all this process may use. The model is the same for any number.
    verbose : int, default 0
        1 shows a progress bar.
    """

    saved_in_files: ClassVar[bool] = True
    over_partitions: ClassVar[bool] = False  # whether rows may lie in several partitions
    # The method that gives the weak learner which boosters take for it; None where there is none.
    _native_learner: Any = None
    # Set by a fit that has them: the provenance, whether an offset was given, the edits since.
    _origin: Any = None
    _has_offset: bool = False
    _edits: tuple[Any, ...] = ()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for name in METHODS:
            method = inspect.getattr_static(cls, name, None)
            if isinstance(method, FunctionType) and method not in _TAKING:
                taking = taking_collections(method)
                _TAKING.add(taking)
                setattr(cls, name, taking)

    save = save_load.save
    fingerprint = save_load.fingerprint
    predictor = production.predictor
    check = production.check
    card = production.card

    def _check_parameters(self) -> None:
        """Refuses parameters that are not allowed, as far as it shows before the rows are read."""

    def _check_for_dataset(self) -> None:
        """Refuses to learn from a dataset of pyarrow, whose rows stay in their files."""
        raise TypeError(
            f"{type(self).__name__} cannot learn from a pyarrow dataset, larger than memory, as "
            "gradient boosting and AdaBoost on stumps can; pass X.to_table() without the column "
            "of y, and that column as y."
        )

    def set_params(self, **params: Any) -> Self:
        """Sets parameters by name; ``estimator__name`` is one of the estimator inside."""
        refuse_unset(self, params)
        super().set_params(**params)
        return self

"""Checks of constructor parameters: one clear sentence with the name, the value and the range."""

from __future__ import annotations

import functools
import inspect
import numbers
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from math import inf, nan
from typing import Any, Literal, TypeVar, dataclass_transform, get_args

import numpy as np

from ..base.messages.spelling import nearest as nearest
from ..base.messages.value_text import show
from .docstring import completed
from .other_names import meant, refuse_unknown

T = TypeVar("T")
Method = TypeVar("Method", bound=Callable[..., Any])
Unseen = Literal["missing", "error"]  # what a category that training never saw is taken for
_MOST = 2**31 - 1  # limits beyond this are none
MOST_EXAMPLES = 2**62 - 1  # whole-number weights included, so that kernels can count twice as many
Matching = Literal["strict", "by_name"]  # how the columns of X are found when predicting


def integer(name: str, value: Any, least: int, most: int | None = None, others: str = "") -> int:
    """An integer in a range; ``others`` says what else the parameter may be."""
    whole = isinstance(value, numbers.Integral) and not isinstance(value, (bool, np.bool_))
    if whole and least <= (number := int(value)) and (most is None or number <= most):
        return number
    allowed = f"a whole number of at least {least}" + (
        "" if most is None else f" and at most {most}"
    )
    allowed += others and f", or {others}"
    kind = ValueError if whole or isinstance(value, numbers.Real) else TypeError
    raise kind(f"{name}={show(value)} is not allowed: it must be {allowed}.")


def limit(name: str, value: Any, least: int) -> int | None:
    """A limit as an integer or None, cut to the largest that kernels take."""
    return None if value is None else min(integer(name, value, least, None, "None"), _MOST)


def real(
    name: str,
    value: Any,
    above: float | None,
    most: float,
    *,
    least: float | None = None,
    strict: bool = False,
    others: str = "",
) -> float:
    """A finite number in (above, most] or [least, most]; with ``strict``, below most.

    ``others`` says what else the parameter may be.
    """
    is_number = isinstance(value, numbers.Real) and not isinstance(value, (bool, np.bool_))
    if is_number:
        number = as_float(value)
        enough = number > above if above is not None else number >= (least or 0.0)
        if enough and number <= most and not (strict and number == most):
            return number
    bound = f"above {above:g}" if above is not None else f"at least {least:g}"
    allowed = f"a number {bound} and {'below' if strict else 'at most'} {most:g}"
    allowed += others and f", or {others}"
    kind = ValueError if is_number else TypeError
    raise kind(f"{name}={show(value)} is not allowed: it must be {allowed}.")


def as_float(value: Any) -> float:
    """A number as float64: NaN if it is no number, infinity if it is too large an integer."""
    try:
        return float(value) if isinstance(value, numbers.Real) else nan
    except OverflowError:
        return inf if value > 0 else -inf


def share(name: str, value: Any) -> float:
    """A minimum share of the weight on each side of a split, from 0 to 0.5."""
    return real(name, value, None, 0.5, least=0.0)


def count_or_share(name: str, value: Any, least: int, beyond: bool = False) -> int | float:
    """A whole number of examples, or a float: their share, above 0 and at most 1.

    ``beyond``: they may be drawn several times each, and the share be more than 1.
    """
    shares = "a share above 0.0" if beyond else "a share above 0.0 and at most 1.0"
    if isinstance(value, (float, np.floating)):
        if not 0 < value < inf or (value > 1 and not beyond):
            raise ValueError(
                f"{name}={show(value)} is not allowed: it must be a whole number of at least "
                f"{least}, or {shares}."
            )
        return float(value)
    return integer(name, value, least, None, shares)


def max_features(value: Any) -> Any:
    """How many features to try at each split: None, "sqrt", "log2", a number, or a share."""
    if value is None or (isinstance(value, str) and value in ("sqrt", "log2")):
        return value
    others = "a share above 0.0 and at most 1.0, 'sqrt', 'log2' or None"
    if isinstance(value, (float, np.floating)) and 0 < value <= 1:
        return float(value)
    return integer("max_features", value, 1, None, others)


def one_of(name: str, value: Any, options: Any) -> Any:
    """One of a few values, which are those of a ``Literal`` or of a sequence."""
    allowed = options if isinstance(options, (tuple, list)) else get_args(options) or options
    for choice in allowed:
        if value is choice or (
            isinstance(choice, str) and isinstance(value, str) and value == choice
        ):
            return choice
    listed = ", ".join(repr(choice) for choice in allowed)
    hint = nearest(value, [choice for choice in allowed if isinstance(choice, str)])
    raise ValueError(f"{name}={show(value)} is not allowed: it must be one of {listed}.{hint}")


def seed(name: str, value: Any) -> int:
    """A seed from None (0: the same every time), a whole number below 2^32, or a generator."""
    if value is None:
        return 0
    if isinstance(value, np.random.RandomState):
        return int(value.randint(0, 2**31 - 1))
    if isinstance(value, np.random.Generator):
        return int(value.integers(0, 2**31 - 1))
    return integer(name, value, 0, 2**32 - 1, "None, a RandomState or a Generator")


def is_list(value: Any) -> bool:
    """Whether a value has one dimension; lists of lists have not, of whatever lengths these are.

    >>> is_list([1, 2]), is_list("ab"), is_list([[1], [2, 3]])
    (True, False, False)
    """
    try:
        return np.ndim(value) == 1
    except ValueError:  # of lists that are no table
        return False


def switch(name: str, value: Any) -> bool:
    """True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name}={show(value)} is not allowed: it must be True or False.")
    return bool(value)


def reading(model: Any) -> None:
    """Checks the parameters that say how X to predict for is read."""
    one_of("unseen", model.unseen, Unseen)
    one_of("columns", model.columns, Matching)


def verbosity(value: Any) -> None:
    """Checks ``verbose``: False, True, an integer of at least 0, or None for 0."""
    integer("verbose", int(value) if value is True else value or 0, 0)


def refuse_unset(model: Any, names: Iterable[str]) -> None:
    """Refuses to set parameters that an estimator has not, naming the nearest it has."""
    known = list(model.get_params(deep=False))
    for name in names:
        own = name.partition("__")[0]
        if own not in known:
            hint = meant(own, known, {"fit": _arguments(getattr(model, "fit", object))})
            raise ValueError(
                f"Invalid parameter {own!r} for estimator {type(model).__name__}:"
                f"{hint} Valid parameters are: {sorted(known)}."
            )


class Arguments:
    """What a constructor or method takes: an unknown or missing argument is answered in our words.

    The error names the class of the model, and for an unknown argument what may be meant.
    """

    def __init__(self, method: Callable[..., Any]) -> None:
        taken = list(inspect.signature(method).parameters.values())[1:]
        self.method = method.__name__
        self.known = [each.name for each in taken]
        self.takes_any = any(each.kind is each.VAR_KEYWORD for each in taken)
        needed = [p for p in taken if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD]
        self.needed = [each.name for each in needed]

    def check(self, model: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
        if kwargs and not self.takes_any:
            _refuse_unknown_of(model, self.method, self.known, kwargs)
        for name in self.needed[len(args) :]:
            if name not in kwargs:
                function = f"{type(model).__name__}.{self.method}"
                raise TypeError(f"{function}() missing a required argument: {name!r}")


def suggesting(method: Method) -> Method:
    """Wraps a constructor or method, whose ``Arguments`` are checked first."""
    arguments = Arguments(method)

    @functools.wraps(method)
    def checked(self: Any, *args: Any, **kwargs: Any) -> Any:
        arguments.check(self, args, kwargs)
        return method(self, *args, **kwargs)

    return checked  # type: ignore[return-value]


def _refuse_unknown_of(model: Any, method: str, known: list[str], given: Iterable[str]) -> None:
    """Refuses arguments that a method of a model does not know."""
    for name in given:
        if name not in known:
            others = {"the constructor": _arguments(type(model).__init__)}
            if method == "__init__":
                others = {"fit": _arguments(getattr(model, "fit", object))}
            refuse_unknown(name, known, f"{type(model).__name__}.{method}", others)


def _arguments(method: Callable[..., Any]) -> list[str]:
    return [name for name in inspect.signature(method).parameters if name != "self"]


def _in_order(init: Callable[..., None], signature: inspect.Signature) -> Callable[..., None]:
    """A constructor that takes its arguments in the order of a signature."""
    by_position = [p.name for p in signature.parameters.values() if p.kind is not p.KEYWORD_ONLY]
    ordered: Any = init
    if by_position != list(inspect.signature(init).parameters)[: len(by_position)]:

        @functools.wraps(init)
        def ordered(self: Any, *args: Any, **kwargs: Any) -> None:
            given = dict(signature.bind(self, *args, **kwargs).arguments)
            given.pop("self")
            init(self, **given)

    ordered.__signature__ = signature
    return ordered  # type: ignore[no-any-return]


# Parameters that say how a fit is run, in the order in which every constructor ends.
_LAST = (
    *("min_weight_fraction_leaf", "class_weight", "early_stopping", "validation_fraction"),
    *("n_iter_no_change", "tol", "scoring", "cv", "warm_start", "callbacks", "calibrate", "unseen"),
    *("columns", "random_state", "n_jobs", "verbose"),
)


@dataclass_transform(kw_only_default=True, eq_default=False, field_specifiers=(field,))
def declared(cls: type[T]) -> type[T]:
    """Class decorator: makes the constructor from the declared fields, as a dataclass does.

    What several estimators share is so written down once, in the class they inherit from, and their
    docstrings are completed with it. Those that a class names itself stand in its own order, after
    others and before those of every fit; where they may be given by position, before all others.
    """
    own = list(cls.__annotations__)

    def place(parameter: inspect.Parameter) -> tuple[int, int]:
        name = parameter.name
        if name in _LAST:
            return 2, _LAST.index(name)
        if name not in own:
            return (-2, 0) if name == "self" else (0, 0)
        return (1 if parameter.kind is parameter.KEYWORD_ONLY else -1), own.index(name)

    return _with_constructor(cls, lambda parameters: sorted(parameters, key=place))


@dataclass_transform(kw_only_default=True, eq_default=False, field_specifiers=(field,))
def declared_in_order(cls: type[T]) -> type[T]:
    """The same, with the parameters in the order in which they are declared, base classes first.

    One that a base class declares with ``field(init=False)`` keeps its place there for those
    subclasses that declare it as a parameter.
    """
    return _with_constructor(cls, list)


def _with_constructor(
    cls: type[T], ordered: Callable[[Iterable[inspect.Parameter]], list[inspect.Parameter]]
) -> type[T]:
    """The class as a dataclass, with its parameters in an order and all of them documented."""
    made = dataclass(kw_only=True, eq=False, repr=False)(cls)
    signature = inspect.signature(made.__init__)
    parameters = ordered(signature.parameters.values())
    init: Any = _in_order(made.__init__, signature.replace(parameters=parameters))
    made.__init__ = suggesting(init)  # type: ignore[method-assign]
    defaults = {each.name: each.default for each in parameters if each.name != "self"}
    made.__doc__ = completed(made.__doc__, defaults, made.__mro__[1:])
    return made


# ------------------------------------------------------------------------------------- warm starts

# Parameters that a warm start may change: the number of rounds, stopping, callbacks, and how weak
# rules are found. For more than two classes the ensemble itself shows which reduction was used.
FREE = frozenset(
    {
        *("n_estimators", "learning_rate", "estimator", "resample", "min_weight_fraction_leaf"),
        *("early_stopping", "validation_fraction", "n_iter_no_change", "tol", "scoring", "cv"),
        *("warm_start", "callbacks", "calibrate", "unseen", "columns", "random_state", "n_jobs"),
        *("verbose", "multiclass"),
    }
)


def refuse_changes(before: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Refuses a warm start after a change of the parameters that define the fit."""
    for name, value in now.items():
        if name in before and not same(before[name], value):
            raise ValueError(
                f"warm_start=True continues a fit with {name}={show(before[name])}, but now "
                f"{name}={show(value)}; set {name} back, or set warm_start=False to fit anew."
            )


def changed(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """The earlier values of the parameters that differ now."""
    return {name: v for name, v in before.items() if name in now and not same(v, now[name])}


def same(one: Any, other: Any) -> bool:
    """Whether two values of a parameter are equal.

    >>> same(1, 1.0), same([[0, 1]], np.array([[0, 1]])), same(len, max)
    (True, True, False)
    >>> same([[0], [1, 2]], [[0], [1, 2]]), same([[0], [1, 2]], [[0], [1, 3]])
    (True, False)
    """
    if one is other:
        return True
    several = (np.ndarray, list, tuple)
    try:
        if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
            return one.shape == other.shape and bool(np.all(one == other))
        if isinstance(one, several) and isinstance(other, several):
            return len(one) == len(other) and all(map(same, one, other))
        if bool(one == other):
            return True
    except (TypeError, ValueError):  # a comparison that does not give True or False
        return False
    if type(one) is not type(other) or callable(one) or not hasattr(one, "__dict__"):
        return False
    own, others = vars(one), vars(other)  # objects without an __eq__ of their own
    return bool(own) and own.keys() == others.keys() and all(_equal(own[k], others[k]) for k in own)


def _equal(one: Any, other: Any) -> bool:
    try:
        return one is other or bool(np.all(one == other))
    except (TypeError, ValueError):
        return False

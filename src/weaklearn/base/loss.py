"""The interface of losses: value, gradient, curvature and link."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import field, fields
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .messages.value_text import show
from .types import Floats, Partitions

if TYPE_CHECKING:
    from .numeric.hashing import Keys
    from .queries import Queries

SIGNS, CLASSES, NUMBERS, EVENTS = "signs", "classes", "numbers", "events"
_OPTION = "option"  # where the metadata of a field hold it


class Option(NamedTuple):
    """A number that a loss can be given: between ``above`` and ``below``, both excluded.

    ``parameter`` is the parameter of estimators that sets it; "" where none does.
    """

    above: float
    below: float
    parameter: str = ""

    def check(self, name: str, value: Any) -> None:
        """Refuses what lies outside."""
        if not self.above < value < self.below:
            upper = "" if self.below == np.inf else f" and below {self.below:g}"
            raise ValueError(
                f"{name}={show(value)} is not allowed: it must be a number above "
                f"{self.above:g}{upper}."
            )


def option(default: float, above: float, below: float = np.inf, parameter: str = "") -> Any:
    """A field of a loss that holds an option; constructors and model files check its range."""
    return field(default=default, metadata={_OPTION: Option(above, below, parameter)})


def options_of(kind: type[Loss]) -> dict[str, Option]:
    """The options of a loss class, by the names of their fields."""
    declared = fields(kind)  # type: ignore[arg-type]  # every loss of this library is a dataclass
    return {field.name: field.metadata[_OPTION] for field in declared if _OPTION in field.metadata}


class Loss(ABC):
    """A loss l(y, F) of labels and scores, with its derivatives by F.

    ``target`` says what y holds: "signs" (-1 and +1), "classes" (0 .. K-1), "numbers", or "events"
    (times, negative where the event did not come). F has one column an output: shape (m,) where
    ``n_outputs`` is 1, else (m, n_outputs).

    The losses of this library are frozen dataclasses with a ``number``, by which the package
    ``losses`` finds them; numbers are options (``option``).
    """

    name: ClassVar[str] = ""  # two may share one: of labels -1 and +1, and of several classes
    aliases: ClassVar[tuple[str, ...]] = ()  # other names
    by_name: ClassVar[bool] = True  # whether ``loss="name"`` makes it
    number: ClassVar[int | None] = None  # in model files, 40 to 59 or 68 to 74, never reused
    target: ClassVar[str] = NUMBERS
    score_name: ClassVar[str] = "score"  # what F is called where predictions are explained
    constant_curvature: ClassVar[bool] = False  # it is 1 everywhere
    log_odds: ClassVar[int | None] = None  # of +1, as a multiple of the score, where they are one
    native: ClassVar[bool] = False  # engines have kernels of their own for it
    link_is_logistic: ClassVar[bool] = True  # of classes: a sigmoid or a softmax of the scores
    profiled: ClassVar[bool] = False  # what ``adapted`` finds is found anew wherever it is told
    is_squared: ClassVar[bool] = False  # the class itself defines (y - F)^2 / 2
    whole_queries: ClassVar[bool] = False  # it looks at the rows of a query together
    queries: Queries | None = None  # those of the sample that it is bound to

    def __post_init__(self) -> None:
        for name, option in options_of(type(self)).items():
            option.check(name, getattr(self, name))

    @property
    def leaf_quantiles(self) -> tuple[float, ...] | None:
        """The quantile of the residuals that leaves answer with, one per output; None: Newton
        steps.
        """
        return None

    @property
    def has_squared_kernel(self) -> bool:
        """Whether it is (y - F)^2 / 2, not a subclass of that with derivatives of its own."""
        return vars(type(self)).get("is_squared", False) is True

    @property
    def has_link(self) -> bool:
        """Whether it has a link from scores to means; a user's own may have none."""
        return True

    @property
    def n_outputs(self) -> int:
        """How many scores a row has."""
        return 1

    @property
    def n_targets(self) -> int:
        """How many numbers of a row are predicted, each by a score of its own."""
        return 1

    @abstractmethod
    def value(self, y: NDArray[Any], F: Floats) -> Floats:
        """The loss of each example, (m,)."""

    @abstractmethod
    def gradient(self, y: NDArray[Any], F: Floats) -> Floats:
        """Its derivative by F, of the shape of F; one of the subgradients at a kink."""

    @abstractmethod
    def curvature(self, y: NDArray[Any], F: Floats) -> Floats:
        """Its second derivative by F, of the shape of F; 1 where the loss is straight."""

    def derivatives(self, y: NDArray[Any], F: Floats) -> tuple[Floats, Floats]:
        """Gradient and curvature at once."""
        return self.gradient(y, F), self.curvature(y, F)

    @abstractmethod
    def best_constant(
        self, y: NDArray[Any], w: NDArray[Any] | None = None, over: Partitions | None = None
    ) -> Floats:
        """The F, one number per output, whose total loss is least when all examples have it.

        w: repetitions (integers) or importances; None where all count once. With ``over`` the
        examples are those of all partitions.
        """

    def inverse_link(self, F: Floats) -> Floats:
        """The predictions from scores: the probability of +1, that of each class, or the number."""
        return F

    def check_target(  # noqa: B027, most take all there are
        self, y: NDArray[Any], over: Partitions | None = None
    ) -> None:
        """Raises ValueError for targets outside the domain of the loss, naming the row."""

    def settled(self, y: NDArray[Any], n_classes: int) -> Loss:
        """This loss for targets of so many classes, 0 for numbers, once they are known."""
        return self

    @property
    def unbound(self) -> Loss:
        """This loss without what it knows of a sample, as models keep it."""
        return self

    def keys_of(self, content: Keys) -> Keys:
        """What tells examples apart: what their rows hold, unless the loss looks at more."""
        return content

    def adapted(
        self,
        y: NDArray[Any],
        F: Floats,
        w: NDArray[Any] | None = None,
        over: Partitions | None = None,
    ) -> Loss:
        """This loss with its scale estimated from the current residuals, where it has a scale."""
        return self


def wrong_loss(kind: type[Exception], words: str) -> Exception:
    """An exception about a value that a loss returned; the round is added to it later."""
    error = kind(words)
    error.of_loss = True  # type: ignore[attr-defined]
    return error


def checked(loss: Loss, what: str, numbers: Floats, y: NDArray[Any], F: Floats) -> Floats:
    """The array that a loss returned; raises unless it has the right shape and is finite."""
    wanted = (len(F),) if what == "value" else F.shape
    if numbers.shape != wanted:
        raise wrong_loss(
            ValueError,
            f"the {what} of loss {loss.name!r} returned an array of shape {numbers.shape}; it must "
            f"have the shape {wanted}, one number an example.",
        )
    strange = ~np.isfinite(numbers)
    if what == "curvature" and not strange.any() and (numbers < 0).any():
        place = tuple(int(k) for k in np.argwhere(numbers < 0)[0])
        raise wrong_loss(
            ValueError,
            f"the curvature of loss {loss.name!r} is {numbers[place]} in row {place[0]}; a loss to "
            "be descended bends upwards: its curvature is at least 0.",
        )
    if strange.any():
        place = tuple(int(k) for k in np.argwhere(strange)[0])
        row = place[0]
        raise wrong_loss(
            ValueError,
            f"the {what} of loss {loss.name!r} returned {numbers[place]} in row {row}, where y is "
            f"{y[row]} and F is {F[row]}; it must return finite numbers.",
        )
    return numbers


def refuse_target(loss: Loss, y: NDArray[Any], allowed: NDArray[np.bool_], words: str) -> None:
    """Raises for the first row whose target is not allowed."""
    if not allowed.all():
        row = int(np.argmin(allowed))
        raise ValueError(
            f"y[{row}] is {show(y[row].item())}, which loss={loss.name!r} cannot take: it needs "
            f"{words}."
        )

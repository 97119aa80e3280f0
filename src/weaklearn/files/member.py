"""The members of ensembles in a file: what they are checked by, one class after another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ..base.hypothesis import Stump
from .check import need
from .shape import Shape
from .stump import stumps_fit

MOST_SCORE = 1e300  # so that differences of scores, and their multiples, stay finite


class Member(NamedTuple):
    """How members of a class are checked, and the greatest absolute value that one answers.

    ``fits(name, members, shape, n_outputs)`` refuses those that do not fit the columns and outputs
    of the model; it is told of all members where these hang ``together``.
    """

    fits: Callable[[str, Sequence[Any], Shape, int], None]
    reach: Callable[[Any], float] = lambda h: 1.0  # of those that answer with labels
    together: bool = False


def reach_of(h: Any) -> float:
    """The greatest absolute value that a member answers; 1 where its answers are labels."""
    kind = MEMBERS.get(type(h))
    return 1.0 if kind is None else kind.reach(h)


def members_fit(name: str, members: Sequence[Any], shape: Shape, n_outputs: int) -> None:
    """Refuses members that do not fit the columns and outputs of the model."""
    kinds = dict.fromkeys(map(type, members))
    for kind in kinds:
        need(kind in MEMBERS, f"{name}: a member is a {kind.__name__}")
    for kind in kinds:
        fits, _, together = MEMBERS[kind]
        alike = members if together else [h for h in members if type(h) is kind]
        fits(name, alike, shape, n_outputs)


# By class. A module with the record of others adds them.
MEMBERS: dict[type[Any], Member] = {Stump: Member(stumps_fit)}
MODEL_MEMBER = 77  # the number of models that are members
NUMBERS = frozenset({1, 6, 7, 8, 64, 65, 66, 67, MODEL_MEMBER})  # of the records of members

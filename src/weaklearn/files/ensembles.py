"""Ensembles in a file: votes and members."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any

import numpy as np

from ..base.ensemble import Ensemble, StackedEnsemble
from .check import Check, floats, integer, named, need, of_type
from .error import Flaw
from .member import MEMBERS, MOST_SCORE, NUMBERS, members_fit, reach_of
from .record import Record, expect
from .shape import Shape


def _grown(ensemble: Any, votes: Any, members: Any, negative: bool) -> Any:
    """The ensemble with votes and members added one by one."""
    of_type("members", members, list)
    votes = floats("votes", votes, len(members)).tolist()
    need(negative or min(votes, default=0.0) >= 0, "a median has a negative vote")
    bounded(votes, members)
    return ensemble.plus_all(votes, members)


def bounded(votes: Sequence[float], members: Sequence[Any]) -> None:
    """Refuses votes whose sum of scores, or a part of it, could be none that is finite."""
    must_be_finite(sum(abs(vote) * reach_of(h) for vote, h in zip(votes, members, strict=True)))


def must_be_finite(reach: float) -> None:
    """Refuses scores that may be so large that sums of them are not finite."""
    need(reach <= MOST_SCORE, "the votes have no finite sum")


def voted(
    number: int,
    kind: type[Ensemble],
    own: Mapping[str, Check],
    take: Callable[[Any], list[Any]],
    make: Callable[..., Ensemble],
    fits: Callable[[str, Sequence[Any], Shape], None],
    negative: bool = True,
) -> Record:
    """The record of a class of ensembles: fields of its own, each with a check, votes, members."""

    def taken(ensemble: Ensemble) -> list[Any]:
        return [*take(ensemble), ensemble.votes.astype(np.float64), ensemble.members]

    def made(fields: list[Any]) -> Ensemble:
        expect(fields, len(own) + 2)
        *given, votes, members = fields
        for (name, check), value in zip(own.items(), given, strict=True):
            check(name, value)
        grown: Ensemble = _grown(make(*given), votes, members, negative)
        return grown

    n_items, holds = as_many_as(len(own)), {len(own) + 1: NUMBERS}
    return Record(number, kind, taken, made, fits=fits, n_items=n_items, holds=holds)


def as_many_as(*places: int) -> Callable[[Sequence[Any]], int | None]:
    """The number of members, by the lengths of the fields at these places, the last before them."""

    def n_items(fields: Sequence[Any]) -> int | None:
        if len(fields) != places[-1] + 1:
            return None
        counted = [fields[k] for k in places]
        known = all(isinstance(field, (np.ndarray, tuple)) for field in counted)
        return prod(map(len, counted)) if known else None

    return n_items


def numbers_fit(name: str, ensembles: Sequence[Ensemble], shape: Shape) -> None:
    for ensemble in ensembles:
        members_fit(name, ensemble.members, shape, 1)


def votes_fit(name: str, ensembles: Sequence[Ensemble], shape: Shape) -> None:
    for ensemble in ensembles:
        outputs_fit(name, ensemble.n_outputs, shape)
        members_fit(name, ensemble.members, shape, ensemble.n_outputs)


def outputs_fit(name: str, n_outputs: int, shape: Shape) -> None:
    expected = shape.n_classes if shape.n_classes > 2 else 1
    need(n_outputs == expected, f"{name} has {n_outputs} outputs; the model has {expected}")


def parts_of(fields: list[Any]) -> tuple[Ensemble, ...]:
    expect(fields, 1)
    parts: tuple[Ensemble, ...] = of_type("parts", fields[0], tuple)
    need(parts, "there is no part")
    for part in parts:
        need(isinstance(part, Ensemble), f"a part is {named(part)}")
        need(part.n_outputs == 1, f"a part has {part.n_outputs} outputs; it must have 1")
    return parts


def parts_fit(name: str, ensembles: Sequence[StackedEnsemble], shape: Shape) -> None:
    for stacked in ensembles:
        outputs_fit(name, stacked.n_outputs, shape)
        everyone = [h for part in stacked.parts for h in part.members]
        kinds = MEMBERS.keys() & set(map(type, everyone))
        if not any(MEMBERS[kind].together for kind in kinds):  # those of their part
            try:
                members_fit(name, everyone, shape, 1)
                continue
            except Flaw:
                pass  # which is said of a part
        for k, part in enumerate(stacked.parts):
            members_fit(f"{name}, problem {k}", part.members, shape, 1)


COUNT = integer(1)
ENSEMBLE = voted(3, Ensemble, {"n_outputs": COUNT}, lambda e: [e.n_outputs], Ensemble, votes_fit)
PARTS = {0: {3, 9, 15, 75, 76}}  # numbers of the records of votes on two classes or on numbers
STACKED = Record(
    4,
    StackedEnsemble,
    lambda e: [e.parts],
    lambda f: StackedEnsemble(parts_of(f)),
    fits=parts_fit,
    holds=PARTS,
)

"""Ensembles in a file: votes and members."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any

import numpy as np

from ..base.ensemble import Ensemble, StackedEnsemble
from ..base.trees.label_tree import LabelTree
from ..base.trees.splitter import Splitter
from ..base.trees.tree import Tree
from ..base.votes.decaying import Fading
from ..base.votes.graded_rules import GradedRules
from ..base.votes.label_scores import CodedScores, LabelScores, LabelSum
from ..base.votes.median import MedianEnsemble
from ..base.votes.pairwise import PairwiseEnsemble, n_classes_of
from ..base.votes.prior import Foreknown, Prior
from ..base.votes.reweighted import Revoted
from ..base.votes.tree_sum import AdditiveTrees
from ..base.votes.weighted_sum import WeightedSum
from ..ensembles import Grove
from .check import Check, array, flag, floats, integer, named, need, of_type, one_of, real
from .error import Flaw
from .member import MOST_SCORE, NUMBERS, members_fit, reach_of
from .record import Record, expect
from .shape import Shape
from .tree import TREE
from .tree import fits as trees_fit


def _grown(ensemble: Any, votes: Any, members: Any) -> Any:
    """The ensemble with votes and members added one by one."""
    of_type("members", members, list)
    votes = floats("votes", votes, len(members)).tolist()
    least = min(votes, default=0.0)
    need(least >= 0 or not isinstance(ensemble, MedianEnsemble), "a median has a negative vote")
    _bounded(votes, members)
    return ensemble.plus_all(votes, members)


def _bounded(votes: Sequence[float], members: Sequence[Any]) -> None:
    """Refuses votes whose sum of scores, or a part of it, could be none that is finite."""
    reach = sum(abs(vote) * reach_of(h) for vote, h in zip(votes, members, strict=True))
    need(reach <= MOST_SCORE, "the votes have no finite sum")


def _voted(
    number: int,
    kind: type[Ensemble],
    own: Mapping[str, Check],
    take: Callable[[Any], list[Any]],
    make: Callable[..., Ensemble],
    fits: Callable[[str, Sequence[Any], Shape], None],
) -> Record:
    """The record of a class of ensembles: fields of its own, each with a check, votes, members."""

    def taken(ensemble: Ensemble) -> list[Any]:
        return [*take(ensemble), ensemble.votes.astype(np.float64), ensemble.members]

    def made(fields: list[Any]) -> Ensemble:
        expect(fields, len(own) + 2)
        *given, votes, members = fields
        for (name, check), value in zip(own.items(), given, strict=True):
            check(name, value)
        grown: Ensemble = _grown(make(*given), votes, members)
        return grown

    n_items, holds = _as_many_as(len(own)), {len(own) + 1: NUMBERS}
    return Record(number, kind, taken, made, fits=fits, n_items=n_items, holds=holds)


def _as_many_as(*places: int) -> Callable[[Sequence[Any]], int | None]:
    """The number of members, by the lengths of the fields at these places, the last before them."""

    def n_items(fields: Sequence[Any]) -> int | None:
        if len(fields) != places[-1] + 1:
            return None
        counted = [fields[k] for k in places]
        known = all(isinstance(field, (np.ndarray, tuple)) for field in counted)
        return prod(map(len, counted)) if known else None

    return n_items


def _code(name: str, code: Any) -> None:
    need(
        isinstance(code, np.ndarray)
        and code.dtype == np.int8
        and code.ndim == 2
        and code.size > 0
        and bool((np.abs(code) <= 1).all()),
        "the code is no table of -1, 0 and +1",
    )


def _labels_fit(name: str, ensembles: Sequence[LabelSum], shape: Shape) -> None:
    for ensemble in ensembles:
        K = ensemble.n_classes
        need(K == shape.n_classes, f"{name} has {K} classes; the model has {shape.n_classes}")
    _votes_fit(name, ensembles, shape)


def _scores_fit(name: str, ensembles: Sequence[LabelScores], shape: Shape) -> None:
    for ensemble in ensembles:
        K = ensemble.n_labels if isinstance(ensemble, CodedScores) else ensemble.n_classes
        need(K == shape.n_classes, f"{name} has {K} labels; the model has {shape.n_classes}")
        needed = ensemble.n_classes
        for h in ensemble.members:
            known = isinstance(h, (LabelTree, GradedRules))
            need(known, f"{name}: a member is a {type(h).__name__}")
            assert isinstance(h, (LabelTree, GradedRules))
            K = len(h.base) if isinstance(h, GradedRules) else h.tree.n_outputs
            need(K == needed, f"{name}: a member does not answer {needed} labels")
        members_fit(name, ensemble.members, shape, ensemble.n_outputs)


def _make_fading(fields: list[Any]) -> Fading:
    expect(fields, 3)
    given, times, members = fields
    of_type("members", members, list)
    given = floats("votes", given, len(members)).tolist()
    times = floats("times", times, len(members))
    _bounded(given, members)
    need((np.diff(times, prepend=0.0) >= 0).all(), "the times go backwards")
    return Fading(given, times.tolist(), members)


def _make_revoted(fields: list[Any]) -> Revoted:
    expect(fields, 2)
    tables, members = fields
    of_type("tables", tables, tuple)
    of_type("members", members, list)
    need(len(tables) == len(members), f"{len(members)} members have {len(tables)} stages")
    for t, votes in enumerate(tables, start=1):
        _bounded(floats("votes", votes, t).tolist(), members[:t])
    return Revoted(tables, members)


def _numbers_fit(name: str, ensembles: Sequence[Ensemble], shape: Shape) -> None:
    for ensemble in ensembles:
        members_fit(name, ensemble.members, shape, 1)


def _make_trees(fields: list[Any]) -> AdditiveTrees:
    expect(fields, 3)
    base, votes, trees = fields
    array("f")("base", base)
    K = len(base)
    need(K > 0, "there is no output")
    of_type("trees", trees, list)
    need(len(trees) % K == 0, f"{len(trees)} trees are not so many rounds of {K}")
    for tree in trees:
        need(type(tree) is Tree and tree.n_outputs == 1, "a tree has several outputs")
    rounds = [trees[k : k + K] for k in range(0, len(trees), K)]
    ensemble = AdditiveTrees(base)
    votes = floats("votes", votes, len(rounds)).tolist()
    flat = [vote for vote in votes for _ in range(K)]
    _bounded([*np.abs(base).tolist(), *flat], [None] * K + trees)
    for vote, each in zip(votes, rounds, strict=True):
        ensemble = ensemble.plus(vote, each)
    return ensemble


def _trees_fit(name: str, ensembles: Sequence[AdditiveTrees], shape: Shape) -> None:
    for ensemble in ensembles:
        if shape.several:
            n, n_labels = ensemble.n_outputs, shape.n_classes
            need(n == n_labels, f"{name} has {n} outputs; the model has {n_labels} labels")
        elif shape.n_classes:
            _outputs_fit(name, ensemble.n_outputs, shape)
        if len(ensemble):
            trees_fit(name, ensemble.trees, shape)


def _votes_fit(name: str, ensembles: Sequence[Ensemble], shape: Shape) -> None:
    for ensemble in ensembles:
        _outputs_fit(name, ensemble.n_outputs, shape)
        members_fit(name, ensemble.members, shape, ensemble.n_outputs)


def _outputs_fit(name: str, n_outputs: int, shape: Shape) -> None:
    expected = shape.n_classes if shape.n_classes > 2 else 1
    need(n_outputs == expected, f"{name} has {n_outputs} outputs; the model has {expected}")


def _make_pairs(fields: list[Any]) -> PairwiseEnsemble:
    parts = _parts(fields)
    need(n_classes_of(len(parts)) > 0, f"{len(parts)} votes are not one for every two classes")
    return PairwiseEnsemble(parts)


def _parts(fields: list[Any]) -> tuple[Ensemble, ...]:
    expect(fields, 1)
    parts: tuple[Ensemble, ...] = of_type("parts", fields[0], tuple)
    need(parts, "there is no part")
    for part in parts:
        need(isinstance(part, Ensemble), f"a part is {named(part)}")
        need(part.n_outputs == 1, f"a part has {part.n_outputs} outputs; it must have 1")
    return parts


def _parts_fit(name: str, ensembles: Sequence[StackedEnsemble], shape: Shape) -> None:
    for stacked in ensembles:
        _outputs_fit(name, stacked.n_outputs, shape)
        everyone = [h for part in stacked.parts for h in part.members]
        if not any(type(h) is Splitter for h in everyone):  # which hang on those of their part
            try:
                members_fit(name, everyone, shape, 1)
                continue
            except Flaw:
                pass  # which is said of a part
        for k, part in enumerate(stacked.parts):
            members_fit(f"{name}, problem {k}", part.members, shape, 1)


def _make_grove(fields: list[Any]) -> Grove:
    expect(fields, 1)
    trees = of_type("trees", fields[0], list)
    need(trees and all(type(tree) is Tree for tree in trees), "there is no tree")
    need(len({tree.n_outputs for tree in trees}) == 1, "trees have different outputs")
    return Grove(trees)


def _groves_fit(name: str, groves: Sequence[Grove], shape: Shape) -> None:
    for grove in groves:
        trees_fit(name, list(grove), shape)


_COUNT = integer(1)
ENSEMBLE = _voted(3, Ensemble, {"n_outputs": _COUNT}, lambda e: [e.n_outputs], Ensemble, _votes_fit)
LABEL_SUM = _voted(
    63, LabelSum, {"n_classes": _COUNT}, lambda e: [e.n_classes], LabelSum, _labels_fit
)
LABEL_SCORES = _voted(
    60,
    LabelScores,
    {"n_classes": _COUNT, "several": flag},
    lambda e: [e.n_classes, e.several],
    lambda n_classes, several: LabelScores(n_classes, bool(several)),
    _scores_fit,
)
CODED_SCORES = _voted(
    61,
    CodedScores,
    {"code": _code, "decoding": one_of("hamming", "loss")},
    lambda e: [e.code, e.decoding],
    CodedScores,
    _scores_fit,
)
REVOTED = Record(
    15,
    Revoted,
    lambda e: [e.tables, e.members],
    _make_revoted,
    fits=_votes_fit,
    n_items=_as_many_as(0),
    holds={1: NUMBERS},
)
FADING = Record(
    76,
    Fading,
    lambda e: [np.array(e.given), np.array(e.times), e.members],
    _make_fading,
    fits=_votes_fit,
    n_items=_as_many_as(1),
    holds={2: NUMBERS},
)
WEIGHTED_SUM = _voted(
    9, WeightedSum, {"base": real()}, lambda e: [float(e.base)], WeightedSum, _numbers_fit
)
FOREKNOWN = _voted(  # without the prior itself, which is a parameter of the model
    75,
    Foreknown,
    {"class": integer(), "reach": real(0.0)},
    lambda e: [e.prior.k, float(e.reach)],
    lambda k, reach: Foreknown(Prior(None, (), k), reach),
    _numbers_fit,
)
MEDIAN = _voted(10, MedianEnsemble, {}, lambda e: [], MedianEnsemble, _numbers_fit)
ADDITIVE = Record(
    11,
    AdditiveTrees,
    lambda e: [e.base, e.votes.astype(np.float64), e.trees],
    _make_trees,
    fits=_trees_fit,
    n_items=_as_many_as(0, 1),
    holds={2: {TREE.number}},
)
GROVE = Record(
    12,
    Grove,
    lambda grove: [list(grove)],
    _make_grove,
    fits=_groves_fit,
    holds={0: {TREE.number}},
)
_PARTS = {0: {part.number for part in (ENSEMBLE, WEIGHTED_SUM, REVOTED, FADING, FOREKNOWN)}}
STACKED = Record(
    4,
    StackedEnsemble,
    lambda e: [e.parts],
    lambda f: StackedEnsemble(_parts(f)),
    fits=_parts_fit,
    holds=_PARTS,
)
PAIRWISE = Record(
    62, PairwiseEnsemble, lambda e: [e.parts], _make_pairs, fits=_parts_fit, holds=_PARTS
)
VOTES = (
    *(ENSEMBLE, STACKED, PAIRWISE, LABEL_SUM, LABEL_SCORES, CODED_SCORES, REVOTED, FADING),
    *(WEIGHTED_SUM, FOREKNOWN, MEDIAN, ADDITIVE, GROVE),
)

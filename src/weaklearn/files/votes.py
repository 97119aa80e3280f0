"""Votes of other kinds in a file: on numbers, medians, decaying, revised, of every two classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.votes.decaying import Fading
from ..base.votes.median import MedianEnsemble
from ..base.votes.pairwise import PairwiseEnsemble, n_classes_of
from ..base.votes.prior import Foreknown, Prior
from ..base.votes.reweighted import Revoted
from ..base.votes.weighted_sum import WeightedSum
from .check import floats, integer, need, of_type, real
from .ensembles import (
    PARTS,
    as_many_as,
    bounded,
    numbers_fit,
    parts_fit,
    parts_of,
    voted,
    votes_fit,
)
from .member import NUMBERS
from .record import Record, expect


def _make_fading(fields: list[Any]) -> Fading:
    expect(fields, 3)
    given, times, members = fields
    of_type("members", members, list)
    given = floats("votes", given, len(members)).tolist()
    times = floats("times", times, len(members))
    bounded(given, members)
    need((np.diff(times, prepend=0.0) >= 0).all(), "the times go backwards")
    return Fading(given, times.tolist(), members)


def _make_revoted(fields: list[Any]) -> Revoted:
    expect(fields, 2)
    tables, members = fields
    of_type("tables", tables, tuple)
    of_type("members", members, list)
    need(len(tables) == len(members), f"{len(members)} members have {len(tables)} stages")
    for t, votes in enumerate(tables, start=1):
        bounded(floats("votes", votes, t).tolist(), members[:t])
    return Revoted(tables, members)


def _make_pairs(fields: list[Any]) -> PairwiseEnsemble:
    parts = parts_of(fields)
    need(n_classes_of(len(parts)) > 0, f"{len(parts)} votes are not one for every two classes")
    return PairwiseEnsemble(parts)


REVOTED = Record(
    15,
    Revoted,
    lambda e: [e.tables, e.members],
    _make_revoted,
    fits=votes_fit,
    n_items=as_many_as(0),
    holds={1: NUMBERS},
)
FADING = Record(
    76,
    Fading,
    lambda e: [np.array(e.given), np.array(e.times), e.members],
    _make_fading,
    fits=votes_fit,
    n_items=as_many_as(1),
    holds={2: NUMBERS},
)
WEIGHTED_SUM = voted(
    9, WeightedSum, {"base": real()}, lambda e: [float(e.base)], WeightedSum, numbers_fit
)
FOREKNOWN = voted(  # without the prior itself, which is a parameter of the model
    75,
    Foreknown,
    {"class": integer(), "reach": real(0.0)},
    lambda e: [e.prior.k, float(e.reach)],
    lambda k, reach: Foreknown(Prior(None, (), k), reach),
    numbers_fit,
)
MEDIAN = voted(10, MedianEnsemble, {}, lambda e: [], MedianEnsemble, numbers_fit, negative=False)
PAIRWISE = Record(
    62, PairwiseEnsemble, lambda e: [e.parts], _make_pairs, fits=parts_fit, holds=PARTS
)

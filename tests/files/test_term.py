"""Functions of columns in files: the same again, or refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.files.forge import reread, written
from tests.samples import same_bits
from weaklearn.base.trees.term import Axis, Edit, Term, TermSum
from weaklearn.files import Flaw, ModelFileError, Shape
from weaklearn.files.term import TERM_SUM, alike, fits

NUMBER = Axis(0, np.array([-1.5, 0.25, 3.0]), ends=(-4.0, 7.5))
LEVELS = Axis(1, None, 2)
DATE = Axis(2, np.array([0.5, 4.5]), ends=None)
BARE = Axis(3, np.array([]), ends=(2.0, 2.0))  # a column of one value
SHAPE = Shape(4, {1: 2}, {2: 6}, 0)


def term(*axes: Axis, n_outputs: int = 1, seed: int = 0, **others: Any) -> Term:
    rng = np.random.default_rng(seed)
    cells = tuple(axis.n_cells for axis in axes)
    values = rng.normal(size=(*cells, n_outputs))
    values.flat[0] = -0.0
    width = rng.random(values.shape)
    counts = rng.integers(0, 9, cells).astype(float)
    return replace(Term(axes, values, values - width, values + width, counts), **others)


def total(*terms: Term, intercept: Any = (0.5,)) -> TermSum:
    return TermSum(np.array(intercept), tuple(terms))


@pytest.mark.parametrize("n_outputs", [1, 3])
def test_terms_come_back(n_outputs: int) -> None:
    terms = [
        term(NUMBER, n_outputs=n_outputs),
        term(LEVELS, n_outputs=n_outputs, seed=1),
        term(DATE, LEVELS, n_outputs=n_outputs, seed=2),
        term(BARE, n_outputs=n_outputs, seed=3),
    ]
    whole = total(*terms, intercept=np.arange(n_outputs) / 7)
    again = reread(written(whole))
    assert same_bits(again.intercept, whole.intercept)
    assert type(again.terms) is tuple
    for old, new in zip(terms, again.terms, strict=True):
        assert alike(old, new)
        assert new.features == old.features
        assert [axis.ends for axis in new.axes] == [axis.ends for axis in old.axes]
        for name in ("values", "low", "high", "counts"):
            assert same_bits(getattr(new, name), getattr(old, name))
            assert getattr(new, name).flags.writeable
    assert written(again) == written(whole)
    TERM_SUM.fits("ensemble_", [again], SHAPE._replace(n_classes=n_outputs))  # type: ignore[misc]


def test_a_sum_of_nothing_comes_back() -> None:
    assert len(reread(written(total()))) == 0


def test_terms_that_differ_are_told_apart() -> None:
    one = term(NUMBER)
    assert alike(one, term(NUMBER))
    assert not alike(one, replace(one, values=one.values + 0.0))  # -0 is 0 now
    assert alike(one, replace(one, values=one.values + 1.0), cells_only=True)
    assert not alike(one, term(replace(NUMBER, cuts=np.array([-1.5, 0.25, 3.5]))), cells_only=True)
    assert not alike(one, term(replace(NUMBER, ends=None)), cells_only=True)
    assert not alike(term(LEVELS), term(replace(LEVELS, feature=2)), cells_only=True)


def spoilt(name: str, place: int, value: float) -> Term:
    made = term(NUMBER, LEVELS)
    getattr(made, name).flat[place] = value
    return made


def cut(*cuts: float, ends: Any = None) -> Term:
    return term(Axis(0, np.array(cuts), ends=ends))


WRONG: dict[str, tuple[Callable[[], Any], str]] = {
    "NaN cut": (lambda: cut(np.nan), "cuts.* is nan"),
    "infinite cut": (lambda: cut(0.0, np.inf), "cuts.* is inf"),
    "falling cuts": (lambda: cut(1.0, 0.0), "do not rise"),
    "a cut twice": (lambda: cut(1.0, 1.0), "do not rise"),
    "falling cuts of the second": (lambda: [cut(1.0, 2.0), cut(3.0, 2.0)], "do not rise"),
    "NaN end": (lambda: cut(0.0, ends=(np.nan, 1.0)), "ends.* is nan"),
    "ends the wrong way": (lambda: cut(0.0, ends=(1.0, -1.0)), "above the greatest"),
    "a cut outside": (lambda: cut(0.0, 9.0, ends=(-1.0, 1.0)), "outside the values"),
    "NaN value": (lambda: spoilt("values", 3, np.nan), "values.* is nan"),
    "infinite value": (lambda: spoilt("values", 3, -np.inf), "values.* is -inf"),
    "NaN band": (lambda: spoilt("low", 3, np.nan), "low.* is nan"),
    "band the wrong way": (lambda: spoilt("high", 3, -99.0), "below its beginning"),
    "NaN count": (lambda: spoilt("counts", 3, np.nan), "counts.* is nan"),
    "negative count": (lambda: spoilt("counts", 3, -1.0), "fewer examples"),
    "a count beyond all": (lambda: spoilt("counts", 3, 1e300), "more examples"),
    "three axes": (lambda: term(NUMBER, LEVELS, DATE), "axes"),
    "negative feature": (lambda: term(replace(NUMBER, feature=-1)), "feature"),
    "feature of 33 bits": (lambda: term(replace(NUMBER, feature=2**32)), "feature"),
    "values of other cells": (lambda: term(NUMBER, values=np.ones((2, 1))), "values has"),
    "counts of other cells": (lambda: term(NUMBER, counts=np.ones(7)), "counts has"),
    "no outputs": (lambda: term(NUMBER, n_outputs=1, values=np.ones((5, 0))), "outputs"),
    "outputs that differ": (lambda: total(term(NUMBER, n_outputs=2)), "2 outputs beside 1"),
    "no output": (lambda: total(intercept=()), "no output"),
    "NaN intercept": (lambda: total(intercept=(np.nan,)), "intercept.* is nan"),
    "the same column twice": (lambda: total(term(LEVELS), term(LEVELS)), "same columns"),
    "the same pair twice": (
        lambda: total(term(LEVELS, DATE), term(DATE, LEVELS)),
        "same columns",
    ),
    "a sum beyond all": (
        lambda: total(spoilt("high", 1, 1e308), intercept=(1e308,)),
        "greatest score",
    ),
    "a term that is none": (lambda: TermSum(np.zeros(1), (3,)), "a term is none"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("name", WRONG)
def test_terms_that_are_off_are_refused(name: str) -> None:
    make, words = WRONG[name]
    with pytest.raises(ModelFileError, match=words):
        reread(written(make()))


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (term(replace(NUMBER, feature=4)), "feature 4; the model has 4"),
        (term(replace(NUMBER, feature=1)), "bins do not suit feature"),
        (term(replace(LEVELS, feature=0)), "bins do not suit feature"),
        (term(replace(LEVELS, n_categories=3)), "3 of 2 categories"),
        (term(replace(DATE, cuts=np.array([5.5]))), "between no two values"),
        (term(replace(DATE, cuts=np.array([-0.5]))), "between no two values"),
        (term(NUMBER, replace(NUMBER)), "with itself"),
    ],
)
def test_terms_that_do_not_fit_the_model_are_refused(made: Term, words: str) -> None:
    fits("a term", [term(NUMBER), term(LEVELS, DATE)], SHAPE)
    with pytest.raises(Flaw, match=words):
        fits("a term", [made], SHAPE)


def test_a_sum_has_an_output_for_every_class() -> None:
    for n_outputs, n_classes in ((1, 0), (2, 0), (1, 1), (1, 2), (3, 3)):
        TERM_SUM.fits(
            "F", [total(intercept=[0.0] * n_outputs)], SHAPE._replace(n_classes=n_classes)
        )  # type: ignore[misc]
    for n_outputs, n_classes in ((2, 2), (1, 3), (4, 3)):
        with pytest.raises(Flaw, match=f"{n_outputs} outputs"):
            TERM_SUM.fits(
                "F", [total(intercept=[0.0] * n_outputs)], SHAPE._replace(n_classes=n_classes)
            )  # type: ignore[misc]


# ------------------------------------------------------------------------------------------ edits


def test_edits_come_back() -> None:
    before = term(NUMBER)
    for after, scores in ((None, ()), (replace(before), (("loss", 0.5, np.nan),))):
        edit = Edit("age", "flattened", 3, before, after, scores)
        again = reread(written(edit))
        assert (again.term, again.what, again.place) == ("age", "flattened", 3)
        assert alike(again.before, before)
        assert (again.after is None) == (after is None)
        assert written(again) == written(edit)


@pytest.mark.parametrize(
    ("others", "words"),
    [
        ({"term": 3}, "term is 3"),
        ({"what": None}, "what is None"),
        ({"place": -1}, "place is -1"),
        ({"place": True}, "place is True"),
        ({"before": None}, "before is None"),
        ({"after": total()}, "TermSum has no place"),
        ({"after": term(LEVELS)}, "other cells"),
        ({"scores": []}, "scores"),
        ({"scores": (("loss", 0.5),)}, "no name with two numbers"),
        ({"scores": (("loss", 0.5, 1),)}, "no name with two numbers"),
    ],
)
def test_edits_that_are_off_are_refused(others: dict[str, Any], words: str) -> None:
    edit = replace(Edit("age", "held", 0, term(NUMBER), term(NUMBER)), **others)
    with pytest.raises(ModelFileError, match=words):
        reread(written(edit))


def test_many_small_terms_take_no_memory() -> None:
    """Terms of one cell take more room in memory than in a file: no file may be made of them."""
    n = 200_000
    once = np.zeros(n)
    fields = [
        np.ones(n, np.uint8), np.ones(n, np.uint8), np.arange(n), np.zeros(n, np.int8),
        np.zeros(0, np.uint8), np.zeros(0), np.zeros(0, bool), np.zeros((0, 2)),
        *[once] * 4,
    ]  # fmt: skip
    data = bytes([19, 13, *_count(n), len(fields)]) + b"".join(map(written, fields))
    with pytest.raises(ModelFileError, match="hardly a cell"):
        reread(data)


def _count(n: int) -> list[int]:
    return [n & 127 | 128, n >> 7 & 127 | 128, n >> 14]

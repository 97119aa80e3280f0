"""Files of models of texts: whatever does not belong together is refused."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tests.files.forge import loaded
from weaklearn import (
    AdaBoostMHClassifier,
    BoosTexterClassifier,
    CallRouter,
    ModelFileError,
    SpamFilter,
    TermVectorizer,
    inspect,
)
from weaklearn.persistence.model_bytes import sealed
from weaklearn.text.handwritten import HandwrittenPrior

TEXTS = ["win a prize now", "lunch at noon", "cheap prize", "see you at lunch"]
LABELS = ["spam", "ham", "spam", "ham"]
RULES = {"noon": {"ham": 1.0}}


def refused(model: Any, change: Callable[[Any], None], words: str) -> None:
    """A model is sound as it is, and refused after a change."""
    loaded(sealed(model))
    broken = copy.deepcopy(model)
    change(broken)
    with pytest.raises(ModelFileError, match=words):
        loaded(sealed(broken))


def set_to(**values: Any) -> Callable[[Any], None]:
    return lambda model: model.__dict__.update(values)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda m: setattr(m, "vocabulary_", dict(reversed(m.vocabulary_.items()))), "no order"),
        (set_to(vocabulary_={}, document_frequency_=np.zeros(0, np.int64)), "no terms"),
        (lambda m: m.vocabulary_.popitem(), "not frequencies of"),
        (set_to(n_documents_=1), "more documents than there were"),
        (set_to(n_documents_=0), "n_documents_"),
        (set_to(ngram_range=0), "ngram_range=0"),
        (set_to(encoding="hex"), "encoding"),
        (set_to(vocabulary_={1: 0}), "terms"),
    ],
)
def test_a_vocabulary(change: Callable[[Any], None], words: str) -> None:
    refused(TermVectorizer().fit(TEXTS), change, words)


def experts(**values: Any) -> Callable[[Any], None]:
    return lambda model: setattr(model, "_sleepers", replace(model._sleepers, **values))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda m: m.vectorizer_.fit(["other words here"]), "the rules are not of 3 terms"),
        (set_to(vectorizer_=TermVectorizer()), "the vectorizer is not fitted"),
        (set_to(model_=AdaBoostMHClassifier()), "the rules are not fitted"),
        (set_to(model_=TermVectorizer().fit(TEXTS)), "model_"),
        (set_to(classes_=np.array(["ham", "spam", "egg"])), "more than two labels"),
        (set_to(classes_=np.array(["ham"])), "not two labels"),
        (set_to(threshold_=1.5), "threshold_"),
        (lambda m: setattr(m.vectorizer_, "binary", False), "counts terms"),
        (experts(terms=np.array([2, 1])), "no order"),
        (experts(terms=np.array([10**6])), "no order"),
        (experts(chances=np.zeros(2)), "experts"),
        (experts(t=-1), "t is -1"),
        (experts(errors=5), "more mistakes than updates"),
        (experts(epsilon=1.0), "epsilon"),
    ],
)
def test_a_filter(change: Callable[[Any], None], words: str) -> None:
    refused(SpamFilter(n_estimators=3).fit(TEXTS, LABELS), change, words)


@pytest.mark.parametrize("name", ["chances", "mistakes"])
def test_numbers_of_experts(name: str) -> None:
    model = SpamFilter(n_estimators=3).fit(TEXTS, LABELS)
    wrong = getattr(model._sleepers, name).copy()
    wrong[0] = np.nan if name == "chances" else 7
    refused(model, experts(**{name: wrong}), "finite|more mistakes")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (set_to(prior_rules=None), "not of the kind that prior_rules ask for"),
        (lambda m: setattr(m.model_, "prior", HandwrittenPrior(3)), "prior|shape"),
        (set_to(classes_=np.array(["a", "b"])), "other labels"),
        (lambda m: m.vectorizer_.fit(["other words here"]), "the rules are not of 7 columns"),
        (set_to(prior_rules={"noon": 3.0}), "prior_rules"),
        (set_to(prior_rules={"noon": {"nobody": 3.0}}), "a label that is no class"),
        (set_to(threshold=2.0), "threshold=2.0"),
    ],
)
def test_a_router(change: Callable[[Any], None], words: str) -> None:
    refused(CallRouter(n_estimators=3, prior_rules=RULES).fit(TEXTS, LABELS), change, words)


def test_a_look_at_a_file_tells_labels_and_columns(tmp_path: Path) -> None:
    model = SpamFilter(n_estimators=2).fit(TEXTS, LABELS)
    model.save(tmp_path / "m.weak")
    seen = inspect(tmp_path / "m.weak")
    assert (seen.classes, seen.columns, seen.n_features) == (["ham", "spam"], None, None)
    table = pd.DataFrame({"body": TEXTS, "age": [1.0, 2.0, 3.0, 4.0]})
    BoosTexterClassifier(n_estimators=2, text_columns=["body"]).fit(table, LABELS).save(
        tmp_path / "m.weak"
    )
    seen = inspect(tmp_path / "m.weak")
    assert (seen.columns, seen.n_features) == (("age", "body"), 2)

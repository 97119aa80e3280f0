"""Topics of short texts, several each: the golden run, from texts to scores."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline

from tests import golden
from weaklearn import AdaBoostMHClassifier, AdaBoostMRClassifier, TermVectorizer, metrics


def test_golden_topics_from_texts() -> None:
    case, near = golden.case("text", "topics"), golden.tolerance("text")
    texts = [" ".join(words).title() for words in case["input"]["docs"]]
    Y, expected = np.array(case["input"]["Y"]), case["expected"]
    model = make_pipeline(TermVectorizer(), AdaBoostMHClassifier(n_estimators=4)).fit(texts, Y)
    terms = model[0].get_feature_names_out()
    history = model[-1].history_
    for t, (rule, told) in enumerate(
        zip(model[-1].ensemble_.members, expected["rounds"], strict=True)
    ):
        tree = rule.tree
        assert terms[tree.feature[0]] == told["term"]
        assert tree.values[tree.value[2]] == pytest.approx(np.array(told["c_present"]), **near)
        assert tree.values[tree.value[1]] == pytest.approx(np.array(told["c_absent"]), **near)
        assert history["Z"][t] == pytest.approx(told["Z"], **near)
    F = model.decision_function(texts)
    assert np.allclose(F, expected["F"], rtol=near["rel"], atol=near["abs"])
    assert metrics.hamming_loss(Y, F) <= np.prod(history["Z"])
    assert metrics.one_error(Y, F) == expected["one_error"]


@pytest.mark.parametrize("booster", [AdaBoostMHClassifier, AdaBoostMRClassifier])
def test_an_unused_label_is_never_told(booster: type) -> None:
    texts = ["goal match", "bank market", "goal bank", "a match"] * 3
    Y = np.array([[1, 0, 0], [0, 1, 0], [1, 1, 0], [1, 0, 0]] * 3)
    model = make_pipeline(TermVectorizer(), booster(n_estimators=10)).fit(texts, Y)
    assert (model.predict(texts) == Y).all()
    assert model.predict(["", "unknown"]).shape == (2, 3)
    assert metrics.f1(Y, model.predict(texts), "macro") == pytest.approx(2 / 3)

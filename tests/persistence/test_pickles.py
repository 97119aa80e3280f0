"""Pickles tell of another version of this library, as scikit-learn's do."""

from __future__ import annotations

import copy
import pickle
import warnings

import pytest

import weaklearn as wl


@pytest.fixture(scope="module")
def model() -> wl.BaggingClassifier:
    X, y = wl.datasets.toy()
    return wl.BaggingClassifier(wl.DecisionTreeClassifier(max_depth=1), 2).fit(X, y)


def test_a_pickle_of_this_version_is_read_in_silence(model: wl.BaggingClassifier) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for again in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model), copy.copy(model)):
            assert vars(again).keys() == vars(model).keys()
            assert again.fingerprint() == model.fingerprint()


def test_a_pickle_of_another_version_warns(
    model: wl.BaggingClassifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as earlier:
        earlier.setattr(wl, "__version__", "0.0.9")
        written = pickle.dumps(model)
    said = rf"this BaggingClassifier was pickled by weaklearn 0\.0\.9 and is read.*{wl.__version__}"
    with pytest.warns(wl.InconsistentVersionWarning, match=said) as caught:
        again = pickle.loads(written)
    assert caught[-1].filename == __file__
    assert again.fingerprint() == model.fingerprint()
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # what is read is of this version
        pickle.loads(pickle.dumps(again))


def test_a_pickle_without_a_version_warns(model: wl.BaggingClassifier) -> None:
    state = model.__getstate__()
    del state["_weaklearn_version"]
    with pytest.warns(wl.InconsistentVersionWarning, match="pickled by an early version"):
        wl.BaggingClassifier().__setstate__(state)

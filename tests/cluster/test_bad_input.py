"""What is refused of dask collections, each with one sentence that says what to do."""

from __future__ import annotations

import re

import dask.array as da
import dask.bag
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from dask.delayed import delayed
from sklearn.linear_model import LogisticRegression

import weaklearn as wl
from tests.campaign.kills import local_cluster, table

pytestmark = pytest.mark.filterwarnings("ignore:.*are few for a cluster")

FRAME = table(60)
SPREAD = dd.from_pandas(FRAME, npartitions=2)
ROWS = SPREAD.drop(columns="label")


def trees(**options):
    return wl.GradientBoostingClassifier(n_estimators=2, **options)


@pytest.fixture(scope="module")
def client():
    with local_cluster(2) as client:
        yield client


def test_no_client():
    with pytest.raises(RuntimeError, match=r"no client of one is running: begin with .*Client\(\)"):
        trees().fit(SPREAD, "label")


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ((SPREAD, "lable"), ValueError, "y='lable' is no column of X, which has 'a', 'b'"),
        ((SPREAD, None), ValueError, "y is missing"),
        ((SPREAD, FRAME["label"]), TypeError, "y must be a dask collection.* a pandas Series"),
        ((FRAME, SPREAD["label"]), TypeError, "X must be a dask DataFrame.* a pandas DataFrame"),
        ((ROWS, dd.from_pandas(FRAME["label"], npartitions=3)), ValueError, "X has 2 partitions"),
        ((dask.bag.from_sequence([1, 2]), "label"), TypeError, "y='label' names a column"),
        ((da.zeros((9, 2), chunks=3), "label"), TypeError, "y='label' names a column"),
        ((SPREAD, "label", "w"), ValueError, "sample_weight='w' is no column"),
        ((SPREAD, "label", None, None, SPREAD["label"]), ValueError, "y_val is given without"),
        ((SPREAD, "label", None, FRAME, "label"), TypeError, "X_val must be|X_val is a pandas"),
    ],
)
def test_arguments_that_do_not_go_together(client, given, error, message):
    with pytest.raises(error, match=message):
        trees().fit(*given)


def test_partitions_of_different_lengths(client):
    X = da.from_array(np.zeros((10, 2)), chunks=5)
    y = da.from_array(np.arange(10) % 2, chunks=((4, 6),))
    with pytest.raises(ValueError, match="partition 0 has 5 rows in X and 4 in y"):
        trees().fit(X, y)


def test_partitions_of_different_columns(client):
    parts = [delayed(FRAME), delayed(FRAME.rename(columns={"a": "z"}))]
    frame = dd.from_delayed(parts, meta=FRAME.iloc[:0], verify_meta=False)
    with pytest.raises(ValueError, match=r"partitions 0 and 1 of X have different columns.*'z'"):
        trees().fit(frame, "label")


def test_columns_in_another_order_are_matched_by_name(client):
    turned = FRAME[::-1].reset_index(drop=True)[[*FRAME.columns[::-1]]]
    parts = [delayed(FRAME), delayed(turned), delayed(FRAME)]
    frame = dd.from_delayed(parts, meta=FRAME[:0], verify_meta=False)
    home = trees().fit(pd.concat([FRAME] * 3).drop(columns="label"), pd.concat([FRAME] * 3).label)
    assert trees().fit(frame, "label").fingerprint() == home.fingerprint()


def test_no_rows_at_all(client):
    with pytest.raises(ValueError, match="X has no rows: all of its partitions are empty"):
        trees().fit(SPREAD.query("a > 1e9"), "label")


def test_labels_that_are_missing(client):
    frame = FRAME.assign(label=FRAME["label"].where(FRAME.index != 50))
    with pytest.raises(ValueError, match=r"y .*missing|NaN"):
        trees().fit(dd.from_pandas(frame, npartitions=2), "label")


def test_weights_below_zero_in_one_partition(client):
    frame = FRAME.assign(w=np.where(FRAME.index == 50, -1.0, 1.0))
    with pytest.raises(ValueError, match="sample_weight"):
        trees().fit(dd.from_pandas(frame, npartitions=2), "label", sample_weight="w")


def test_an_error_of_the_graph_is_raised(client):
    def fails(part):
        raise ZeroDivisionError("no such file")

    with pytest.raises(ZeroDivisionError, match="no such file"):
        trees().fit(SPREAD.map_partitions(fails, meta=SPREAD._meta), "label")


@pytest.mark.parametrize(
    ("model", "error", "message"),
    [
        (wl.RandomForestClassifier(), TypeError, "RandomForestClassifier cannot be fitted over"),
        (wl.BrownBoostClassifier(), TypeError, "BrownBoostClassifier cannot be fitted over"),
        (wl.AdaBoostClassifier(calibrate="slope"), ValueError, "calibrate='slope' is not supp"),
        (trees(max_bins=1), ValueError, "max_bins=1"),
        (wl.AdaBoostClassifier(LogisticRegression()), TypeError, "LogisticRegression.* cannot be"),
        (wl.AdaBoostClassifier("tree"), TypeError, "a tree cannot be fitted over"),
    ],
)
def test_estimators_and_parameters_are_refused_before_anything_is_computed(
    client, model, error, message
):
    def never(part):
        raise AssertionError("computed")

    with pytest.raises(error, match=message):
        model.fit(SPREAD.map_partitions(never, meta=SPREAD._meta), "label")


@pytest.mark.parametrize("make", [str, "category"])
def test_texts_for_a_regressor_are_refused_before_anything_is_computed(client, make):
    def never(part):
        raise AssertionError("computed")

    texts = dd.from_pandas(FRAME.assign(label=FRAME["label"].astype(make)), npartitions=2)
    with pytest.raises(ValueError, match=r"y has type .*; a regressor needs numbers"):
        wl.GradientBoostingRegressor().fit(texts.map_partitions(never, meta=texts._meta), "label")


def test_an_error_about_rows_names_the_partitions_of_the_collection(client):
    frame = FRAME.assign(w=np.where(FRAME.index == 50, -1.0, 1.0))
    with pytest.raises(ValueError, match="sample_weight") as caught:
        trees().fit(dd.from_pandas(frame, npartitions=6), "label", sample_weight="w")
    notes = "\n".join(caught.value.__notes__)
    assert "Rows are counted within partition" in notes
    assert re.search(r"Partition \d of the fit holds the partitions \d, .* of X, one after", notes)


def test_workers_of_other_platforms_are_told_of(client):
    def pretend(name):
        from dataclasses import replace

        from weaklearn.cluster import part

        true = getattr(part, "true_version", part.own_version)
        part.true_version = true
        part.own_version = true if name is None else lambda: replace(true(), platform=name)

    client.wait_for_workers(2)
    client.run(pretend, "elsewhere")
    try:
        with pytest.warns(wl.DataWarning, match="runs elsewhere, and the client"):
            trees().fit(SPREAD, "label")
    finally:
        client.run(pretend, None)


def test_other_methods_that_learn_take_no_collections(client):
    with pytest.raises(TypeError, match=r"cannot be fitted over several partitions|takes no dask"):
        wl.Perceptron().partial_fit(ROWS, SPREAD["label"])


def test_a_category_that_only_predictions_have(client):
    frame = FRAME.assign(k=np.where(FRAME["a"] > 0, "u", "v"))
    spread = dd.from_pandas(frame, npartitions=2)
    model = trees(unseen="error").fit(frame.drop(columns="label"), frame["label"])
    other = spread.drop(columns="label").assign(k="w")
    with pytest.raises(ValueError, match="'w'"):
        model.predict(other).compute()


def test_a_worker_of_another_version(client):
    def other(version):
        import weaklearn

        weaklearn.__version__ = version

    client.wait_for_workers(2)
    address = sorted(client.run(int))[0]
    client.run(other, "0.0.9", workers=[address])
    try:
        with pytest.raises(RuntimeError, match=rf"weaklearn 0\.0\.9, and here is {wl.__version__}"):
            trees().fit(SPREAD, "label")
    finally:
        client.run(other, wl.__version__, workers=[address])


def test_rows_that_do_not_fit_into_the_memory_of_a_worker(client, monkeypatch):
    monkeypatch.setattr("weaklearn.cluster.fit._ROOM", 1e9)
    with pytest.raises(MemoryError, match="repartition X into smaller partitions"):
        trees().fit(SPREAD, "label")


def test_frames_of_pandas_are_none_of_dask():
    assert isinstance(trees().fit(FRAME.drop(columns="label"), FRAME["label"]).predict(
        FRAME.drop(columns="label")), np.ndarray)  # fmt: skip
    assert isinstance(FRAME, pd.DataFrame)

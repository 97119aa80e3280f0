"""Fits and predictions on a Dask cluster of two processes: the same models as at home."""

from __future__ import annotations

import os
import signal
import threading
import time
import warnings

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest

import weaklearn as wl
from tests.campaign.kills import campaign, fitted, local_cluster, table
from tests.cluster.toy import Toy, at_home
from weaklearn.cluster.fit import fit as fit_on_cluster
from weaklearn.engines.supervisor import WorkersLost

pytestmark = pytest.mark.filterwarnings("ignore:.*are few for a cluster")

FRAME = table(600)
X, Y = FRAME.drop(columns="label"), FRAME["label"]


@pytest.fixture(scope="module")
def client():
    with local_cluster(2) as client:
        yield client


def spread(n=3, frame=FRAME):
    return dd.from_pandas(frame, npartitions=n)


def trees(**options):
    return wl.GradientBoostingClassifier(**{"n_estimators": 5, **options})


def after_some_rounds(act, seconds=3.0):
    """A callback that acts, in a thread, once rounds have been played for some seconds."""
    began = []

    def look(t, state, history):
        began.append(time.monotonic())
        if began[0] is not None and began[-1] > began[0] + seconds:
            began[0] = None
            threading.Thread(target=act, daemon=True).start()

    return look


def played(toy, frame=FRAME):
    rows = (frame.drop(columns="label") * 100).astype(int).assign(label=0)
    fit_on_cluster(toy, {"X": spread(3, rows), "y": "label"}, lambda toy, f: vars(toy).update(f))
    return toy, at_home(rows.drop(columns="label"), toy.n_rounds)


# ----------------------------------------------------------------------------------- the same model


@pytest.mark.parametrize("n", [1, 3, 7])
def test_a_model_is_the_same_however_the_rows_are_divided(client, n):
    home = trees().fit(X, Y)
    model = trees().fit(spread(n), "label")
    assert model.fingerprint() == home.fingerprint()
    assert model.history_ == home.history_
    assert model.stop_reason_ == home.stop_reason_


def test_arrays_weights_and_rows_to_judge_by(client):
    weight = np.arange(len(Y)) % 3 + 1
    options = {"n_estimators": 8, "early_stopping": True}
    home = trees(**options).fit(
        X.to_numpy(), Y.to_numpy(), sample_weight=weight, X_val=X.to_numpy()[:90], y_val=Y[:90]
    )
    arrays = [da.from_array(each, chunks=250) for each in (X.to_numpy(), Y.to_numpy(), weight)]
    judged = [da.from_array(each.to_numpy()[:90], chunks=50) for each in (X, Y)]
    rows = dict(zip(("X", "y", "sample_weight"), arrays))
    model = trees(**options).fit(**rows, X_val=judged[0], y_val=judged[1])
    assert model.fingerprint() == home.fingerprint()
    np.testing.assert_array_equal(model.validation_losses_, home.validation_losses_)


def test_weights_and_judged_rows_by_the_names_of_columns(client):
    frame = FRAME.assign(w=np.arange(len(FRAME)) % 2 + 1)
    home = trees().fit(X, Y, sample_weight=frame["w"], X_val=X[:80], y_val=Y[:80])
    judged = spread(2, FRAME[:80])
    model = trees().fit(spread(3, frame), "label", sample_weight="w", X_val=judged, y_val="label")
    assert model.fingerprint() == home.fingerprint()


def test_empty_partitions_and_unknown_divisions(client):
    frame = dd.concat([spread(2, FRAME[:300]), spread(1, FRAME[300:]).query("a > 1e9"),
                       spread(2, FRAME[300:])]).clear_divisions()  # fmt: skip
    assert trees().fit(frame, "label").fingerprint() == trees().fit(X, Y).fingerprint()


def test_a_model_file_holds_the_same(client, tmp_path):
    model = trees().fit(spread(), "label")
    model.save(tmp_path / "model.weak")
    loaded = wl.load(tmp_path / "model.weak")
    np.testing.assert_array_equal(loaded.predict_proba(X), trees().fit(X, Y).predict_proba(X))


def test_two_fits_at_once(client):
    found = {}

    def fit(rate):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found[rate] = trees(learning_rate=rate).fit(spread(), "label").fingerprint()

    threads = [threading.Thread(target=fit, args=(rate,)) for rate in (0.1, 0.2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {r: trees(learning_rate=r).fit(X, Y).fingerprint() for r in (0.1, 0.2)}


def test_few_rows_are_noticed(client):
    with pytest.warns(wl.DataWarning, match="600 rows are few for a cluster"):
        trees().fit(spread(), "label")


# -------------------------------------------------------------------------------------- predictions


def test_predictions_of_frames_are_lazy_and_keep_the_index(client):
    model, frame = trees().fit(X, Y), spread().drop(columns="label")
    labels, chances = model.predict(frame), model.predict_proba(frame)
    assert isinstance(labels, dd.Series)
    pd.testing.assert_index_equal(labels.compute().index, X.index)
    np.testing.assert_array_equal(labels.compute(), model.predict(X))
    assert list(chances.columns) == [0, 1]
    np.testing.assert_array_equal(chances.compute(), model.predict_proba(X))
    np.testing.assert_array_equal(
        model.decision_function(frame).compute(), model.decision_function(X)
    )


def test_predictions_of_arrays_are_arrays(client):
    model, rows = trees().fit(X.to_numpy(), Y), da.from_array(X.to_numpy(), chunks=(250, 2))
    assert model.predict(rows).chunks == ((250, 250, 100),)
    np.testing.assert_array_equal(model.predict(rows).compute(), model.predict(X.to_numpy()))
    found = model.predict_proba(rows)
    assert found.shape == (600, 2)
    np.testing.assert_array_equal(found.compute(), model.predict_proba(X.to_numpy()))


# ----------------------------------------------------------------------- progress, callbacks, stops


def test_progress_is_shown_by_the_client(client, capfd):
    trees(verbose=1).fit(spread(), "label")
    assert "GradientBoostingClassifier [########################] 5/5" in capfd.readouterr().err


def test_callbacks_run_in_the_client_and_may_stop(client):
    heard = []

    def callback(t, state, history):
        heard.append((t, os.getpid(), len(state.ensemble), len(history)))
        return t == 3

    model = trees(callbacks=[callback]).fit(spread(), "label")
    assert heard == [(t, os.getpid(), t, t) for t in (1, 2, 3)]
    home = trees(callbacks=[lambda t, state, history: t == 3]).fit(X, Y)
    assert model.fingerprint() == home.fingerprint()
    assert model.stop_reason_ == home.stop_reason_ == "a callback asked to stop"


def test_a_warm_start_tells_callbacks_of_its_own_rounds(client):
    heard = []
    model = trees(n_estimators=2, warm_start=True).fit(spread(), "label")
    model.set_params(n_estimators=4, callbacks=[lambda t, state, history: heard.append(t)])
    model.fit(spread(), "label")
    assert heard == [3, 4]
    np.testing.assert_array_equal(
        model.predict_proba(X), trees(n_estimators=4).fit(X, Y).predict_proba(X)
    )


def test_an_interrupt_keeps_the_rounds_so_far(client):
    interrupt = after_some_rounds(lambda: os.kill(os.getpid(), signal.SIGINT), 1.0)
    model = trees(n_estimators=100_000, callbacks=[interrupt])
    with pytest.raises(KeyboardInterrupt):
        model.fit(spread(), "label")
    assert model.stop_reason_ == "interrupted"
    assert 0 < model.n_iter_ < 100_000
    home = trees(n_estimators=model.n_iter_).fit(X, Y)
    np.testing.assert_array_equal(model.predict_proba(X), home.predict_proba(X))


def test_an_error_in_a_callback_is_raised_and_leaves_the_model_as_it_was(client):
    def callback(t, state, history):
        raise ZeroDivisionError("round and round")

    model = trees().fit(X, Y)
    before = model.fingerprint()
    model.callbacks = [callback]
    with pytest.raises(ZeroDivisionError, match="round and round"):
        model.fit(spread(), "label")
    assert model.fingerprint() == before


# ------------------------------------------------------------------------------------------- faults


def test_a_program_comes_to_the_same_whichever_worker_is_killed(client):
    toy, home = played(Toy(n_rounds=40))
    assert (toy.log_, toy.m_) == (home, 600)
    for k in range(2):
        client.wait_for_workers(2)
        pid = sorted(client.run(os.getpid).values())[k]
        timer = threading.Timer(0.8, os.kill, (pid, signal.SIGKILL))
        timer.start()
        toy, home = played(Toy(n_rounds=40, seconds=0.03))
        assert toy.log_ == home
        timer.join()
    client.wait_for_workers(2)


def test_kills_at_random_moments():
    assert campaign(3, 2, 1, print) == []


@pytest.mark.long
@pytest.mark.parametrize("n_workers", [1, 3])
def test_kills_of_other_clusters(n_workers):
    assert campaign(10, n_workers, 2, print) == []


@pytest.mark.long
def test_all_workers_gone():
    import dask

    with local_cluster(1) as client, dask.config.set({"weaklearn.wait-for-workers": 2}):
        gone = after_some_rounds(lambda: client.cluster.scale(0))
        model, rows = trees(n_estimators=100_000, callbacks=[gone]), spread()
        with pytest.raises(
            WorkersLost, match="no worker for 2 seconds; the rounds so far are kept"
        ):
            fitted(model, rows, "label")
        assert model.n_iter_ > 0
        home = trees(n_estimators=model.n_iter_).fit(X, Y)
        np.testing.assert_array_equal(model.predict_proba(X), home.predict_proba(X))


@pytest.mark.long
def test_a_worker_that_is_lost_again_and_again():
    with local_cluster(1) as client:
        kill = threading.Event()

        def killer():
            known = set()
            while not kill.wait(0.3):
                for pid in set(client.run(os.getpid, on_error="ignore").values()) - known:
                    if isinstance(pid, int):
                        known.add(pid)
                        time.sleep(2.0)
                        os.kill(pid, signal.SIGKILL)

        thread = threading.Thread(target=killer)
        thread.start()
        try:
            with pytest.raises(WorkersLost, match="was lost 3 times during this fit"):
                played(Toy(n_rounds=100_000, seconds=0.05))
        finally:
            kill.set()
            thread.join()


@pytest.mark.long
def test_a_scheduler_that_is_gone():
    with local_cluster(1) as client:
        gone = after_some_rounds(client.cluster.close)
        model, rows = trees(n_estimators=100_000, callbacks=[gone]), spread()
        with pytest.raises(WorkersLost, match="cannot be reached any more; the rounds so far are"):
            fitted(model, rows, "label")
        assert model.n_iter_ > 0
        client.close(timeout=1)

"""Clients that are killed, workers that come late or hang, parts that end early, late news."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import warnings
from contextlib import suppress

import dask
import dask.dataframe as dd
import numpy as np
import pytest
from distributed import Client, LocalCluster
from distributed.security import Security

import weaklearn as wl
from tests.campaign.kills import fitted, local_cluster, table
from tests.cluster.toy import Toy, at_home
from weaklearn.cluster.fit import fit as fit_on_cluster
from weaklearn.engines.collective import collective
from weaklearn.engines.supervisor import PartitionLost

pytestmark = pytest.mark.filterwarnings("ignore:.*are few for a cluster")

FRAME = table(600)
X, Y = FRAME.drop(columns="label"), FRAME["label"]


def spread():
    return dd.from_pandas(FRAME, npartitions=3)


@pytest.fixture(scope="module")
def client():
    with local_cluster(2) as client:
        client.wait_for_workers(2)
        yield client


def played(toy):
    rows = (FRAME.drop(columns="label") * 100).astype(int).assign(label=0)
    given = {"X": dd.from_pandas(rows, npartitions=3), "y": "label"}
    fit_on_cluster(toy, given, lambda model, fitted: vars(model).update(fitted))
    return toy, at_home(rows.drop(columns="label"), toy.n_rounds)


# ------------------------------------------------------------------------------------- the client


PROGRAM = """
    import sys
    import warnings
    from distributed import Client
    import weaklearn as wl
    from tests.cluster.test_faults import spread
    from weaklearn.callbacks import Checkpoint

    warnings.simplefilter("ignore")
    with Client(sys.argv[1]):
        save = Checkpoint(lambda model: model.save(sys.argv[2]), seconds=0.1)
        wl.GradientBoostingClassifier(n_estimators=100_000, callbacks=[save]).fit(spread(), "label")
"""


def test_a_client_that_is_killed_and_goes_on_from_its_checkpoint(client, tmp_path):
    path = tmp_path / "so-far.weak"
    command = [sys.executable, "-c", textwrap.dedent(PROGRAM), client.scheduler.address, str(path)]
    other = subprocess.Popen(command)
    try:
        while not path.exists() and other.poll() is None:
            time.sleep(0.05)
    finally:
        other.kill()
        other.wait()
    model = wl.load(path)
    assert 0 < model.n_iter_ < 100_000
    model.set_params(n_estimators=model.n_iter_ + 5, warm_start=True)
    model = fitted(model, spread(), "label").set_params(warm_start=False)
    home = wl.GradientBoostingClassifier(n_estimators=model.n_iter_).fit(X, Y)
    assert model.history_ == home.history_
    assert model.fingerprint() == home.fingerprint()


# ------------------------------------------------------------------------------------- deadlocks


class EndsEarly(Toy):
    """In round 3 one partition, once, ends as if it had lost another; the others ask on."""

    def fit(self, X, y, X_val=None, y_val=None):
        one = collective()
        ask, asked = one.sum, []

        def asks(numbers):
            asked.append(numbers)
            if one.rank == 1 and len(asked) == 5 and not hasattr(EndsEarly, "ended"):
                EndsEarly.ended = True
                raise PartitionLost("one that ends early")
            return ask(numbers)

        one.sum = asks
        try:
            return super().fit(X, y, X_val, y_val)
        finally:
            del one.sum


def test_a_part_that_ends_early_does_not_leave_the_others_waiting(client):
    toy, home = played(EndsEarly(n_rounds=8))
    assert toy.log_ == home
    assert any(client.run(lambda: hasattr(EndsEarly, "ended")).values())


def test_news_that_comes_late_is_heard(client):
    def slow(dask_worker):
        from asyncio import sleep

        from weaklearn.cluster.meeting import Meeting

        swift = Meeting.news

        async def news(self, seconds):
            notes = await swift(self, seconds)
            await sleep(1.3 if notes else 0)  # longer than the client waits at a time
            return notes

        Meeting.news, Meeting.swift = news, swift

    def again(dask_worker):
        from weaklearn.cluster.meeting import Meeting

        Meeting.news = Meeting.swift

    heard = []
    client.run(slow)
    try:
        toy, home = played(Toy(n_rounds=3, callbacks=[lambda t, *_: heard.append(t)]))
    finally:
        client.run(again)
    assert toy.log_ == home
    assert heard == [1, 2, 3]


# ------------------------------------------------------------------------------------- the workers


def test_a_worker_that_comes_late_takes_over_what_is_lost():
    with local_cluster(1) as client:
        first = next(iter(client.run(os.getpid).values()))
        came = threading.Event()

        def look(t, state, history):
            if t == 2:
                client.cluster.scale(2)
                client.wait_for_workers(2)
            if t == 3:
                os.kill(first, signal.SIGKILL)
                came.set()

        model = wl.GradientBoostingClassifier(n_estimators=6, callbacks=[look])
        model = fitted(model, spread(), "label")
        assert came.is_set()
        home = wl.GradientBoostingClassifier(n_estimators=6).fit(X, Y)
        assert model.fingerprint() == home.fingerprint()


@pytest.mark.long
def test_a_worker_that_hangs_is_as_good_as_lost():
    with dask.config.set({"distributed.scheduler.worker-ttl": "5s"}), local_cluster(2) as client:
        client.wait_for_workers(2)
        pid = next(iter(client.run(os.getpid).values()))

        def look(t, state, history):
            if t == 3:
                os.kill(pid, signal.SIGSTOP)

        try:
            model = wl.GradientBoostingClassifier(n_estimators=6, callbacks=[look])
            model = fitted(model, spread(), "label")
        finally:
            with suppress(ProcessLookupError):  # its nanny may have ended it
                os.kill(pid, signal.SIGKILL)
        home = wl.GradientBoostingClassifier(n_estimators=6).fit(X, Y)
        assert model.fingerprint() == home.fingerprint()


def test_connections_are_encrypted_where_those_of_the_cluster_are(tmp_path):
    key, certificate = str(tmp_path / "key.pem"), str(tmp_path / "certificate.pem")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj",
         "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key,
         "-out", certificate], check=True, capture_output=True,
    )  # fmt: skip
    parts = {f"tls_{role}_{what}": path for role in ("client", "scheduler", "worker")
             for what, path in (("key", key), ("cert", certificate))}  # fmt: skip
    security = Security(require_encryption=True, tls_ca_file=certificate, **parts)
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, security=security, host="tls://127.0.0.1",
                     dashboard_address=None) as cluster,
        Client(cluster, security=security) as client,
    ):  # fmt: skip
        assert client.scheduler.address.startswith("tls://")
        client.wait_for_workers(2)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = wl.AdaBoostClassifier(n_estimators=5, early_stopping=True).fit(
                spread(), "label"
            )
    home = wl.AdaBoostClassifier(n_estimators=5, early_stopping=True).fit(X, Y)
    assert model.fingerprint() == home.fingerprint()
    assert np.array_equal(model.predict(X), home.predict(X))

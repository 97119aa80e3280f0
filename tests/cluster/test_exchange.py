"""What goes from one partition to another on a cluster goes there alone, and is sent again."""

import os
import pickle
import signal
import threading

import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest

from tests.campaign.kills import local_cluster
from tests.cluster.toy import Toy, at_home
from weaklearn.cluster.fit import fit as fit_on_cluster
from weaklearn.engines.collective import collective

pytestmark = pytest.mark.filterwarnings("ignore:.*are few for a cluster")

FRAME = pd.DataFrame({"a": np.arange(600) % 97, "b": np.arange(600) // 5, "label": 0})
SPREAD = dd.from_pandas(FRAME, npartitions=6)
BLOCK = 40_000  # bytes


class Dealer:
    """A program in which each partition has a block for each, and keeps what it needs again."""

    n_jobs = None

    def fit(self, X, y):
        one = collective()
        blocks = [np.full(BLOCK, 10 * one.rank + k, np.uint8) for k in range(one.size)]
        found = one.once(lambda: one.scatter(blocks), list)
        values = [int(block[0]) for block in found]
        self.received_ = one.gather([values, [len(block) for block in found]])
        self.kept_ = one.gather(len(pickle.dumps([answers for _, answers in one._steps])))
        return self


def played(program):
    found = {}
    fit_on_cluster(program, {"X": SPREAD, "y": "label"}, lambda model, fitted: found.update(fitted))
    return found


@pytest.fixture(scope="module")
def client():
    with local_cluster(3) as client:
        client.wait_for_workers(3)
        yield client


def test_a_partition_receives_what_is_for_it_and_keeps_what_it_sent(client):
    found = played(Dealer())
    sizes = [BLOCK] * 3
    assert found["received_"] == [[[10 * k + r for k in range(3)], sizes] for r in range(3)]
    assert all(3 * BLOCK <= kept < 4 * BLOCK for kept in found["kept_"])  # of 9 blocks in all


@pytest.mark.parametrize("n_killed", [1, 2])
def test_what_was_sent_is_sent_again_to_those_that_were_lost(client, n_killed):
    client.wait_for_workers(3)
    pids = sorted(client.run(os.getpid).values())[:n_killed]
    timer = threading.Timer(0.8, lambda: [os.kill(pid, signal.SIGKILL) for pid in pids])
    timer.start()
    found = played(Toy(n_rounds=60, seconds=0.03))
    timer.join()
    assert found["log_"] == at_home(FRAME[["a", "b"]], 60)
    assert found["m_"] == 600

"""The collective of partitions: the same answer everywhere, and one error where one fails."""

import gc
import weakref

import numpy as np
import pytest

from weaklearn.engines import choose
from weaklearn.engines.collective import ALONE, collective
from weaklearn.engines.here import run_here


def test_every_operation_gives_all_partitions_the_same_answer():
    def program(rank):
        def steps():
            one = collective()
            assert one.rank == rank
            own = np.array([rank, -rank], np.int64)
            return (
                one.sum(own).tolist(),
                one.maximum(own).tolist(),
                one.gather(str(rank)),
                one.first(rank * 10),
                one.scatter([f"{rank}{to}" for to in range(5)]) == [f"{k}{rank}" for k in range(5)],
            )

        return steps

    answers = run_here([program(rank) for rank in range(5)])
    assert answers == [([10, -10], [4, 0], list("01234"), 0, True)] * 5


def test_kernels_ask_the_collective_of_the_engine():
    def program(own):
        def steps():
            core = choose(1).collective.core
            sums = core.sum(np.array(own, np.int64)).tolist()
            lists = core.gather(np.array(own[: own[1] // 10], np.int64))
            return sums, [each.tolist() for each in lists]

        return steps

    answers = run_here([program([1, 2]), program([10, 20]), program([0, 10])])
    assert answers == [([11, 32], [[], [10, 20], [0]])] * 3
    assert choose(1).collective is ALONE
    assert ALONE.core is None


def test_an_error_in_one_partition_ends_the_others():
    def fails():
        collective().sum(np.zeros(1, np.int64))
        raise ValueError("row 7 is odd")

    def waits():
        for _ in range(100):
            collective().sum(np.zeros(1, np.int64))

    for programs in ([fails, waits, waits], [waits, fails, waits]):
        with pytest.raises(ValueError, match="row 7 is odd"):
            run_here(programs)


def test_an_error_goes_through_a_kernel():
    def fails():
        raise ValueError("row 7 is odd")

    def waits():
        choose(1).collective.core.sum(np.zeros(1, np.int64))

    with pytest.raises(ValueError, match="row 7 is odd"):
        run_here([waits, fails])


def test_partitions_that_take_different_steps_are_told():
    def sums():
        collective().sum(np.zeros(2, np.int64))

    def lists():
        collective().gather(0)

    with pytest.raises(RuntimeError, match="different steps"):
        run_here([sums, lists])

    def longer():
        collective().sum(np.zeros(3, np.int64))

    with pytest.raises(RuntimeError, match="different arrays"):
        run_here([sums, longer])


def test_a_collective_goes_with_its_fit():
    def program():
        one = collective()
        one.core.sum(np.zeros(1, np.int64))
        return weakref.ref(one)

    found = run_here([program, program])
    gc.collect()
    assert [each() for each in found] == [None, None]

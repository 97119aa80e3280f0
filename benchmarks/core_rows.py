"""The rows about many cores: what threads gain, on data made in memory."""

from __future__ import annotations

from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from . import data, glass, measure, tree_peers
from .peers import GRADIENT, OURS, Contender
from .rows import THREE, Gain, Outcome, Row, Run, fit, fitting, on_disk, predictions, present
from .tree_rows import forest, gradient

IN_TURN = "one after the other"
ONE_THREAD = "one thread, no quota"
MILLION = (1_000_000, 28)
TENTH = (100_000, 50)


# Of the peers those that are slower than another of the same library from a million rows on.
SLOWER = {
    *("LightGBM", "LightGBM, by column", "LightGBM, by row", "LightGBM, quantised"),
    *("XGBoost, depth 6", "HistGradientBoosting"),
}


def _trees(
    run: Run, size: tuple[int, int], leaves: int, rounds: int, without: Collection[str] = ()
) -> Outcome:
    of = data.cores(*size, run.quick)
    return gradient(run, of, leaves, rounds, without={*tree_peers.SHOWN, *without}, by_row=True)


def cores_100k(run: Run) -> Outcome:
    return _trees(run, TENTH, 31, run.rounds(100))


def cores_1m(run: Run) -> Outcome:
    return _trees(run, MILLION, 63, run.rounds(100))


def cores_10m(run: Run) -> Outcome:
    return _trees(run, (10_000_000, 28), 63, run.rounds(100), without=SLOWER)


def one_tree(run: Run) -> Outcome:
    return _trees(run, MILLION, 63, 1)


def stumps(run: Run) -> Outcome:
    return fit(run, data.cores(*MILLION, run.quick), run.rounds(100), GRADIENT)


def forest_100(run: Run) -> Outcome:
    return forest(run, data.cores(*TENTH, run.quick), run.rounds(100))


def _glass_box(rounds: int, threads: int) -> Any:
    return glass.CONTENDERS[OURS.name][1](threads)  # it finds its rounds itself


GLASS_BOX = Contender(OURS.name, OURS.module, _glass_box)


def glass_box(run: Run) -> Outcome:
    return fit(run, data.cores(200_000, 28, run.quick), 0, [], ours=GLASS_BOX)


def predict(run: Run) -> Outcome:
    of = data.cores(*MILLION, run.quick)
    few = replace(of, name="cores, first rows", X=of.X[:100_000], y=of.y[:100_000])
    whom = [c for name, c in tree_peers.contenders(63).items() if name not in tree_peers.SHOWN]
    outcome = predictions(run, few, run.rounds(100), whom, of.X)
    outcome.notes.append(f"fitted on {len(few.y):,} rows: prediction costs the same")
    return outcome


def two_fits(run: Run) -> Outcome:
    """Two fits of ours from two Python threads, each on all threads."""
    of, rounds = data.cores(*TENTH, run.quick), run.rounds(100)
    (ours,), notes = present(run, [tree_peers.contenders(31)[OURS.name]])
    one = fitting(ours, of, rounds, run.threads)

    def at_once() -> list[Any]:
        with ThreadPoolExecutor(2) as pool:
            return [fitted.result() for fitted in [pool.submit(one), pool.submit(one)]]

    calls = {OURS.name: at_once, IN_TURN: lambda: [one(), one()]}
    seconds, _ = measure.interleaved(calls, run.repeat)
    return Outcome(seconds, "s", {}, notes)


def quota(run: Run) -> Outcome:
    """Ours asked for all threads where a control group grants one, and on one without it."""
    of, rounds = data.cores(*TENTH, run.quick), run.rounds(100)
    with measure.quota_of_one() as group, on_disk(of) as folder:
        if group is None:
            return Outcome({}, notes=["needs the right to make a control group with a quota"])
        best = dict.fromkeys((OURS.name, ONE_THREAD), float("inf"))
        for _ in range(run.repeat):
            for name, threads, place in ((OURS.name, run.threads, group), (ONE_THREAD, 1, None)):
                taken = measure.fresh_fit(folder, OURS.name, 31, rounds, threads, place)
                best[name] = min(best[name], taken.seconds)
    return Outcome(best)


ROWS = (
    Row(
        "cores-100k", "100,000 x 50 normal, 100 trees of 31 leaves", THREE, 1.5, 3, cores_100k,
        on_16=(1.2, 2),
    ),
    Row(
        "cores-1m", "1,000,000 x 28 normal, 100 trees of 63 leaves", THREE, 1.3, 2.5, cores_1m,
        on_16=(1.2, 2.5),
    ),
    Row(
        "cores-10m", "10,000,000 x 28 normal, 100 trees of 63 leaves", THREE, 1.3, 2.5, cores_10m,
        on_16=(1.2, 2.5), gain=Gain(1, 16, 7, 12), large=True,
    ),
    Row(
        "one-tree-1m", "1,000,000 x 28, one tree: binning and what surrounds it", THREE,
        None, None, one_tree,
    ),
    Row("stumps-1m", "1,000,000 x 28, 100 exact stumps", THREE, None, None, stumps),
    Row(
        "glass-200k", "200,000 x 28, the glass box, whole untuned fit", "", None, None, glass_box,
        gain=Gain(2, 16, 4, 7),
    ),
    Row(
        "forest-100", "100,000 x 50, forest of 100 fully grown trees", "scikit-learn forest",
        5, 15, forest_100,
    ),
    Row("predict-1m", "1,000,000 rows through 100 trees of 63 leaves", THREE, 1.5, 4, predict),
    Row(
        "two-fits", "100,000 x 50, two fits of 100 trees at once, from two Python threads", IN_TURN,
        None, None, two_fits,
    ),
    Row(
        "quota", "100,000 x 50, 100 trees in a quota of one processor", ONE_THREAD,
        round(1 / 1.2, 2), None, quota,
    ),
)  # fmt: skip

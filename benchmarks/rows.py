"""The rows of the table: what is measured, against whom, and how much is asked for."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import data, measure
from .data import Data
from .peers import ADABOOST, FOUR, GRADIENT, OURS, Contender


@dataclass
class Run:
    """The settings of one run, and the models already fitted in it."""

    repeat: int = 3
    threads: int = 2
    quick: bool = False
    peer_rounds: int = 20
    folder: Path | None = None  # of CSV files, for the rows that need them
    peers: frozenset[str] | None = None  # the libraries beside ours; None: all of them
    fitted: dict[tuple[Contender, str, int, int], Any] = field(default_factory=dict)

    def rounds(self, n: int) -> int:
        """Rounds to play: a fifth of them in a quick run."""
        return max(5, n // 5) if self.quick else n

    def model(self, contender: Contender, of: Data, rounds: int, threads: int) -> Any:
        """A fitted model, fitted once."""
        key = (contender, of.name, rounds, threads)
        if key not in self.fitted:
            self.fitted[key] = contender.make(rounds, threads).fit(of.X, of.y)
        return self.fitted[key]


@dataclass
class Outcome:
    """What a row measured: a number for each contender, ours among them; less is better.

    Those ``shown`` are not counted as peers. ``fair`` says what must be nearly as good for the
    ratio to count: a measure of the quality, and by how much one may be worse. Peers that are worse
    than ours by more are not counted, and neither are we.
    """

    values: dict[str, float]
    unit: str = "s"
    quality: dict[str, dict[str, float]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    shown: frozenset[str] = frozenset()
    fair: tuple[str, float] | None = None

    @property
    def ours(self) -> float | None:
        return self.values.get(OURS.name)

    @property
    def best_peer(self) -> str | None:
        aside = {OURS.name, *self.shown}
        peers = [name for name in self.values if name not in aside]
        peers = [name for name in peers if self._as_good(name, OURS.name)] or peers
        return min(peers, key=lambda name: self.values[name]) if peers else None

    @property
    def peers_best(self) -> float | None:
        return None if self.best_peer is None else self.values[self.best_peer]

    @property
    def ratio(self) -> float | None:
        """How many times less than the best peer."""
        if self.ours is None or self.peers_best is None:
            return None
        return self.peers_best / max(self.ours, 1e-12)

    @property
    def equal(self) -> bool:
        """Whether ours is as good as the peer it is measured against, or nearly so."""
        if self.ratio is None or self.best_peer is None:
            return True
        return self._as_good(OURS.name, self.best_peer)

    def _as_good(self, one: str, other: str) -> bool:
        """Whether one is nearly as good as another, where that is asked for."""
        if self.fair is None or one not in self.quality or other not in self.quality:
            return True
        measure, slack = self.fair
        first, second = self.quality[one][measure], self.quality[other][measure]
        return first >= second - slack if measure == "accuracy" else first <= second * (1 + slack)


class Gain(NamedTuple):
    """How many times faster ours is to be on more threads than on fewer."""

    fewer: int
    more: int
    first_bar: float
    goal: float


@dataclass(frozen=True)
class Row:
    """One line of the table, measured for each number of threads.

    ``first_bar`` and ``goal`` are ratios to the fastest peer, None where there is none; ``on_16``
    are the two on sixteen threads, where they are others. A ``large`` row is measured only when it
    is named. Where ``against`` is empty, ours is measured alone.
    """

    name: str
    work: str
    against: str
    first_bar: float | None
    goal: float | None
    measure: Callable[[Run], Outcome]
    on_16: tuple[float, float] | None = None
    gain: Gain | None = None
    large: bool = False

    def asked(self, threads: int) -> tuple[float | None, float | None]:
        """The first bar and the goal on so many threads."""
        on_few = self.first_bar, self.goal
        return self.on_16 if threads == 16 and self.on_16 is not None else on_few


def present(run: Run, contenders: Sequence[Contender]) -> tuple[list[Contender], list[str]]:
    """Those asked for and installed, ready for use; and a note for each that is not installed."""
    asked = [c for c in contenders if run.peers is None or c.library in {OURS.name, *run.peers}]
    notes = [f"{c.name} skipped: not installed" for c in asked if not c.installed]
    present = [c for c in asked if c.installed]
    for contender in present:
        contender.load()
    return present, notes


def quality_of(model: Any, of: Data) -> dict[str, float]:
    from sklearn.metrics import log_loss

    probabilities = np.clip(model.predict_proba(of.X_test), 1e-15, 1 - 1e-15)
    return {
        "accuracy": float(np.mean(np.ravel(model.predict(of.X_test)) == of.y_test)),
        "log_loss": float(log_loss(of.y_test, probabilities)),
    }


# ------------------------------------------------------------------------------------------ fitting


def fit(
    run: Run,
    of: Data,
    rounds: int,
    peers: Sequence[Contender],
    least: float = 0.0,
    ours: Contender = OURS,
) -> Outcome:
    """Whole fits, interleaved, with the quality of what came out."""
    contenders, notes = present(run, [ours, *peers])
    calls = {c.name: fitting(c, of, rounds, run.threads) for c in contenders}
    seconds, models = measure.interleaved(calls, run.repeat, least)
    for contender in contenders:
        run.fitted[contender, of.name, rounds, run.threads] = models[contender.name]
    quality = {name: quality_of(model, of) for name, model in models.items()}
    return Outcome(seconds, "s", quality, notes)


def fitting(contender: Contender, of: Data, rounds: int, threads: int) -> Callable[[], Any]:
    return lambda: contender.make(rounds, threads).fit(of.X, of.y)


def fit_100(run: Run) -> Outcome:
    """Ours in full; the peer over fewer rounds, compared round by round."""
    of = data.a(run.quick)
    rounds = run.rounds(100)
    peer_rounds = min(run.peer_rounds, rounds)
    contenders, notes = present(run, [OURS, ADABOOST])
    played = {OURS: rounds, ADABOOST: peer_rounds}
    calls = {c.name: fitting(c, of, played[c], run.threads) for c in contenders}
    seconds, models = measure.interleaved(calls, run.repeat)
    if peer_rounds < rounds and ADABOOST.name in seconds:
        taken = seconds[ADABOOST.name]
        seconds[ADABOOST.name] = taken * rounds / peer_rounds
        notes.append(
            f"{ADABOOST.name} played {peer_rounds} rounds in {taken:.3g} s; the time shown is that "
            f"for {rounds} at the same pace (--peer-rounds {rounds} plays them all), its quality "
            f"that after {peer_rounds}"
        )
    quality = {name: quality_of(model, of) for name, model in models.items()}
    return Outcome(seconds, "s", quality, notes)


def fit_500(run: Run) -> Outcome:
    return fit(run, data.a(run.quick), run.rounds(500), GRADIENT)


def fit_500_busy(run: Run) -> Outcome:
    with measure.busy_neighbour():
        return fit(run, data.a(run.quick), run.rounds(500), GRADIENT)


def breast_cancer(run: Run) -> Outcome:
    return fit(run, data.breast_cancer(), run.rounds(100), FOUR, least=0.05 if run.quick else 0.3)


# --------------------------------------------------------------------------------------- predicting


def predictions(
    run: Run, of: Data, rounds: int, whom: Sequence[Contender], X: NDArray[Any]
) -> Outcome:
    """Probabilities of these rows, by models fitted once."""
    contenders, notes = present(run, whom)
    calls = {}
    for contender in contenders:
        model = run.model(contender, of, rounds, run.threads)
        calls[contender.name] = lambda model=model: model.predict_proba(X)
    seconds, _ = measure.interleaved(calls, run.repeat, least=0.02 if run.quick else 0.2)
    return Outcome(seconds, "s", {}, notes)


def one_row(run: Run) -> Outcome:
    """One thread each: for one row a second one is only in the way."""
    of, rounds = data.breast_cancer(), run.rounds(100)
    outcome = predictions(replace(run, threads=1), of, rounds, [OURS, *FOUR], of.X_test[:1])
    outcome.notes.append("one thread each")
    return outcome


def many_rows(run: Run) -> Outcome:
    of, rounds = data.a(run.quick), run.rounds(500)
    contenders, notes = present(run, [OURS, *FOUR])
    few = Data("A, first rows", of.X[:2000], of.y[:2000], of.X_test, of.y_test)
    calls = {}
    for contender in contenders:
        slow = contender is ADABOOST
        model = run.model(contender, few if slow else of, rounds, run.threads)
        calls[contender.name] = lambda model=model: model.predict_proba(of.X_test)
    seconds, _ = measure.interleaved(calls, run.repeat, least=0.02 if run.quick else 0.2)
    notes.append(f"{ADABOOST.name} was fitted on 2,000 rows: its prediction costs the same")
    return Outcome(seconds, "s", {}, notes)


# ----------------------------------------------------------------------------------- import, memory


def _imports(run: Run, statement: str) -> Outcome:
    statements = {OURS.name: statement}
    contenders, notes = present(run, [c for c in GRADIENT if c.name == "LightGBM"])
    statements |= {c.name: f"import {c.module}" for c in contenders}
    best = dict.fromkeys(statements, float("inf"))
    for _ in range(2 if run.quick else max(5, run.repeat)):
        for name, text in statements.items():
            best[name] = min(best[name], measure.import_seconds(text))
    return Outcome(best, "s", {}, [*notes, f"`{statement}`"])


def import_estimator(run: Run) -> Outcome:
    return _imports(run, "import weaklearn; weaklearn.AdaBoostClassifier")


def import_bare(run: Run) -> Outcome:
    return _imports(run, "import weaklearn")


def memory(run: Run) -> Outcome:
    return peak(run, data.a(run.quick), run.rounds(100), [OURS, *GRADIENT])


@contextmanager
def on_disk(of: Data) -> Iterator[str]:
    """A folder with the training rows, for fits in fresh processes."""
    with tempfile.TemporaryDirectory() as folder:
        np.save(Path(folder) / "X.npy", of.X)
        np.save(Path(folder) / "y.npy", of.y)
        yield folder


def peak(run: Run, of: Data, rounds: int, whom: Sequence[Contender], leaves: int = 2) -> Outcome:
    """Peak memory of fits beyond their input, each in a process of its own."""
    contenders, notes = present(run, whom)
    with on_disk(of) as folder:
        peaks = {
            c.name: min(
                measure.fresh_fit(folder, c.name, leaves, rounds, run.threads).megabytes
                for _ in range(min(run.repeat, 2))
            )
            for c in contenders
        }
    notes.append(f"the input itself: {of.X.nbytes / 2**20:.0f} MB")
    return Outcome(peaks, "MB", {}, notes)


THREE = "fastest of LightGBM, XGBoost, HistGradientBoosting"
_ANY = "fastest of the four"

ROWS = (
    Row(
        "fit-100",
        "A, AdaBoost with exact stumps, whole fit of 100 rounds",
        "scikit-learn AdaBoost",
        150,
        400,
        fit_100,
    ),
    Row("fit-500", "A, AdaBoost, 500 exact stumps, whole fit", THREE, 3, 5, fit_500, on_16=(3, 5)),
    Row("fit-500-busy", "the same with a busy neighbour process", THREE, 3, 10, fit_500_busy),
    Row("breast-cancer", "breast cancer, 100 stumps, whole fit", _ANY, 1, 3, breast_cancer),
    Row("one-row", "one row predict_proba, 100 stumps", _ANY, 1.5, 5, one_row),
    Row("many-rows", "20,000 rows through 500 stumps", _ANY, 10, 50, many_rows),
    Row(
        "import",
        "import weaklearn; weaklearn.AdaBoostClassifier",
        "import lightgbm",
        1,
        None,
        import_estimator,
    ),
    Row("import-bare", "import weaklearn", "import lightgbm", None, 3, import_bare),
    Row(
        "memory",
        "A, 100 stumps, peak memory of the fit beyond its input",
        "leanest of LightGBM, XGBoost, HistGradientBoosting",
        1,
        2,
        memory,
    ),
)

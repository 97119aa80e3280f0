"""The result of a comparison: tables, ranks, ratios, learning curves and plots."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from ..base.messages.table import Table
from ..base.messages.value_text import show
from ..intake.parameters import one_of
from ..show.displays.comparison import CurvesDisplay, ScatterDisplay
from .trial import GREATER, KINDS, NUMBERS, Trial, ranks

# Losses below this are taken as this in ratios: what is left there is how a library rounds.
LEAST_LOSS = 1e-3

_FIRST = ("error", "log_loss", "auc", "calibration")
_TIMES = ("fit_time", "predict_time")


class Comparison:
    """Trials of estimators on data sets; prints as tables, one for each kind of y.

    ``table(measure)`` has a row a data set and a column an estimator; ``summary()`` mean ranks and
    ratios; ``ratios()`` every estimator against every other; ``to_frame()`` everything, one value a
    row; ``curves()`` the error after every round; ``failures()`` what went wrong; ``plot()`` draws
    one estimator against others.
    """

    def __init__(
        self, trials: Iterable[Trial], baseline: str | None = None, greater: Iterable[str] = ()
    ) -> None:
        self.trials = tuple(trials)
        names = self._names("estimator")
        self.baseline = baseline if baseline is not None else (names[0] if names else "")
        self.greater = GREATER | frozenset(greater)
        self._by_pair = {(t.dataset, t.estimator): t for t in self.trials}

    def _names(self, field: str, kind: str | None = None) -> list[str]:
        chosen = (t for t in self.trials if kind is None or t.kind == kind)
        return list(dict.fromkeys(getattr(t, field) for t in chosen))

    @property
    def kinds(self) -> list[str]:
        """The kinds of target that were tried: two-class, multiclass, regression."""
        return [kind for kind in KINDS if any(t.kind == kind for t in self.trials)]

    def baseline_of(self, kind: str) -> str:
        """The estimator that ratios refer to: the baseline, or the first if it was not tried."""
        names = self._names("estimator", kind)
        return self.baseline if self.baseline in names else names[0]

    def score(self, dataset: str, estimator: str, measure: str) -> float:
        """One score; NaN where there is none."""
        trial = self._by_pair.get((dataset, estimator))
        return float("nan") if trial is None else trial.scores.get(measure, float("nan"))

    def measures(self, kind: str | None = None) -> list[str]:
        """The names of the metrics, in the order of the tables."""
        found = dict.fromkeys(k for t in self.trials if kind in (None, t.kind) for k in t.scores)
        first = [name for name in _FIRST if name in found]
        last = [name for name in _TIMES if name in found]
        return [*first, *(name for name in found if name not in (*_FIRST, *_TIMES)), *last]

    # ----------------------------------------------------------------------------------- tables

    def table(self, measure: str | None = None, kind: str | None = None) -> Table:
        """One metric: a row per data set, a column per estimator, and the mean ranks below.

        Without a kind, the first that has the measure; without a measure, error or RMSE.
        """
        kind = self._kind(kind, measure)
        measure = _loss_of(kind)[0] if measure is None else measure
        names, sets = self._names("estimator", kind), self._names("dataset", kind)
        rows = [(d, *(_blank(self.score(d, e, measure)) for e in names)) for d in sets]
        mean = self.mean_ranks(measure, kind)
        rows.append(("mean rank", *(_blank(mean[e]) for e in names)))
        title = f"{measure}, {kind}"
        return Table(title, ["data set", *names], rows, shown=len(rows))

    def mean_ranks(self, measure: str, kind: str) -> dict[str, float]:
        """The mean rank of each estimator over its data sets of one kind; 1 is best.

        Equals share a rank; who has no number on a data set is last there, and who has none on any
        has no rank.
        """
        found: dict[str, list[float]] = {e: [] for e in self._names("estimator", kind)}
        ranked = set()
        for d in self._names("dataset", kind):
            values = {e: self.score(d, e, measure) for e in found if (d, e) in self._by_pair}
            ranked |= {e for e, value in values.items() if value == value}
            for e, rank in ranks(values, measure in self.greater).items():
                found[e].append(rank)
        return {e: float(np.mean(r)) if e in ranked else float("nan") for e, r in found.items()}

    def ratio(self, estimator: str, other: str, measure: str, kind: str | None = None) -> float:
        """The geometric mean, over shared data sets, of one metric to the other estimator's.

        Log-losses below 0.001 count as that.
        """
        least = LEAST_LOSS if measure == "log_loss" else 1e-12
        sets = self._names("dataset", kind)
        pairs = np.array(
            [[self.score(d, name, measure) for name in (estimator, other)] for d in sets]
        )
        logs = np.log(np.maximum(pairs.reshape(-1, 2), least))
        logs = logs[~np.isnan(logs).any(axis=1)]
        return float(np.exp(np.mean(logs[:, 0] - logs[:, 1]))) if len(logs) else float("nan")

    def ratios(self, measure: str | None = None, kind: str | None = None) -> Table:
        """Geometric means of ratios: a row per estimator, a column per reference."""
        kind = self._kind(kind, measure)
        measure = _loss_of(kind)[1] if measure is None else measure
        names = self._names("estimator", kind)
        rows = [(e, *(_blank(self.ratio(e, o, measure, kind)) for o in names)) for e in names]
        return Table(
            f"{measure} relative to, {kind}",
            ["estimator", *(f"to {name}" for name in names)],
            rows,
            note="geometric means over data sets; below 1 is better",
            shown=len(rows),
        )

    def summary(self) -> Table:
        """A row for each estimator and kind of y: mean ranks, and ratios to the baseline."""
        measures = [m for m in self.measures() if m not in (*_TIMES, "mse")]
        rows = [row for kind in self.kinds for row in self._summed(kind, measures)]
        columns = ["kind", "estimator", "data sets", "failed"]
        columns += [f"rank {m}" for m in measures] + ["loss ratio", "fit ratio", "predict ratio"]
        kept = [
            j for j in range(len(columns)) if j < 3 or any(row[j] not in (None, 0) for row in rows)
        ]
        return Table(
            "summary",
            [columns[j] for j in kept],
            [[row[j] for j in kept] for row in rows],
            note="mean ranks, 1 is the best; ratios are geometric means, to "
            f"{' and '.join(dict.fromkeys(map(self.baseline_of, self.kinds)))}, of log-loss "
            "(squared error for regression) and of times" + self._blanks(rows),
            shown=len(rows),
        )

    def _blanks(self, rows: Sequence[Sequence[Any]]) -> str:
        """Why some cells of a table are empty; "" if none is."""
        if all(value is not None for row in rows for value in row):
            return ""
        reasons = ["not a measure of that kind"] if len(self.kinds) > 1 else []
        classes = [t for t in self.trials if t.kind != NUMBERS and not t.failure]
        silent = dict.fromkeys(t.estimator for t in classes if "log_loss" not in t.scores)
        if silent:
            reasons.append(f"no probabilities ({', '.join(silent)})")
        return f"; blank: {' or '.join(reasons) or 'nothing was measured'}"

    def _summed(self, kind: str, measures: Sequence[str]) -> Iterator[list[Any]]:
        known = self.measures(kind)
        of = {m: self.mean_ranks(m, kind) for m in measures if m in known}
        for name in self._names("estimator", kind):
            trials = [t for t in self.trials if (t.estimator, t.kind) == (name, kind)]
            yield [
                kind,
                name,
                len(trials),
                sum(bool(t.failure) for t in trials),
                *(_blank(of[m][name]) if m in of else None for m in measures),
                *(
                    _blank(self.ratio(name, self.baseline_of(kind), m, kind))
                    for m in (_loss_of(kind)[1], *_TIMES)
                ),
            ]

    def failures(self) -> Table:
        """The failed trials, with the text of the exception."""
        rows = [(t.dataset, t.estimator, t.failure) for t in self.trials if t.failure]
        return Table("failures", ["data set", "estimator", "failure"], rows, shown=len(rows))

    def curves(self) -> Table:
        """Error (squared error for regression) after every round, averaged over the splits.

        For the estimators that have ``staged_predict``; a run that ended early in one split goes
        on as it ended.
        """
        rows = [
            (t.dataset, t.estimator, k + 1, train, test)
            for t in self.trials
            for k, (train, test) in enumerate(
                zip(t.curves.get("train", []), t.curves.get("test", []), strict=True)
            )
        ]
        return Table("curves", ["data set", "estimator", "round", "train", "test"], rows)

    def to_frame(self) -> Any:
        """All scores as a pandas DataFrame, one value per row; split -1 is over all splits."""
        rows = [
            (t.dataset, t.kind, t.estimator, split, measure, value)
            for t in self.trials
            for split, scores in enumerate((t.scores, *t.splits), start=-1)
            for measure, value in scores.items()
        ]
        columns = ["dataset", "kind", "estimator", "split", "measure", "value"]
        return Table("comparison", columns, rows).to_frame()

    # --------------------------------------------------------------------------------- pictures

    def plot(
        self,
        what: str = "scatter",
        *,
        base: str | None = None,
        boosted: str | Sequence[str] | None = None,
        measure: str = "error",
        dataset: str | None = None,
        ax: Any = None,
        path: str | os.PathLike[str] | None = None,
    ) -> ScatterDisplay | CurvesDisplay:
        """A scatter plot of base against boosted, a point per data set, or learning curves.

        Below the diagonal the boosted one is better (for ``auc`` and ``r2`` above it). ``base`` is
        the baseline unless given, ``boosted`` all others. With ``path`` the figure is written there
        too, as PNG, SVG or PDF by its ending.
        """
        if one_of("what", what, ("scatter", "curves")) == "curves":
            display: ScatterDisplay | CurvesDisplay = self._curves_display(dataset)
        else:
            display = self._scatter_display(base, boosted, measure)
        display.plot(ax=ax)
        if path is not None:
            display.figure_.savefig(path, dpi=150)
        return display

    def _scatter_display(
        self, base: str | None, boosted: str | Sequence[str] | None, measure: str
    ) -> ScatterDisplay:
        base = self.baseline if base is None else self._known(base)
        others = [boosted] if isinstance(boosted, str) else boosted
        others = [n for n in self._names("estimator") if n != base] if others is None else others
        one_of("measure", measure, self.measures())
        points = {
            name: {
                d: (x, y)
                for d in self._names("dataset")
                if (x := self.score(d, base, measure)) == x
                and (y := self.score(d, name, measure)) == y
            }
            for name in map(self._known, others)
        }
        return ScatterDisplay(base, measure, points)

    def _curves_display(self, dataset: str | None) -> CurvesDisplay:
        staged = [t for t in self.trials if t.curves]
        chosen = [t for t in staged if dataset in (None, t.dataset)]
        if not chosen:
            raise ValueError(
                "there are no curves to draw: compare with curves=True estimators that have "
                "staged_predict" + ("." if dataset is None else f" on {show(dataset)}.")
            )
        first = chosen[0].dataset
        return CurvesDisplay(
            first,
            "squared error" if chosen[0].kind == NUMBERS else "error",
            {t.estimator: t.curves for t in chosen if t.dataset == first},
        )

    def _known(self, name: str) -> str:
        return str(one_of("estimator", name, self._names("estimator")))

    def _kind(self, kind: str | None, measure: str | None) -> str:
        """The kind of target, checked, as is the metric."""
        if measure is not None:
            one_of("measure", measure, self.measures(kind))
        if kind is not None:
            return str(one_of("kind", kind, self.kinds))
        known = [k for k in self.kinds if measure is None or measure in self.measures(k)]
        return known[0] if known else ""

    # --------------------------------------------------------------------------------- printing

    def _tables(self) -> list[Table]:
        tables = [self.table(kind=kind) for kind in self.kinds]
        tables += [self.summary()] if self.kinds else []
        return tables + ([self.failures()] if len(self.failures()) else [])

    def __str__(self) -> str:
        return "\n\n".join(f"{t.title}\n{t}" for t in self._tables()) or "(nothing was compared)"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return "".join(t._repr_html_() for t in self._tables())


def _loss_of(kind: str) -> tuple[str, str]:
    """(the metric shown first, the loss that ratios compare) of a kind of target."""
    return ("rmse", "mse") if kind == NUMBERS else ("error", "log_loss")


def _blank(value: float) -> float | None:
    return None if value != value else value

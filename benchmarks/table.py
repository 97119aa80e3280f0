"""The table of ratios, the numbers behind it, and both as JSON."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from .growth import Curve
from .measure import amount
from .peers import OURS
from .rows import Outcome, Row, Run
from .threads import Measured


def mark(row: Row, outcome: Outcome, threads: int) -> str:
    """What was reached: the goal, the first bar, or neither."""
    if outcome.ratio is None:
        return "skipped" if outcome.ours is None else "alone"
    return reached(outcome.ratio, *row.asked(threads)) if outcome.equal else "unequal"


def reached(ratio: float, first_bar: float | None, goal: float | None) -> str:
    """The goal, the first bar, or neither; or that nothing was asked for."""
    if goal is not None and ratio >= goal:
        return "goal"
    if first_bar is not None and ratio >= first_bar:
        return "bar"
    return "free" if first_bar is None and goal is None else "not yet"


_SIGNS = {
    "goal": "✓✓",
    "bar": "✓",
    "not yet": "✗",
    "unequal": "✗ less accurate",
    "skipped": "skipped",
    "alone": "ours alone",
    "free": "",
}
SIGNS_MEAN = "✓✓ the goal, ✓ the first bar, ✗ neither; without a sign nothing was asked for"


def sign_of(mark: str) -> str:
    """The sign of what ``mark`` found."""
    return _SIGNS[mark]


def times(ratio: float | None) -> str:
    """A ratio as people write it."""
    if ratio is None:
        return "–"
    return f"{ratio:.0f} ×" if ratio >= 20 else f"{ratio:.1f} ×" if ratio % 1 else f"{ratio:g} ×"


def ratios(found: Sequence[Measured]) -> str:
    """The table of ratios, in Markdown: one line a row, one column a number of threads."""
    counts = list(found[0].outcomes)
    lines = []
    for each in found:
        row = each.row
        asked = (_by(counts, which) for which in zip(*map(row.asked, counts)))
        cells = (f"{times(o.ratio)} {_SIGNS[mark(row, o, t)]}" for t, o in each.outcomes.items())
        lines.append((row.work, row.against, *asked, *cells))
    head = ("work", "against", "first bar", "goal", *map(on, counts))
    return f"{markdown(head, lines)}\n\n{SIGNS_MEAN}"


def _by(counts: Sequence[int], asked: Sequence[float | None]) -> str:
    """What is asked for, and on which numbers of threads it is another."""
    others = [f"{on(t)}: {times(ratio)}" for t, ratio in zip(counts, asked) if ratio != asked[0]]
    return ", ".join([times(asked[0]), *others])


def on(threads: int) -> str:
    return "1 thread" if threads == 1 else f"{threads} threads"


def gains(found: Sequence[Measured]) -> str:
    """What more threads gain, in Markdown: ours, then the fastest peer of each number."""
    fewest, *counts = found[0].outcomes
    lines = [
        (
            each.row.work,
            *(" / ".join(map(times, each.gains(threads))) for threads in counts),
            "; ".join([*_asked_gain(each), *_slower(each)]),
        )
        for each in found
        if any(each.gains(threads)[0] is not None for threads in counts)
    ]
    head = (f"gain from {on(fewest)}: ours / fastest peer", *map(on, counts), "")
    return markdown(head, lines)


def _asked_gain(each: Measured) -> Iterator[str]:
    asked = each.row.gain
    gain = None if asked is None else each.gains(asked.more, asked.fewer)[0]
    if asked is not None and gain is not None:
        sign = _SIGNS[reached(gain, asked.first_bar, asked.goal)]
        bars = f"bar {times(asked.first_bar)}, goal {times(asked.goal)}"
        yield f"{sign} {times(gain)} from {asked.fewer} to {asked.more} ({bars})"


def _slower(each: Measured) -> Iterator[str]:
    for threads, slowed in each.slowed.items():
        yield f"✗ {on(threads)} take {slowed:.2f} × the time of fewer"


def markdown(head: tuple[str, ...], lines: Sequence[tuple[str, ...]]) -> str:
    """Cells under a head, aligned."""
    widths = [max(len(line[j]) for line in [head, *lines]) for j in range(len(head))]

    def row(cells: tuple[str, ...]) -> str:
        padded = (cell.ljust(width) for cell, width in zip(cells, widths))
        return "| " + " | ".join(padded) + " |"

    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return "\n".join([row(head), rule, *map(row, lines)])


_WORDS = {"ndcg_lost": "1 - NDCG@10", "accuracy": "accuracy", "log_loss": "log-loss"}


def details(each: Measured, threads: int) -> str:
    """Every contender's number on so many threads, with its quality beside it."""
    row, outcome = each.row, each.outcomes[threads]
    lines = [f"{row.name}, {on(threads)}: {row.work}"]
    for name, value in sorted(outcome.values.items(), key=lambda item: item[1]):
        quality = outcome.quality.get(name)
        beside = (
            "   " + ", ".join(f"{_WORDS[key]} {found:.4f}" for key, found in quality.items())
            if quality
            else ""
        )
        lines.append(f"    {name:28}{amount(value, outcome.unit):>10}{beside}")
    if mark(row, outcome, threads) == "skipped":
        lines.append("    skipped" + ": ours is missing" * bool(outcome.values))
    if outcome.ratio is not None:
        lines.append(f"    {times(outcome.ratio)} against {outcome.best_peer}")
    if threads > min(each.outcomes) and each.gains(threads)[0] is not None:
        ours, theirs = map(times, each.gains(threads))
        lines.append(f"    gain from {on(min(each.outcomes))}: ours {ours}, fastest peer {theirs}")
    lines += [f"    ({note})" for note in outcome.notes]
    return "\n".join(lines)


def growth(found: Sequence[Curve]) -> str:
    """One line a curve: what each size took, and the power it grows with."""
    lines = ["growth: seconds over sizes; power is the slope on logarithmic axes"]
    for curve in found:
        cells = "  ".join(
            f"{size:,}: {amount(seconds, 's')}" for size, seconds in zip(curve.sizes, curve.seconds)
        )
        wanted = "" if curve.expected is None else f" (looked for: {curve.expected:g})"
        lines.append(f"    {curve.name:20}power {curve.slope:5.2f}{wanted}   {cells}")
    return "\n".join(lines)


_LIBRARIES = (
    *("weaklearn", "numpy", "scikit-learn"),
    *("lightgbm", "xgboost", "xgboost-cpu", "catboost"),
)


def machine() -> dict[str, Any]:
    """What the numbers were taken on."""
    versions = {}
    for name in _LIBRARIES:
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            versions[name] = "not installed"
    if versions["weaklearn"] == "not installed":  # run from its source tree
        import weaklearn

        versions["weaklearn"] = weaklearn.__version__
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
        "versions": versions,
    }


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
        return next(
            line.split(":", 1)[1].strip()
            for line in text.splitlines()
            if line.startswith("model name")
        )
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def as_json(run: Run, found: Sequence[Measured], grown: Sequence[Curve]) -> dict[str, Any]:
    """Everything measured, ready to be written."""
    return {
        "format": 2,
        "machine": machine(),
        "settings": {
            "repeat": run.repeat,
            "threads": sorted({threads for each in found for threads in each.outcomes}),
            "quick": run.quick,
            "peer_rounds": run.peer_rounds,
            "peers": None if run.peers is None else sorted(run.peers),
        },
        "rows": [_row_as_json(each, threads) for each in found for threads in each.outcomes],
        "growth": [
            {
                "name": curve.name,
                "sizes": curve.sizes,
                "seconds": curve.seconds,
                "power": curve.slope,
                "looked_for": curve.expected,
            }
            for curve in grown
        ],
    }


def _row_as_json(each: Measured, threads: int) -> dict[str, Any]:
    """A row on one number of threads."""
    row, outcome = each.row, each.outcomes[threads]
    first_bar, goal = row.asked(threads)
    ours, theirs = each.gains(threads)
    return {
        "name": row.name,
        "work": row.work,
        "against": row.against,
        "threads": threads,
        "first_bar": first_bar,
        "goal": goal,
        "unit": outcome.unit,
        "values": outcome.values,
        "ours": OURS.name,
        "best_peer": outcome.best_peer,
        "ratio": outcome.ratio,
        "reached": mark(row, outcome, threads),
        "gain": {"from": min(each.outcomes), "ours": ours, "best_peer": theirs},
        "asked_gain": None if row.gain is None else row.gain._asdict(),
        "slower_than_fewer": each.slowed.get(threads),
        "quality": outcome.quality,
        "notes": outcome.notes,
    }

"""The table of ratios, the numbers behind it, and both as JSON."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from .growth import Curve
from .measure import amount
from .peers import OURS
from .rows import Outcome, Row, Run


def mark(row: Row, outcome: Outcome) -> str:
    """What was reached: the goal, the first bar, or neither."""
    ratio = outcome.ratio
    if ratio is None:
        return "skipped"
    if not outcome.equal:
        return "unequal"
    if row.goal is not None and ratio >= row.goal:
        return "goal"
    if row.first_bar is not None and ratio >= row.first_bar:
        return "bar"
    return "not yet"


_SIGNS = {
    "goal": "✓✓ goal",
    "bar": "✓ first bar",
    "not yet": "✗ not yet",
    "unequal": "✗ less accurate",
    "skipped": "skipped",
}


def times(ratio: float | None) -> str:
    """A ratio as people write it."""
    if ratio is None:
        return "–"
    return f"{ratio:.0f} ×" if ratio >= 20 else f"{ratio:.1f} ×" if ratio % 1 else f"{ratio:g} ×"


def ratios(found: list[tuple[Row, Outcome]]) -> str:
    """The table of ratios, in Markdown."""
    lines = [
        (
            row.work,
            row.against,
            times(row.first_bar),
            times(row.goal),
            times(outcome.ratio),
            _SIGNS[mark(row, outcome)],
        )
        for row, outcome in found
    ]
    return markdown(("work", "against", "first bar", "goal", "measured", ""), lines)


def markdown(head: tuple[str, ...], lines: Sequence[tuple[str, ...]]) -> str:
    """Cells under a head, aligned."""
    widths = [max(len(line[j]) for line in [head, *lines]) for j in range(len(head))]

    def row(cells: tuple[str, ...]) -> str:
        padded = (cell.ljust(width) for cell, width in zip(cells, widths))
        return "| " + " | ".join(padded) + " |"

    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return "\n".join([row(head), rule, *map(row, lines)])


_WORDS = {"accuracy": "accuracy", "log_loss": "log-loss"}


def details(row: Row, outcome: Outcome) -> str:
    """Every contender's number, with its quality beside it."""
    lines = [f"{row.name}: {row.work}"]
    for name, value in sorted(outcome.values.items(), key=lambda item: item[1]):
        quality = outcome.quality.get(name)
        beside = (
            "   " + ", ".join(f"{_WORDS[key]} {found:.4f}" for key, found in quality.items())
            if quality
            else ""
        )
        lines.append(f"    {name:24}{amount(value, outcome.unit):>10}{beside}")
    if outcome.ratio is None:
        lines.append(
            "    skipped" + (": ours, or every peer of it, is missing" * bool(outcome.values))
        )
    lines += [f"    ({note})" for note in outcome.notes]
    return "\n".join(lines)


def growth(found: list[Curve]) -> str:
    """One line a curve: what each size took, and the power it grows with."""
    lines = ["growth: seconds over sizes; power is the slope on logarithmic axes"]
    for curve in found:
        cells = "  ".join(
            f"{size:,}: {amount(seconds, 's')}" for size, seconds in zip(curve.sizes, curve.seconds)
        )
        wanted = "" if curve.expected is None else f" (looked for: {curve.expected:g})"
        lines.append(f"    {curve.name:20}power {curve.slope:5.2f}{wanted}   {cells}")
    return "\n".join(lines)


def machine() -> dict[str, Any]:
    """What the numbers were taken on."""
    versions = {}
    for name in ("weaklearn", "numpy", "scikit-learn", "lightgbm", "xgboost", "catboost"):
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


def as_json(run: Run, found: list[tuple[Row, Outcome]], grown: list[Curve]) -> dict[str, Any]:
    """Everything measured, ready to be written."""
    return {
        "format": 1,
        "machine": machine(),
        "settings": {
            "repeat": run.repeat,
            "threads": run.threads,
            "quick": run.quick,
            "peer_rounds": run.peer_rounds,
        },
        "rows": [
            {
                "name": row.name,
                "work": row.work,
                "against": row.against,
                "first_bar": row.first_bar,
                "goal": row.goal,
                "unit": outcome.unit,
                "values": outcome.values,
                "ours": OURS.name,
                "best_peer": outcome.best_peer,
                "ratio": outcome.ratio,
                "reached": mark(row, outcome),
                "quality": outcome.quality,
                "notes": outcome.notes,
            }
            for row, outcome in found
        ],
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

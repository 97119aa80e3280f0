"""``python -m benchmarks.plot_threads FILE.json [FILE.json ...] OUT.png``: what threads gain.

Draws five kinds of work from the numbers that ``python -m benchmarks --threads 1,2,4`` left.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

KINDS = {
    "gradient trees": "cores-1m",
    "exact stumps": "stumps-1m",
    "forest": "forest-100",
    "glass box": "glass-200k",
    "prediction": "predict-1m",
}
IDEAL, OURS, PEER = "#9A9A9A", "#0072B2", "#D55E00"

Times = dict[int, float]  # seconds by the number of threads


def seconds(rows: Iterable[dict[str, Any]], name: str) -> tuple[Times, Times]:
    """What a row took on each number of threads: ours, and the fastest peer there."""
    ours: Times = {}
    theirs: Times = {}
    for row in sorted((row for row in rows if row["name"] == name), key=lambda row: row["threads"]):
        for who, times in ((row["ours"], ours), (row["best_peer"], theirs)):
            if who in row["values"]:
                times[row["threads"]] = row["values"][who]
    return ours, theirs


def plot(rows: Sequence[dict[str, Any]], path: Path) -> list[str]:
    """Draws the kinds that were measured on several numbers of threads; returns which."""
    from matplotlib.figure import Figure

    found = {kind: seconds(rows, name) for kind, name in KINDS.items()}
    found = {kind: both for kind, both in found.items() if len(both[0]) > 1}
    if not found:
        return []
    figure = Figure(figsize=(2.6 * len(found) + 0.6, 3.4), layout="constrained", facecolor="white")
    axes = figure.subplots(1, len(found), sharex=True, sharey=True, squeeze=False)[0]
    counts = sorted({threads for ours, _ in found.values() for threads in ours})
    handles: dict[str, Any] = {}
    for ax, (kind, (ours, theirs)) in zip(axes, found.items()):
        _draw_gains(ax, counts, ours, theirs)
        ax.set_title(kind, fontsize=10, loc="left")
        ax.set_xlabel("threads")
        lines, labels = ax.get_legend_handles_labels()
        handles |= dict(zip(labels, lines))
    least = "1 thread" if counts[0] == 1 else f"{counts[0]} threads"
    axes[0].set_ylabel(f"times faster than on {least}")
    figure.legend(
        list(handles.values()), list(handles), loc="outside lower center", ncols=3, frameon=False
    )
    figure.savefig(path, dpi=130)
    return list(found)


def _draw_gains(ax: Any, counts: Sequence[int], ours: Times, theirs: Times) -> None:
    """One panel: the ideal, then who was measured on the least number of threads."""
    ideal = [threads / counts[0] for threads in counts]
    ax.plot(counts, ideal, color=IDEAL, linestyle=(0, (4, 2)), linewidth=1.2, label="ideal")
    measured = [(theirs, PEER, "fastest peer"), (ours, OURS, "weaklearn")]
    ends = {}
    for times, color, label in measured:
        if counts[0] in times:
            gains = [times[counts[0]] / taken for taken in times.values()]
            ax.plot(list(times), gains, color=color, marker="o", markersize=4, label=label)
            ends[color] = (max(times), gains[-1])
    highest = max(ends, key=lambda color: ends[color][1], default=None)
    for color, (threads, gain) in ends.items():
        ax.annotate(
            f"{gain:.1f} ×",
            (threads, gain),
            xytext=(6, 3 if color == highest else -3),
            textcoords="offset points",
            va="bottom" if color == highest else "top",
            fontsize=8.5,
            color=color,
        )
    ax.set_xscale("log", base=2)
    ax.set_xlim(counts[0] / 1.2, counts[-1] * (counts[-1] / counts[0]) ** 0.28)  # room for numbers
    ax.set_yscale("log", base=2)
    ax.set_xticks(counts, [str(threads) for threads in counts])
    ax.set_yticks(ideal, [f"{gain:g}" for gain in ideal])
    ax.minorticks_off()
    ax.grid(color="#E6E6E6", linewidth=0.6)
    ax.spines[["top", "right"]].set_visible(False)


def main(argv: Sequence[str] | None = None) -> int:
    """Draws the picture; returns an exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.plot_threads", description=__doc__)
    parser.add_argument("numbers", nargs="+", type=Path, metavar="FILE.json")
    parser.add_argument("picture", type=Path, metavar="OUT.png")
    arguments = parser.parse_args(argv)
    rows = [row for path in arguments.numbers for row in json.loads(path.read_text())["rows"]]
    drawn = plot(rows, arguments.picture)
    if not drawn:
        names = ", ".join(KINDS.values())
        parser.error(f"none of {names} was measured on several numbers of threads")
    print(f"{', '.join(drawn)} drawn in {arguments.picture}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""The data: kinds of columns, missing values, histograms; no single value is shown."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.messages.number_text import number
from ...base.messages.table import printable
from ...base.types import Floats
from ...intake.arrays import Table
from ...intake.column_schema import NOUNS
from ...intake.raw_column import Kind, Raw, as_time
from ...page.element import Element, tag
from ...page.plot import figure, meter, sparkline
from .section import Absent, Part, ReportContext, Section, bar_table, listing, note, percent, tools


def rough(value: float) -> str:
    """A number in three digits."""
    return number(float(f"{value:.3g}"), 3)


def mean_of_whole(raw: Raw, least: int, above: NDArray[np.float64]) -> str:
    """Mean ± standard deviation of datetimes, durations or large integers; ``above`` the least."""
    mean, off = least + round(float(above.mean())), round(float(above.std()))
    if raw.kind is Kind.WIDE:
        return f"{rough(mean)} ± {rough(off)}"
    day = np.timedelta64(1, "D")
    spread = np.abs(as_time(Kind.TIMEDELTA, off, raw.unit))
    unit = "D" if spread >= day else "s"
    return f"{_in_unit(as_time(raw.kind, mean, raw.unit), unit)} ± {_in_unit(spread, unit)}"


def _in_unit(time: Any, unit: str) -> str:
    """A datetime or duration to the day or the second."""
    return time_text(time.astype(f"{'M' if time.dtype.kind == 'M' else 'm'}8[{unit}]"))


def time_text(time: Any) -> str:
    """A datetime or a duration without trailing zeros.

    >>> time_text(np.datetime64("2024-05-01T00:00:00.000")), time_text(np.datetime64("NaT"))
    ('2024-05-01', 'NaT')
    >>> time_text(np.timedelta64(90_000, "s")), time_text(np.timedelta64(3, "D"))
    ('1 day, 1:00:00', '3 days')
    """
    if np.isnat(time) or time.dtype.kind == "M":
        return re.sub(r"(T00:00)?(:00)?(\.0*)?$", "", str(time)) if "T" in str(time) else str(time)
    try:
        whole = timedelta(seconds=round(float(time / np.timedelta64(1, "s"))))
    except OverflowError:  # of millions of years
        return str(time)
    return str(whole).removesuffix(", 0:00:00")


_MOST = 300  # columns that are listed
_BARS = 14
FEWEST = 5  # rows of a category before it is named


def columns(context: ReportContext) -> Part:
    """One line per column, and the distribution of the targets."""
    table, names = context.table, context.column_names()
    if table is None:
        return Absent("Data", "X is not a table of columns")
    n, d = table.shape
    lines, n_missing = [], 0
    for j in range(min(d, _MOST)):
        raw = raw_column(table, j)
        missing = _missing(raw)
        n_missing += missing
        share = missing / max(n, 1)
        bar = tag("span", meter(share, "vermilion"), " ", percent(share)) if missing else "–"
        lines.append((names[j], NOUNS[raw.kind], (missing, bar), *_summary(raw)))
    heads = ["column", "type", "missing", "typical", "distribution"]
    typical = "Typical is the mean ± the standard deviation, or the most frequent categories."
    about = f"{context.rows.n:,} rows and {d:,} columns. " + (
        f"{percent(n_missing / max(n * len(lines), 1))} of the values are missing."
        if n_missing
        else "No value is missing."
    )
    about += f" {typical}"
    body: list[Any] = [_targets(context), tools("columns", len(lines), "columns.csv")]
    body.append(listing(heads, lines, name="columns", caption="the columns", tall=True))
    if n < context.rows.n:
        body.append(note(f"Told by {n:,} of {context.rows.n:,} rows, evenly spread."))
    if d > _MOST:
        body.append(note(f"The first {_MOST} of {d:,} columns are listed."))
    return Section("data", "Data", body, about)


def raw_column(table: Table, j: int) -> Raw:
    """A column as it was found."""
    if table.raws is not None:
        return table.raws[j]
    column = (
        table.matrix[:, j] if table.matrix is not None else table.sparse[:, [j]].toarray()[:, 0]
    )
    return Raw("", Kind.NUMBER, np.asarray(column, np.float64))


def _missing(raw: Raw) -> int:
    if raw.kind is Kind.NUMBER:
        return int(np.count_nonzero(np.isnan(raw.values)))
    if raw.kind is Kind.CATEGORY:
        return int(np.count_nonzero(raw.values < 0))
    return 0 if raw.missing is None else int(np.count_nonzero(raw.missing))


def _summary(raw: Raw) -> tuple[Any, Any]:
    """A column in a few words, and a small histogram."""
    if raw.kind is Kind.CATEGORY:
        return _categories(raw)
    whole = raw.values if raw.missing is None else raw.values[~raw.missing]
    known = np.asarray(whole if raw.kind is Kind.NUMBER else _distances(whole), np.float64)
    known = known[np.isfinite(known)]
    if len(known) < FEWEST:  # a mean of few is nearly a cell
        return "too few values to summarize", ""
    words = f"{rough(known.mean())} ± {rough(known.std())}"
    if raw.kind is not Kind.NUMBER:
        words = mean_of_whole(raw, min(whole.tolist()), known)
    return words, histogram(known)


def _distances(whole: NDArray[Any]) -> Floats:
    """Integers less the least of them, exact also beyond 2**53."""
    if whole.dtype == np.int64 and len(whole):  # the difference of any two fits 64 bits
        above = whole.view(np.uint64) - np.uint64(int(whole.min()) % 2**64)
        return above.astype(np.float64)
    least = min(whole.tolist(), default=0)
    return np.array([float(number - least) for number in whole.tolist()])


def histogram(known: Floats) -> Element:
    return sparkline(counts_in_bins(known), "distribution of the values")


def counts_in_bins(known: Floats) -> list[float]:
    """Counts in equal bins between quantiles 0.01 and 0.99; the rest is in the outer bins."""
    low, high = np.quantile(known, [0.01, 0.99])
    if not high > low:
        low, high = float(known.min()), float(known.max())
    above, wide = known - low, float(high - low)
    if not 0 < wide < np.inf:
        return [float(len(known))]
    bins = max(min(_BARS, len(np.unique(known[:1000]))), 2)
    found = np.histogram(np.clip(above, 0, wide) / wide, bins=bins, range=(0, 1))[0]
    return [float(k) for k in found]


def _categories(raw: Raw) -> tuple[str, Any]:
    counts = np.bincount(raw.values[raw.values >= 0], minlength=len(raw.labels))
    order = np.argsort(-counts, kind="stable")
    kept = [k for k in order if counts[k] > 0]
    common = [k for k in kept if counts[k] >= FEWEST][:3]
    total = max(int(counts.sum()), 1)
    named = [f"{printable(str(raw.labels[k]))} {percent(counts[k] / total, 2)}" for k in common]
    more = len(kept) - len(common)
    words = ", ".join([*named, *([f"{more:,} more"] if more else [])])
    bars = [float(counts[k]) for k in kept[:_BARS]]
    return words or "nothing", sparkline(bars, "frequencies of the categories") if bars else ""


def _targets(context: ReportContext) -> Element:
    """Frequencies of the classes, or the histogram of numbers."""
    y = context.rows.y
    if context.several_labels:
        mean = float(np.asarray(y, np.float64).sum(axis=1).mean())
        return tag("p", f"A row has {number(mean, 3)} labels on average.")
    if context.classes is None and y.ndim == 2:
        columns = zip(context.outputs, np.asarray(y, np.float64).T, strict=True)
        each = ", ".join(f"{name} {rough(x.mean())} ± {rough(x.std())}" for name, x in columns)
        return tag("p", f"The targets: {each}.")
    if context.classes is None:
        numbers = np.asarray(y, np.float64)
        if len(numbers) < FEWEST:
            return tag("p", "There are too few targets to summarize.")
        words = f"The target: {rough(numbers.mean())} ± {rough(numbers.std())} "
        return tag("div", tag("p", words), figure(histogram(numbers)))
    counts = np.bincount(
        context.rows.codes[context.rows.codes >= 0], minlength=len(context.classes)
    )
    order = np.argsort(-counts, kind="stable")[:12]
    n = max(context.rows.n, 1)
    shares = [(k, counts[k] / n) for k in order]
    lines = [
        (context.classes[k], meter(share, "sky"), f"{counts[k]:,} rows, {percent(share)}")
        for k, share in shares
    ]
    left = len(context.classes) - len(order)
    more = tag("p", f"and {left} classes more", class_="small") if left > 0 else None
    return tag("div", bar_table(lines), more)

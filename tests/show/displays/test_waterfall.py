"""The waterfall of one row: bars that lead from the base to the score."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from tests.handmade import handmade, table
from weaklearn.show import WaterfallDisplay

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")


def test_bars_lead_from_the_base_to_the_score():
    why = handmade().explain(table())
    display = why.plot(row=1)
    assert isinstance(display, WaterfallDisplay)
    bars = display.ax_.patches
    assert len(bars) == 6
    assert bars[0].get_x() == why.base
    ends = [bar.get_x() + bar.get_width() for bar in bars]
    assert ends[-1] == pytest.approx(why.scores[1])
    assert [bar.get_x() for bar in bars[1:]] == pytest.approx(ends[:-1])
    sizes = [abs(bar.get_width()) for bar in bars]
    assert sizes == pytest.approx(sorted(sizes, reverse=True))
    names = [text.get_text() for text in display.ax_.get_yticklabels()]
    assert names[0] == "base"
    assert names[-1] == "prediction"
    assert "town = Bergen" in names
    assert "age x town = 35, Bergen" in names


def test_small_contributions_are_one_bar():
    why = handmade().explain(table())
    display = WaterfallDisplay.from_explanation(why, 0, n=2)
    assert [name for name, _ in display.bars][-1] == "4 others"
    assert display.base + sum(size for _, size in display.bars) == pytest.approx(why.scores[0])
    more = WaterfallDisplay.from_explanation(why, 0, n=5)
    assert len(more.bars) == 6  # the last stands for itself


def test_of_classes_the_likeliest_is_shown_or_the_one_named():
    why = handmade(("low", "middle", "high")).explain(table())
    display = WaterfallDisplay.from_explanation(why, 0)
    assert display.score == why.scores[0].max()
    named = why.plot(0, output="middle")
    assert named.score == why.scores[0, 1]
    assert named.ax_.get_xlabel().endswith("of middle")
    with pytest.raises(ValueError, match=r"output='midle'.*Did you mean 'middle'"):
        why.plot(0, output="midle")


def test_numbers_stand_inside_the_axes():
    from matplotlib.figure import Figure

    ax = Figure(figsize=(6, 3)).subplots()
    display = handmade().explain(table()).plot(0, ax=ax)
    assert display.ax_ is ax
    assert display.figure_ is ax.figure
    ax.figure.draw_without_rendering()
    box = ax.get_window_extent()
    for text in ax.texts:
        inside = text.get_window_extent()
        assert box.x0 <= inside.x0
        assert inside.x1 <= box.x1 + 1
    assert np.diff(ax.get_ylim())[0] < 0  # read from the top down


def test_a_model_without_terms_stays_at_its_base():
    model = handmade()
    model.ensemble_ = model.ensemble_.with_terms(())
    display = model.explain(table()).plot(0)
    assert display.score == display.base
    assert not display.ax_.patches


def test_moments_are_told_by_their_day():
    X = table().assign(day=pd.Timestamp("2024-02-01T12:34:56"))
    names = [name for name, _ in handmade().explain(X).plot(row=1).bars]
    assert "day = 2024-02-01" in names


def test_an_offset_is_where_a_row_begins():
    why = replace(handmade().explain(table()), offset=np.arange(6.0))
    display = why.plot(row=2)
    assert display.base == why.base + 2.0
    assert display.ax_.get_yticklabels()[0].get_text() == "base + offset"
    assert display.base + sum(size for _, size in display.bars) == pytest.approx(why.scores[2])

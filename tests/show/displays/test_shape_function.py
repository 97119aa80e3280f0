"""Pictures of shapes: steps, bars and maps at their true places, with bands and missing values."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import weaklearn as wl
from tests.handmade import handmade, table
from weaklearn.show import ShapeFunctionDisplay
from weaklearn.show.data.term import Term, categorical, ordered
from weaklearn.show.drawing.step_plot import ticks

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")
plt = pytest.importorskip("matplotlib.pyplot")

CLASSES = ("low", "middle", "high")


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def drawn(model, term, **how):
    return ShapeFunctionDisplay.from_estimator(model, term, **how).ax_


def texts(labels):
    return [text.get_text() for text in labels]


# -------------------------------------------------------------------------------- ordered columns


def test_a_number_is_a_step_function_from_end_to_end():
    model = handmade()
    ax = drawn(model, "age")
    values = model.shapes_["age"].values
    step = next(line for line in ax.get_lines() if len(line.get_xdata()) == 4)
    assert step.get_drawstyle() == "steps-post"
    assert step.get_xdata().tolist() == [20, 30, 60, 80]
    assert step.get_ydata().tolist() == [*values[:3], values[2]]
    assert ax.get_title(loc="left") == "age"
    assert ax.get_ylabel() == "added to the prediction"


def test_the_band_is_that_of_the_shape():
    model = handmade()
    ax = drawn(model, "age")
    shape = model.shapes_["age"]
    corners = ax.collections[0].get_paths()[0].vertices
    assert corners[:, 1].max() == pytest.approx(shape.high[:3].max())
    assert corners[:, 1].min() == pytest.approx(shape.low[:3].min())
    low, high = ax.get_ylim()
    assert low < shape.low.min()
    assert high > shape.high.max()


def test_missing_values_stand_apart_with_whiskers():
    model = handmade()
    ax = drawn(model, "age")
    [mark] = ax.containers[0][:1]
    assert mark.get_xdata()[0] > 80
    assert mark.get_ydata()[0] == model.shapes_["age"].values[-1]
    assert texts(ax.get_xticklabels())[-1] == "missing"
    assert ax.get_xlim()[1] > mark.get_xdata()[0]
    whole = drawn(model, "waited")  # which had none
    assert "missing" not in texts(whole.get_xticklabels())


def test_the_foot_shows_where_training_was():
    bars = [bar for bar in drawn(handmade(), "age").patches if bar.get_height() > 0]
    heights = np.array([bar.get_height() for bar in bars])
    left = np.array([bar.get_x() for bar in bars])
    assert heights.max() <= 0.11  # of the height of the axes
    # 1, 2 and 2 rows in 10, 30 and 20 years
    assert heights[left < 29].mean() > heights[(left > 30) & (left < 59)].mean()
    assert heights[left > 61].mean() > heights[(left > 30) & (left < 59)].mean()


def test_rows_given_are_a_rug():
    ax = drawn(handmade(), "age", X=table().assign(age=[25.0, 90.0, np.nan, 40.0, 41.0, 42.0]))
    rug = next(c for c in ax.collections if c.get_label() == "_rug")
    assert sorted(path[0, 0] for path in rug.get_segments()) == [25, 40, 41, 42, 90]
    assert ax.get_xlim()[1] > 90
    assert not [bar for bar in ax.patches if bar.get_height() > 0]
    many = drawn(handmade(), "day", X=table(repeat=200))
    rug = next(c for c in many.collections if c.get_label() == "_rug")
    assert 0 < len(rug.get_segments()) <= 400


def test_dates_have_ticks_of_dates():
    ax = drawn(handmade(), "day")
    step = next(line for line in ax.get_lines() if len(line.get_xdata()) == 4)
    ends = matplotlib.dates.num2date(step.get_xdata())
    assert [str(end.date()) for end in (ends[0], ends[-1])] == ["2024-01-01", "2025-01-01"]
    labels = texts(ax.get_xticklabels())
    assert "2024" in labels or "2025" in labels
    assert labels[-1] == "missing"


def test_durations_are_counted_in_a_unit_that_is_named():
    ax = drawn(handmade(), "waited")
    assert ax.get_xlabel() == "waited (hours)"
    assert ax.get_xlim() == (0, 7.5)


def test_whole_numbers_have_whole_ticks():
    places, names = ticks(ordered("sex", np.array([1.5]), np.array([1.0, 2.0])))
    assert places == [1, 2]
    assert names == ["1", "2"]


def test_classes_are_a_line_each():
    model = handmade(CLASSES)
    ax = drawn(model, "age")
    steps = [line for line in ax.get_lines() if len(line.get_xdata()) == 4]
    assert len(steps) == 3
    assert texts(ax.get_legend().get_texts()) == list(CLASSES)
    assert steps[1].get_ydata()[0] == model.shapes_["age"].values[0, 1]
    assert len({line.get_color() for line in steps}) == 3


def test_ends_that_nobody_knows_are_guessed():
    ruler = ordered("x", np.array([1.0, 2.0, 3.0]))
    assert ruler.edges[0] < 1
    assert ruler.edges[-1] > 3
    assert ordered("x", np.array([]), np.array([4.0, 4.0])).edges.tolist() == [3.5, 4.5]
    assert len(ordered("x", np.array([0.5])).edges) == 3


def test_a_far_value_does_not_squeeze_the_others():
    ruler = ordered("x", np.arange(1.0, 11.0), np.array([0.0, 1000.0]))
    assert ruler.low == 0
    assert 12 < ruler.high < 14
    assert ruler.hidden == (False, True)
    values, counts = np.zeros((12, 1)), np.full(12, 5.0)
    panel = Term("x", (ruler,), values, values, values, counts, ())
    ax = ShapeFunctionDisplay([panel]).plot().ax_
    assert texts(ax.texts) == ["1,000 →"]
    heights = [bar.get_height() for bar in ax.patches]
    assert heights[-1] < 0.05 * heights[0]  # most rows of the last cell lie elsewhere


# ------------------------------------------------------------------------------------- categories


def test_levels_are_bars_sorted_by_value_with_missing_last():
    model = handmade()
    ax = drawn(model, "town")
    shape = model.shapes_["town"]
    labels = texts(ax.get_yticklabels())
    widths = [bar.get_width() for bar in ax.patches]
    assert labels[-1] == "missing"
    assert widths[:3] == sorted(widths[:3], reverse=True)
    named = dict(zip(labels, widths, strict=True))
    levels = [str(level) for level in shape.grid.categories]
    assert [named[level] for level in levels] == shape.values[:3].tolist()
    assert ax.get_xlim()[0] <= shape.low.min()
    assert ax.get_xlim()[1] >= shape.high.max()


def test_classes_are_a_dot_a_level():
    ax = drawn(handmade(CLASSES), "town")
    assert len(ax.containers) == 3
    assert texts(ax.get_legend().get_texts()) == list(CLASSES)


def many_levels(n):
    values = np.linspace(-1, 1, n + 1)[:, None]
    names = tuple(f"level {k}" for k in range(n))
    counts = np.full(n + 1, 2.0)
    counts[n // 2] = 1000.0  # of little value, but common
    return Term("town", (categorical("town", names, False),), values, values, values, counts, ())


def test_long_lists_of_levels_are_cut_to_those_that_matter():
    display = ShapeFunctionDisplay([many_levels(55)]).plot()
    labels = texts(display.ax_.get_yticklabels())
    assert len(labels) == 18
    assert {"level 0", "level 54", "level 27"} <= set(labels)
    assert "and 37 more" in texts(display.ax_.texts)
    assert not ShapeFunctionDisplay([many_levels(18)]).plot().ax_.texts


# ------------------------------------------------------------------------------------------ pairs


def test_a_pair_is_a_map_with_cells_at_their_edges():
    from matplotlib.collections import QuadMesh

    model = handmade()
    ax = drawn(model, ("age", "town"))
    shape = model.shapes_["age", "town"]
    meshes = [mesh for mesh in ax.collections if isinstance(mesh, QuadMesh)]
    assert len(meshes) == 4  # missing ages and towns lie apart
    edges = meshes[0].get_coordinates()
    assert edges[0, :, 0].tolist() == [20, 30, 60, 80]
    assert np.array_equal(meshes[0].get_array(), shape.values[:3, :3].T)
    low, high = meshes[0].get_clim()
    assert low == -high
    assert high == np.abs(shape.values[shape.counts > 0]).max()
    assert {mesh.get_clim() for mesh in meshes} == {(low, high)}
    assert texts(ax.get_yticklabels()) == ["Bergen", "Oslo", "Voss", "missing"]


def test_ground_without_rows_is_hatched():
    model = handmade()
    ax = drawn(model, ("age", "town"))
    grounds = [c for c in ax.collections if c.get_label() == "_empty"]
    hatched = [path.vertices for ground in grounds for path in ground.get_paths()]
    assert len(hatched) == (model.shapes_["age", "town"].counts == 0).sum()
    assert all(ground.get_hatch() for ground in grounds)
    # of many small cells only those far from all rows
    cuts, rng = np.linspace(0, 1, 201)[1:-1], np.random.default_rng(0)
    ruler = ordered("x", cuts, np.array([0.0, 1.0]))
    counts = np.zeros((201, 201))
    counts[np.arange(200), np.arange(200)] = 1.0
    values = rng.normal(size=(201, 201, 1))
    pair = Term("x x y", (ruler, ruler), values, values, values, counts, ())
    ax = ShapeFunctionDisplay([pair]).plot().ax_
    [ground] = [c for c in ax.collections if c.get_label() == "_empty"]
    boxes = [path.vertices[:4] for path in ground.get_paths()]
    assert 0.8 * 24**2 < len(boxes) < 24**2 - 24
    assert min(abs(np.diff(box.mean(axis=0))[0]) for box in boxes) > 0.99 / 24


def test_the_middle_of_the_colours_is_white():
    from weaklearn.show.drawing.step_plot import _colours

    assert _colours()(0.5)[:3] == pytest.approx((1, 1, 1), abs=0.01)


def test_a_map_of_classes_is_of_one_of_them():
    model = handmade(CLASSES)
    ax = drawn(model, ("age", "town"), output="middle")
    cells = ax.collections[0].get_array().ravel()
    assert set(cells) <= set(model.shapes_["age", "town"].values[..., 1].ravel())
    assert ax.get_title(loc="left") == "age x town: middle"
    with pytest.raises(ValueError, match="output='none' is not allowed"):
        drawn(model, ("age", "town"), output="none")


# ----------------------------------------------------------------------------------------- sheets


def test_all_shapes_in_one_sheet_strongest_first():
    model = handmade()
    display = ShapeFunctionDisplay.from_estimator(model)
    titles = [ax.get_title(loc="left") for ax in display.axes_]
    assert titles == list(model.shapes_)
    few = ShapeFunctionDisplay.from_estimator(model, n=2)
    assert len(few.axes_) == 2
    assert "2 strongest of 6" in few.figure_.get_suptitle()
    chosen = ShapeFunctionDisplay.from_estimator(model, ["day", ("town", "age")])
    assert [ax.get_title(loc="left") for ax in chosen.axes_] == ["day", "age x town"]


def test_a_shared_scale_is_one_for_steps_bars_and_colours():
    display = ShapeFunctionDisplay.from_estimator(handmade(), share_scale=True)
    by_name = {ax.get_title(loc="left"): ax for ax in display.axes_}
    assert by_name["age"].get_ylim() == by_name["day"].get_ylim()
    reach = max(abs(end) for panel in display.terms for end in panel.reach)
    clims = {by_name[pair].collections[0].get_clim() for pair in ("age x town", "town x day")}
    assert clims == {(-reach, reach)}


def test_a_sheet_of_classes_has_one_legend():
    display = ShapeFunctionDisplay.from_estimator(handmade(CLASSES))
    assert all(ax.get_legend() is None for ax in display.axes_)
    [legend] = display.figure_.legends
    assert texts(legend.get_texts()) == list(CLASSES)


def test_given_axes_are_drawn_on():
    from matplotlib.figure import Figure

    ax = Figure().subplots()
    display = ShapeFunctionDisplay.from_estimator(handmade(), "age", ax=ax)
    assert display.ax_ is ax
    assert display.figure_ is ax.figure
    axes = Figure().subplots(1, 2)
    display = ShapeFunctionDisplay.from_estimator(handmade(), ["age", "town"], ax=axes)
    assert list(display.axes_) == list(axes)
    with pytest.raises(ValueError, match="ax holds 2 axes, and there are 6 terms"):
        ShapeFunctionDisplay.from_estimator(handmade(), ax=axes)


def test_a_sheet_can_be_written(tmp_path):
    path = tmp_path / "sheet.png"
    ShapeFunctionDisplay.from_estimator(handmade()).figure_.savefig(path)
    assert matplotlib.image.imread(path)[..., :3].std() > 0.02


def test_names_are_no_formulas():
    panel = many_levels(3)
    panel = Term(
        "cost in $ or $", *(getattr(panel, f) for f in list(panel.__dataclass_fields__)[1:])
    )
    display = ShapeFunctionDisplay([panel], "log-odds of $x^$").plot()
    assert display.ax_.get_title(loc="left") == r"cost in \$ or \$"
    display.figure_.draw_without_rendering()


def test_what_has_no_shapes_is_refused():
    X = np.arange(8.0)[:, None]
    with pytest.raises(TypeError, match="DecisionTreeClassifier, which has no shapes"):
        ShapeFunctionDisplay.from_estimator(wl.DecisionTreeClassifier().fit(X, X[:, 0] > 3))
    with pytest.raises(TypeError, match=r"term is a DataFrame.*as X="):
        drawn(handmade(), table())
    with pytest.raises(KeyError, match=r"aeg.*Did you mean 'age'"):
        drawn(handmade(), "aeg")


def test_a_model_without_terms_has_nothing_to_draw():
    model = handmade()
    model.ensemble_ = model.ensemble_.with_terms(())
    with pytest.raises(ValueError, match="no terms to draw"):
        ShapeFunctionDisplay.from_estimator(model)


def test_fitted_models_are_drawn():
    X = table(repeat=20)
    names = np.where(X["age"].fillna(50) > 45, "old", "young")
    model = wl.AdditiveBoostingClassifier(n_estimators=10).fit(X, names)
    display = ShapeFunctionDisplay.from_estimator(model, X=X)
    assert {ax.get_title(loc="left") for ax in display.axes_} == set(model.shapes_)
    assert "log-odds of young" in display.figure_.get_suptitle()
    importance = wl.show.ImportanceDisplay.from_estimator(model)
    assert importance.ax_.get_xlabel() == "share of all contributions"
    with pytest.raises(TypeError, match="ShapeFunctionDisplay"):
        wl.show.draw(model, X, names)


@pytest.mark.parametrize("small", [False, True])
def test_dates_of_any_span_have_few_ticks_and_no_complaint(small):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for seconds in np.geomspace(3, 3e9, 120):
            span = np.array([0, int(seconds)], "M8[s]") + np.timedelta64(54, "Y").astype("m8[s]")
            places, texts = ticks(ordered("day", span.astype("M8[ns]")), small)
            assert 1 <= len(places) == len(texts) <= (4 if small else 6) + 1


@pytest.mark.parametrize("start", [2**60, -(2**62), 2**63, 2.0**60])
def test_numbers_that_are_large_beside_their_span_are_counted_from_a_round_one(start):
    rng = np.random.default_rng(0)
    step = 256 if isinstance(start, float) else 1
    kind = np.uint64 if start == 2**63 else None
    keys = np.array([start + step * int(k) for k in rng.integers(0, 1000, 200)], kind)
    X, y = keys[:, None], keys > np.sort(keys)[100]
    model = wl.AdaBoostClassifier(n_estimators=3).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ax = ShapeFunctionDisplay.from_estimator(model, X=X).ax_
        ax.figure.canvas.draw()
    low, high = ax.get_xlim()
    assert 0 <= low < high < 1e7
    origin = int(ax.get_xlabel().replace("+ ", "− -").split("− ")[1])
    assert int(keys.min()) - origin == low
    texts = [text.get_text() for text in ax.get_xticklabels()]
    assert len(set(texts)) == len(texts) > 1


def test_a_column_of_one_small_value_is_counted_from_0():
    assert ordered("age", np.array([37.0])).name == "age"


def test_pairs_of_long_names_keep_both():
    from weaklearn.show.text_fit import short_pair

    assert short_pair("a x b") == "a x b"
    first, second = short_pair(f"{'a' * 40} x {'b' * 40}").split(" x ")
    assert first.startswith("aaa")
    assert second.startswith("bbb")

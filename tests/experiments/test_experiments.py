"""Every experiment in its quick form, on what is bundled or made."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from tests.experiments import made_folder
from weaklearn.experiments.catalogue import EXPERIMENTS
from weaklearn.experiments.data_folder import DataFolder, NoDataError, data_folder
from weaklearn.experiments.made_data import ringnorm, threenorm, twonorm
from weaklearn.experiments.parts import Parts
from weaklearn.experiments.published_tables import COLUMNS, TABLES
from weaklearn.experiments.result import MARKS, THEOREM, Result, from_record
from weaklearn.experiments.setting import Setting
from weaklearn.experiments.trials import half_width, spread_places, staged_errors
from weaklearn.experiments.weak_learners import by_voting


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_folder.photographs(made_folder.tables(tmp_path_factory.mktemp("data")))


@pytest.fixture(scope="module")
def found(folder: Path) -> dict[str, Result]:
    """The results that were asked for so far."""
    return {}


def result(name: str, folder: Path, found: dict[str, Result]) -> Result:
    if name not in found:
        found[name] = EXPERIMENTS[name].run(Setting(DataFolder(folder), quick=True))
    return found[name]


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_quick_form(name: str, folder: Path, found: dict[str, Result]) -> None:
    got = result(name, folder, found)
    assert got.runs
    assert all(table.rows for table in got.tables)
    for row in (row for table in got.tables for row in table.rows):
        assert row.mark in {"", *MARKS}
        assert row.published is None or row.mark or row.name.startswith("wrong of the ten")
        assert not isinstance(row.ours, float) or math.isfinite(row.ours)
    for line in (line for chart in got.charts for line in chart.lines):
        assert len(line.x) == len(line.y)
        assert len(line.spread) in (0, len(line.x))
    assert from_record(got.record()) == got


def test_ten_points_are_those_of_the_book(folder: Path, found: dict[str, Result]) -> None:
    rows = [row for table in result("ten-points", folder, found).tables for row in table.rows]
    assert len(rows) == 40
    assert all(row.difference == 0 for row in rows)


@pytest.mark.parametrize("name", ["online-bounds", "sample-complexity"])
def test_bounds_hold(name: str, folder: Path, found: dict[str, Result]) -> None:
    tables = result(name, folder, found).tables
    rows = [row for table in tables for row in table.rows if row.mark == THEOREM]
    assert rows
    assert all(row.difference <= 1e-9 for row in rows)


def test_the_two_sides_of_a_game_meet(folder: Path, found: dict[str, Result]) -> None:
    values, margins = result("games", folder, found).tables
    for row in values.rows:
        assert abs(row.difference) < 0.05
        assert row.difference >= -1e-9 or not row.name.endswith("from above")
        assert row.difference <= 1e-9 or not row.name.endswith("from below")
    assert margins.rows[-1].name.startswith("LPBoost")
    assert abs(margins.rows[-1].difference) < 1e-5


def test_convex_losses_miss_half_of_four_points(folder: Path, found: dict[str, Result]) -> None:
    assert [row.ours for row in result("label-noise", folder, found).tables[-1].rows] == [50.0] * 3


def test_bias_and_variance_add_up(folder: Path, found: dict[str, Result]) -> None:
    for table in result("bias-variance", folder, found).tables[1:]:
        ours = np.reshape([row.ours for row in table.rows], (-1, 3))
        np.testing.assert_allclose(ours[:, 0] + ours[:, 1], ours[:, 2], atol=1e-9)


def test_a_face_is_found(folder: Path, found: dict[str, Result]) -> None:
    got = result("faces", folder, found)
    assert [row.ours for row in got.tables[0].rows if row.name.startswith("0 false")] == [100.0]
    assert any("haarcascade_frontalface_alt2.xml" in remark for remark in got.remarks)


def test_tables_that_are_absent_are_named(folder: Path, found: dict[str, Result]) -> None:
    remarks = result("uci-tables", folder, found).remarks
    assert any("soybean_small" in remark and remark.startswith("Left out") for remark in remarks)


def test_published_tables() -> None:
    assert len(TABLES) == 22
    assert sum(table.counts for table in TABLES) == 21  # vowel is not counted
    for table in TABLES:
        errors = dict(zip(COLUMNS, table.errors, strict=True))
        assert (errors["FindAttrTest boosted, pseudo-loss"] is None) == (table.classes == 2)


# ------------------------------------------------------------------------------------ faulty data


def test_without_a_folder() -> None:
    setting = Setting(data_folder(None), quick=True)
    with pytest.raises(NoDataError, match="needs photos; name a folder"):
        EXPERIMENTS["faces"].run(setting)
    with pytest.raises(NoDataError, match="needs the table ionosphere"):
        setting.data.table("ionosphere", 351, 34, 2)
    assert len(setting.data.table("iris", 150, 4, 3)) == 150


def test_half_a_table(tmp_path: Path) -> None:
    made_folder.table(tmp_path, "labor", ["a", "b"], *made_folder.numbers(20, 2, 2))
    with pytest.raises(NoDataError, match=r"20 rows, 2 columns .* labor has 57, 16 and 2"):
        DataFolder(tmp_path).table("labor", 57, 16, 2)
    (tmp_path / "labor.csv").write_bytes(b'a,b\n1,"2\n')
    with pytest.raises(NoDataError):
        DataFolder(tmp_path).table("labor", 57, 16, 2)
    (tmp_path / "votes1.csv").mkdir()
    with pytest.raises(NoDataError):
        DataFolder(tmp_path).table("votes1", 435, 15, 2)


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ("", "names no photograph"),
        ("file,x_min\n0.png,1", "line 2 needs a file"),
        ("file,x_min,y_min,x_max,y_max\n../0.png,1,2,3,4", "line 2 needs a file"),
        ("file,x_min,y_min,x_max,y_max\n0.png,1,2,3,", "line 2: could not convert"),
        ("file,x_min,y_min,x_max,y_max\nabsent.png,1,2,3,4", "absent.png"),
        ("file,x_min,y_min,x_max,y_max\nhalf.png,1,2,3,4", "half.png"),
    ],
)
def test_faulty_photographs(tmp_path: Path, lines: str, why: str) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "boxes.csv").write_text(lines)
    (tmp_path / "photos" / "half.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    with pytest.raises(NoDataError, match=why):
        EXPERIMENTS["faces"].run(Setting(DataFolder(tmp_path), quick=True))


def test_a_faulty_detector(tmp_path: Path) -> None:
    made_folder.photographs(tmp_path)
    kept = (tmp_path / "detector.weak").read_bytes()
    (tmp_path / "detector.weak").write_bytes(kept[: len(kept) // 2])
    with pytest.raises(NoDataError, match=r"detector\.weak"):
        EXPERIMENTS["faces"].run(Setting(DataFolder(tmp_path), quick=True))


# ------------------------------------------------------------------------------------------ parts


def test_parts_are_made_once(tmp_path: Path) -> None:
    made: list[str] = []

    def work() -> list[float]:
        made.append("once")
        return [1.5]

    for key in ({"seed": 0}, {"seed": 0}, {"seed": 1}):
        setting = Setting(DataFolder(), parts=Parts(tmp_path / "parts.json", key))
        assert setting.part("one", work) == [1.5]
    assert len(made) == 2  # those of another seed are others
    (tmp_path / "parts.json").write_text('{"key": {"seed": 1}, "par')
    assert setting.part("one", work) == [1.5]
    assert len(made) == 3  # half a file counts as none


def test_parts_of_fewer_training_sets_are_not_taken(tmp_path: Path) -> None:
    kept, run = Parts(tmp_path / "parts.json", {}), EXPERIMENTS["bias-variance"].run
    run(Setting(DataFolder(), quick=True, parts=kept, runs=2))
    assert run(Setting(DataFolder(), quick=True, parts=kept)) == run(
        Setting(DataFolder(), quick=True)
    )


def test_repeats_are_bounded() -> None:
    assert Setting(DataFolder()).repeats(10, 2) == 10
    assert Setting(DataFolder(), quick=True).repeats(10, 2) == 2
    assert Setting(DataFolder(), runs=3).repeats(10, 2) == 3


def test_trials() -> None:
    assert half_width([1.0]) is None
    assert half_width([1.0, 3.0]) == pytest.approx(12.706, abs=1e-3)  # Student's, of two
    assert spread_places(1).tolist() == [1]

    class Staged:
        def staged_predict(self, X: object) -> list[np.ndarray]:
            return [np.array([0, 1]), np.array([0, 0])]

    assert staged_errors(Staged(), None, np.array([0, 0]), 3).tolist() == [50.0, 0.0, 0.0]


def test_votes_of_a_bag_are_counted() -> None:
    class Member:
        def __init__(self, answers: list[str]) -> None:
            self.answers = np.array(answers, object)

        def predict(self, X: object) -> np.ndarray:
            return self.answers

    class Bag:
        classes_ = np.array(["a", "b"], object)
        estimators_ = (
            Member(["a", "b"]),
            Member(["b", "b"]),
            Member(["b", "a"]),
            Member(["a", "a"]),
        )

    assert by_voting(Bag(), [0, 1]).tolist() == ["a", "a"]  # of equals the first


@pytest.mark.parametrize("draw", [twonorm, threenorm, ringnorm])
def test_made_problems_can_be_learnt(draw: object) -> None:
    X, y = draw(4000, np.random.default_rng(0))
    assert X.shape == (4000, 20)
    assert set(y) == {-1, 1}
    if draw is twonorm:  # the optimal rule errs on 2.3 %
        assert np.mean(np.sign(X.sum(axis=1)) != y) < 0.04

"""Points of the lab's page, picked, dragged, added, deleted and flipped in a real browser."""

from __future__ import annotations

import re

import numpy as np
import pytest

import weaklearn as wl
from tests.browser import Visitor, needed
from tests.lab.page import choose, click, drag, mouse, open_at, where

pytestmark = [needed, pytest.mark.slow]

RIGHT, END, TAB, ENTER, DELETE = "\ue014", "\ue010", "\ue004", "\ue007", "\ue017"
# On the plane of the ten points, with its margins: where the point (3, 8) and the point (1, 2) are.
X, Y = wl.datasets.toy()
LOW = X.min(axis=0) - 0.08 * np.ptp(X, axis=0)
HIGH = X.max(axis=0) + 0.08 * np.ptp(X, axis=0)


def at(i: int) -> tuple[float, float]:
    across, up = (X[i] - LOW) / (HIGH - LOW)
    return float(across), float(up)


def use(page: Visitor, tool: str) -> None:
    page.run("document.querySelector(`[name=tool][value='${arguments[0]}']`).click()", tool)


def test_a_click_says_what_a_point_weighs_and_who_votes_for_it(page: Visitor) -> None:
    page.press(RIGHT, RIGHT, RIGHT)
    click(page, *at(2))
    watched = list(wl.rounds(wl.AdaBoostClassifier(n_estimators=3), X, Y))
    said = page.text("#card")
    assert f"weight {watched[2].D[2]:.3f} in round 3" in said
    assert f"margin {watched[2].margins[2]:.3f};" in said
    right = [bool(r.h.predict(X[[2]])[0] == Y[2]) for r in watched]
    pro = sum(r.alpha for r, good in zip(watched, right) if good)
    contra = sum(r.alpha for r, good in zip(watched, right) if not good)
    assert f"for it 2 rules with {pro:.3f} in sum, against it 1 rule with {contra:.3f}" in said
    bars = page.run("return [...document.querySelectorAll('.ballot li i')].map(e => e.className)")
    sides = ["plus" if r.h.predict(X[[2]])[0] > 0 else "minus" for r in watched]
    assert bars == sides
    assert page.texts(".ballot .size") == [f"{r.alpha:.3f}" for r in watched]
    assert page.run("return document.querySelectorAll('#margins .picked').length") == 1
    click(page, 0.99, 0.5)  # where there is none
    assert page.text("#card").startswith("Click a point")


def test_bars_follow_the_pointer(page: Visitor) -> None:
    page.press(RIGHT)
    for across, side in ((0.05, "plus"), (0.9, "minus")):
        mouse(page, ("mouseMoved", across, 0.4))
        bar = "return document.querySelector('.ballot li i').className"
        page.until(lambda: page.run(bar) == side)  # noqa: B023


def test_points_held_out_have_an_error_of_their_own(page: Visitor) -> None:
    open_at(page, "data=moons&n=200&held_out=0.4&rounds=10&t=10&noise=0.1")
    page.until(lambda: where(page) == "Round 10 / 10")
    assert "X_test" in page.text("#python")
    assert not page.run("return document.querySelector('.tested').hidden")
    assert 0 <= float(page.text(".test")) < 0.5
    assert page.run("return document.querySelectorAll('#errors .tested').length") > 0
    assert "test error" in page.run(
        "return document.querySelector('#errors svg').getAttribute('aria-label')"
    )
    choose(page, "held", 0)
    page.until(lambda: page.run("return document.querySelector('.tested').hidden"))


def test_a_point_of_any_set_is_dragged_and_put_back(page: Visitor) -> None:
    page.press(RIGHT)
    drag(page, at(0), (0.95, 0.5))
    page.until(lambda: page.run("return document.getElementById('data').value") == "own")
    page.until(lambda: re.search(r"\(9\.\d+, (5\.0|4\.9)\d*, 1\)", page.text("#python")))
    assert page.text("#python").count("    (") == 10
    assert page.run("return document.getElementById('noise').disabled")
    page.run("document.body.focus()")
    page.driver.find_element("id", "undo").click()
    page.until(lambda: "wl.datasets.toy()" in page.text("#python"))
    assert page.complaints() == []


def test_points_are_added_deleted_and_flipped_in_any_set(page: Visitor) -> None:
    use(page, "0")
    click(page, 0.5, 0.02)
    page.until(lambda: page.text("#python").count("    (") == 11)
    use(page, "delete")
    click(page, 0.5, 0.02)
    page.until(lambda: page.text("#python").count("    (") == 10)
    use(page, "flip")
    labels = [int(v) for v in re.findall(r", (-?1)\),", page.text("#python"))]
    assert labels == Y.tolist()
    drag(page, at(3), at(4))  # over both
    page.until(lambda: page.run("return !document.getElementById('legend-flipped').hidden"))
    page.until(lambda: flipped(page) == [i for i in range(10) if i in (3, 4)])
    page.run("document.getElementById('hide').click()")
    page.driver.find_element("id", "undo").click()
    page.until(lambda: flipped(page) == [])
    page.driver.find_element("id", "clear").click()
    page.until(lambda: "both classes" in page.text(".rule"))
    page.driver.find_element("id", "undo").click()
    page.until(lambda: page.text("#python").count("    (") == 10)
    assert page.complaints() == []


def flipped(page: Visitor) -> list[int]:
    labels = [int(v) for v in re.findall(r", (-?1)\),", page.text("#python"))]
    return [i for i, label in enumerate(labels) if label != Y[i]]


def test_points_by_the_keyboard(page: Visitor) -> None:
    page.press(RIGHT)
    page.run("document.getElementById('undo').focus()")
    page.press(TAB, TAB)
    assert page.run("return document.activeElement.tagName") == "CANVAS"
    page.press(*[RIGHT] * 3)
    assert where(page) == "Round 1 / 40"  # the arrows are the plane's now
    use(page, "1")
    page.run("document.querySelector('.panel canvas').focus()")
    page.press(ENTER)
    page.until(lambda: page.text("#python").count("    (") == 11)
    page.press(DELETE)
    page.until(lambda: page.text("#python").count("    (") == 10)


def test_a_finger_drags_points(page: Visitor) -> None:
    page.look(400, 860)
    x0, y0 = page.run(
        "const c = document.querySelector('.panel canvas');"
        "c.scrollIntoView({block: 'center'}); const b = c.getBoundingClientRect();"
        "return [b.left + arguments[0] * b.width, b.top + (1 - arguments[1]) * b.height]",
        *at(0),
    )
    page.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    try:
        for kind, x, y in (
            ("touchStart", x0, y0),
            ("touchMove", x0 + 30, y0 - 30),
            ("touchMove", x0 + 90, y0 - 60),
            ("touchEnd", None, None),
        ):
            points = [] if x is None else [{"x": x, "y": y}]
            page.driver.execute_cdp_cmd(
                "Input.dispatchTouchEvent", {"type": kind, "touchPoints": points}
            )
        page.until(lambda: "rows = [" in page.text("#python"))
    finally:
        page.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
    assert page.text("#python").count("    (") == 10

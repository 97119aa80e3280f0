"""Scenes beside the plane, against the models that they show."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import weaklearn as wl
from tests.browser import Visitor, needed
from tests.lab.page import open_at
from tests.lab.visiting import ask, opened
from weaklearn.lab.exhibits import exhibit
from weaklearn.lab.refusal import Refusal

RIGHT = "\ue014"


def test_hedge_is_the_library_s() -> None:
    shown = exhibit({"exhibit": "hedge"})
    losses = np.array(shown["losses"])
    model = wl.Hedge(n_rounds=len(losses)).fit(losses)
    assert shown["total"][-1] == pytest.approx(model.total_loss_)
    assert shown["best"][-1] == model.best_loss_
    assert shown["bound"][-1] == pytest.approx(model.bound_)
    assert (np.array(shown["total"]) <= np.array(shown["bound"])).all()
    np.testing.assert_allclose(np.sum(shown["p"], axis=1), 1)


def test_reasons_of_a_message_add_up_to_its_label() -> None:
    for text in exhibit({"exhibit": "spam"})["examples"]:
        shown = exhibit({"exhibit": "spam", "text": text})
        total = shown["base"] + sum(by for _, by in shown["reasons"])
        assert (total > 0) == (shown["label"] == "spam") == (shown["probability"] > 0.5)


def test_features_lie_on_the_face() -> None:
    pytest.importorskip("skimage")
    shown = exhibit({"exhibit": "face"})
    assert len(shown["features"]) == len(shown["epsilon"]) == len(shown["error"])
    for rects in shown["features"]:
        assert sum(h * w * weight for _, _, h, w, weight in rects) == 0
        assert all(top + h <= shown["size"] >= left + w for top, left, h, w, _ in rects)
    assert {len(face) for face in shown["faces"]} == {shown["size"] ** 2}


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"exhibit": "../faces"}, "there is no such scene; there are hedge, face, spam"),
        ({"exhibit": ["hedge"]}, "there is no such scene"),
        ({"exhibit": "hedge", "text": "x"}, "the scene hedge takes no other fields"),
        ({"exhibit": "spam", "seed": 1}, "the scene spam takes no other fields"),
        ({"exhibit": "spam", "text": "x" * 401}, "a message of 1 to 400 characters"),
        ({"exhibit": "spam", "text": 7}, "a message of 1 to 400 characters"),
        ({"exhibit": "spam", "text": ""}, "a message of 1 to 400 characters"),
    ],
)
def test_other_requests_are_refused(asked: dict[str, Any], told: str) -> None:
    with pytest.raises(Refusal, match=told):
        exhibit(asked)


def test_they_need_the_token() -> None:
    with opened() as server:
        assert ask(server, "POST", "/recording", {"exhibit": "hedge"}, token=None).status == 401
        assert ask(server, "POST", "/recording", {"exhibit": "hedge"}).status == 200
        assert ask(server, "POST", "/recording", {"exhibit": "x"}).status == 422


@needed
@pytest.mark.slow
def test_they_are_stepped_through_in_the_browser(page: Visitor) -> None:
    def view(name: str) -> None:
        page.run(
            "const e = document.getElementById('view'); e.value = arguments[0];"
            "e.dispatchEvent(new Event('change'))",
            name,
        )

    view("hedge")
    page.until(lambda: page.text("#step-where") == "Round 1 / 80")
    shown = exhibit({"exhibit": "hedge"})
    page.press(RIGHT)
    assert page.texts(".share") == [f"{p:.3f}" for p in shown["p"][2]]
    assert "view=hedge" in page.until(
        lambda: (h := page.run("return location.hash")).count("step=2") and h
    )
    view("spam")
    page.until(lambda: page.text("#exhibit-title") == "Rules in a message")
    page.until(lambda: len(page.texts("mark")) > 0)
    hostile = "<img src=x onerror=window.pwned=1> free prize now"
    page.run("document.getElementById('text').value = arguments[0]", hostile)
    page.driver.find_element("css selector", "#writing button").click()
    page.until(lambda: page.texts(".letter") == [hostile])
    assert "free" in page.texts("mark")
    assert page.run("return window.pwned === undefined")
    view("plane")
    assert page.run("return document.getElementById('stage').offsetParent !== null")
    pytest.importorskip("skimage")
    open_at(page, "view=face&step=2")
    page.until(lambda: "Feature 2" in str([*page.texts(".caption"), page.text("#message")]), 60)
    page.look(400, 860)
    assert page.run("return document.documentElement.scrollWidth") <= 400
    assert page.complaints() == []

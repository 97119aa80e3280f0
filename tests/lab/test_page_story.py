"""The story, the address and what can be taken away, in a real browser."""

from __future__ import annotations

import base64
import io
import re
from typing import Any

import pytest

from tests.browser import Visitor, needed
from tests.lab.page import choose, open_at, where
from tests.lab.visiting import TOKEN
from weaklearn.lab.server import LabServer

pytestmark = [needed, pytest.mark.slow]

RIGHT, ESCAPE = "\ue014", "\ue00c"
SCENES = 10


def hash_of(page: Visitor) -> str:
    found: str = page.run("return location.hash")
    return found


def tell(page: Visitor, name: str) -> None:
    page.driver.find_element("id", name).click()


def test_ten_scenes_move_the_picture(page: Visitor) -> None:
    tell(page, "tell")
    pictures = set()
    for k in range(1, SCENES + 1):
        page.until(lambda: page.text("#scene-count") == f"{k} of {SCENES}")  # noqa: B023
        page.until(lambda: page.run("return !document.body.hasAttribute('aria-busy')"))
        assert page.text("#message") == ""
        assert page.text("#scene-theorem")
        assert page.text("#scene-source").startswith("Tutorial: Chapter")
        for phrase in page.driver.find_elements("css selector", ".phrase"):
            phrase.click()
            page.until(lambda: page.run("return !document.body.hasAttribute('aria-busy')"))
            assert page.text("#message") == ""
        pictures.add((page.text(".panel .name"), page.text(".rule"), page.text("#python")))
        if k < SCENES:
            tell(page, "later")
    assert len(pictures) == SCENES
    page.press(ESCAPE)
    assert page.run("return document.getElementById('scene').hidden")
    assert page.complaints() == []


def test_what_the_scenes_say_is_so(page: Visitor) -> None:
    tell(page, "tell")
    page.until(lambda: where(page) == "Round 1 / 3")
    assert page.text(".epsilon") == "0.300"
    open_at(page, "data=slope&n=400&held_out=0.5&rounds=200&seed=8&t=20")
    page.until(lambda: where(page) == "Round 20 / 200")
    assert page.text(".error") == "0.000"
    earlier = float(page.text(".test"))
    page.press("\ue010")
    assert float(page.text(".test")) < 0.7 * earlier
    open_at(page, "data=toy&rounds=60&boosters=adaboost,lpboost&t=4")
    page.until(lambda: page.texts(".panel .name") == ["AdaBoost", "LPBoost"])
    page.until(lambda: where(page) == "Round 4 / 60")
    assert page.text(".panel.second .notes").startswith("Ended after 4 rounds")


def test_the_address_holds_all_and_gives_it_back(page: Visitor, server: LabServer) -> None:
    address = (
        "data=own&held_out=0.2&seed=3&rounds=7&boosters=adaboost,brownboost"
        "&first.learning_rate=0.5&points=1_2_1~2_2.5_-1_f~3_4_1~4_4_-1~8_8_1~9_9.25_-1"
        "&learner=tree-2&t=2&log=1&large=1"
    )
    open_at(page, address)
    page.until(lambda: page.text(".panel .name") == "AdaBoost, learning rate 0.5")
    page.until(lambda: where(page) == "Round 2 / 7")
    page.until(lambda: "points=1_2_1" in hash_of(page) and "&t=2" in hash_of(page))
    kept = hash_of(page)
    for part in ("held_out=0.2", "seed=3", "rounds=7", "first.learning_rate=0.5", "2_2.5_-1_f"):
        assert part in kept
    shown = page.text("#python"), where(page)
    page.driver.get("about:blank")
    page.driver.get(f"http://127.0.0.1:{server.server_port}/{kept}&token={TOKEN}")
    page.until(lambda: (page.text("#python"), where(page)) == shown)
    assert TOKEN not in page.driver.current_url
    assert page.run("return document.body.classList.contains('large')")
    assert page.run("return document.getElementById('log').checked")
    page.driver.refresh()
    page.until(lambda: (page.text("#python"), where(page)) == shown)


HOSTILE = [
    ("data=moon", "data names nothing that can be chosen"),
    ("data=constructor", "data names nothing"),
    ("n=1e3", "n must be a whole number between 10 and 500"),
    ("rounds=99999", "rounds must be a whole number between 1 and 200"),
    ("noise=NaN", "noise must be a number between 0 and 0.4"),
    ("seed=1&seed=2", "seed stands in it twice"),
    ("boosters=adaboost,adaboost,adaboost", "more than two boosters"),
    ("boosters=__proto__", "boosters names nothing"),
    ("first.__proto__=1", "is no setting of its booster"),
    ("second.nu=1", "is no setting of its booster"),
    ("first.learning_rate=9", "first.learning_rate must be a number between 0.05 and 2"),
    ("data=own&points=" + "~".join(["1_1_1"] * 1001), "it holds 1001 points; 500 are allowed"),
    ("data=own&points=1_1_1~11_1_1", "point 2 is no point between 0 and 10"),
    ("data=own&points=<img src=x onerror=window.pwned=1>", "point 1 is no point"),
    ("<script>window.pwned=1</script>=1", "is no part of it"),
    ("scene=11", "scene must be a whole number between 1 and 10"),
    ("t=" + "1" * 40_000, "it is longer than 32000 characters"),
]


def test_a_hostile_address_is_refused_with_a_sentence(page: Visitor) -> None:
    for address, told in HOSTILE:
        open_at(page, address)
        page.until(lambda: told in page.text("#message"), 60)  # noqa: B023
        assert page.text("#message").startswith("This address is refused: ")
        page.until(lambda: page.run("return !document.body.hasAttribute('aria-busy')"), 60)
        assert where(page) == "Round 0 / 40"  # the picture is as it was
        assert "wl.datasets.toy()" in page.text("#python")
        assert page.run("return window.pwned === undefined")
    choose(page, "rounds", 5)
    page.until(lambda: where(page) == "Round 0 / 5")
    assert page.text("#message") == ""
    assert page.complaints() == []


def taken(page: Visitor, name: str) -> bytes:
    """What a button would put into a file."""
    page.run(
        "window.taken = []; const made = URL.createObjectURL;"
        "URL.createObjectURL = (blob) => { window.taken.push(blob); return 'data:,'; };"
        "window.made = made"
    )
    tell(page, name)
    page.until(lambda: page.run("return window.taken.length") == 1)
    script = (
        "const done = arguments[0]; const reader = new FileReader();"
        "reader.onload = () => done(reader.result); reader.readAsDataURL(window.taken[0])"
    )
    found: str = page.driver.execute_async_script(script)
    page.run("URL.createObjectURL = window.made")
    return base64.b64decode(found.partition(",")[2])


def test_pictures_and_an_animation(page: Visitor) -> None:
    image: Any = pytest.importorskip("PIL.Image")
    choose(page, "rounds", 4)
    page.until(lambda: where(page) == "Round 0 / 4")
    page.press(RIGHT)
    still = image.open(io.BytesIO(taken(page, "as-png")))
    assert still.size == (720, 720)
    assert len(still.convert("RGB").getcolors(1_000_000)) > 5
    drawing = taken(page, "as-svg").decode()
    assert drawing.startswith("<svg")
    assert "x₁" in drawing
    assert drawing.count("<path") > 10
    moving = image.open(io.BytesIO(taken(page, "as-animation")))
    assert moving.n_frames == 5
    frames = []
    for k in range(5):
        moving.seek(k)
        frames.append(moving.convert("RGB").tobytes())
    assert len(set(frames)) == 5
    assert frames[1] == still.convert("RGB").tobytes()


@pytest.mark.parametrize("width", [400, 1280])
def test_large_type_and_targets_of_a_finger(page: Visitor, width: int) -> None:
    open_at(page, "data=moons&n=60&noise=0.1&held_out=0.2&boosters=adaboost,brownboost&scene=7&t=3")
    page.until(lambda: page.text("#scene-count") == "7 of 10")
    page.until(lambda: len(page.texts(".panel canvas")) == 2)
    page.look(width, 860)
    before = page.run("return parseFloat(getComputedStyle(document.body).fontSize)")
    assert page.run("return document.documentElement.scrollWidth") <= width
    if width == 400:
        small = page.run(
            "return [...document.querySelectorAll('button:not(.phrase), select, input:not([type="
            "checkbox], [type=radio]), label.pen, label.tick, summary')].filter(e => e.offsetParent"
            " && e.getBoundingClientRect().height < 44).map(e => e.id || e.textContent)"
        )
        assert small == []
        page.run("scrollTo(0, 600)")
        bottom = page.run(
            "return document.getElementById('transport').getBoundingClientRect().bottom"
        )
        assert bottom <= 860  # the rounds stay at hand
    page.run("document.getElementById('large').click()")
    assert page.run("return parseFloat(getComputedStyle(document.body).fontSize)") > 1.2 * before
    assert page.run("return document.documentElement.scrollWidth") <= width


def test_nothing_moves_where_stillness_is_preferred(page: Visitor) -> None:
    still = [{"name": "prefers-reduced-motion", "value": "reduce"}]
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": still})
    page.run(
        "window.frames_asked = 0; const ask = requestAnimationFrame;"
        "window.requestAnimationFrame = (f) => { window.frames_asked++; return ask(f); }"
    )
    page.press(RIGHT, RIGHT)
    assert page.run("return window.frames_asked") == 0
    script = "return getComputedStyle(document.querySelector('.track i')).transitionDuration"
    assert re.fullmatch(r"0s(, 0s)*", page.run(script))

"""The lab in a real browser."""

from __future__ import annotations

import io
import re
from contextlib import redirect_stdout
from pathlib import Path

import pytest

import weaklearn as wl
from tests.browser import Visitor, needed
from tests.lab.page import choose, where, written
from tests.lab.visiting import TOKEN
from weaklearn.lab import export
from weaklearn.lab.server import LabServer

pytestmark = [needed, pytest.mark.slow]

LEFT, RIGHT, HOME, END, TAB, ENTER = "\ue012", "\ue014", "\ue011", "\ue010", "\ue004", "\ue007"

HOSTILE = [
    "<script>window.pwned = 1</script>",
    "</script><script>window.pwned = 1</script>",
    "</title><img src=x onerror='window.pwned = 1'>",
    '"><svg onload="window.pwned = 1">',
    "javascript:window.pwned=1",
    "<!--<script>",
    "-->",
    "{{constructor.constructor('window.pwned=1')()}}",
    "${window.pwned = 1}",
    "\u2028window.pwned = 1;//",
    "'; window.pwned = 1; '",
    "&lt;img src=x onerror=window.pwned=1&gt;",
    "<a href='https://evil.example'>x</a>",
    "=cmd|' /C calc'!A0",
    "<style>*{background:url(https://evil.example)}</style>",
    "\x00\x1b[31m\ud800",
]


def test_rounds_by_the_keyboard(page: Visitor) -> None:
    X, y = wl.datasets.toy()
    told = list(wl.rounds(wl.AdaBoostClassifier(n_estimators=3), X, y))
    for r in told:
        page.press(RIGHT)
        assert where(page) == f"Round {r.t} / 40"
        assert page.text(".rule") == f"Rule: {written(r.rule)}"
        shown = [page.text(f".{name}") for name in ("epsilon", "alpha", "error", "bound")]
        assert shown == [f"{v:.3f}" for v in (r.epsilon, r.alpha, r.error, r.bound)]
    page.press(LEFT)
    assert where(page) == "Round 2 / 40"
    page.press(END)
    assert where(page) == "Round 40 / 40"
    page.press(HOME)
    choose(page, "speed", 200)
    page.press(" ")
    page.until(lambda: where(page) in ("Round 2 / 40", "Round 3 / 40"))
    page.press(" ")
    at = where(page)
    assert page.text("#play") == "Play"
    page.run("document.getElementById('round').value = 9")
    page.run("document.getElementById('round').dispatchEvent(new Event('input'))")
    assert where(page) == "Round 9 / 40" != at
    assert page.complaints() == []


def test_focus_goes_round_and_is_seen(page: Visitor) -> None:
    script = (
        "const e = document.activeElement; const s = getComputedStyle(e);"
        "return [e.id, s.outlineStyle, parseFloat(s.outlineWidth)]"
    )
    seen = []
    for _ in range(30):
        page.press(TAB)
        name, style, width = page.run(script)
        if page.run("return document.activeElement === document.body"):
            break
        seen.append(name)
        assert style != "none", name
        assert width >= 2, name
    for name in ("data", "learner", "first", "second", "rounds", "noise", "play", "round"):
        assert name in seen


def test_two_boosters_side_by_side(page: Visitor) -> None:
    choose(page, "data", "moons")
    choose(page, "second", "brownboost")
    choose(page, "learner", "tree-2")
    page.until(lambda: page.texts(".panel .name") == ["AdaBoost", "BrownBoost"])
    page.press(RIGHT)
    left, right = page.run(
        "return [...document.querySelectorAll('.panel canvas')].map("
        "e => e.getBoundingClientRect().left)"
    )
    assert left < right
    assert page.run("return document.querySelectorAll('#margins path.curve').length") == 2
    assert page.run("return document.querySelectorAll('#errors path.second').length") > 0
    assert page.complaints() == []


def test_settings_of_boosters(page: Visitor) -> None:
    choose(page, "second", "brownboost")
    page.until(lambda: page.texts(".knobs legend") == ["AdaBoost", "BrownBoost"])
    page.run("document.querySelector('#more summary').click()")
    fields = "return [...document.querySelectorAll('.knobs input')].map(e => [e.name, e.value])"
    assert page.run(fields) == [["learning_rate", "1"], ["epsilon", ""]]
    turn = (
        "const e = document.querySelector(`[name=${arguments[0]}]`); e.value = arguments[1];"
        "e.dispatchEvent(new Event('input', {bubbles: true}))"
    )
    page.run(turn, "learning_rate", 0.5)
    page.run(turn, "epsilon", 0.2)
    names = ["AdaBoost, learning rate 0.5", "BrownBoost, error ε aimed at 0.2"]
    page.until(lambda: page.texts(".panel .name") == names)
    assert "AdaBoostClassifier(n_estimators=40, learning_rate=0.5)" in page.text("#python")
    assert "BrownBoostClassifier(n_estimators=40, epsilon=0.2)" in page.text("#python")
    page.run(turn, "learning_rate", 7)
    page.until(lambda: "AdaBoost, learning rate: a number between" in page.text("#message"))
    choose(page, "first", "lpboost")  # which has knobs of its own
    page.until(lambda: page.texts(".panel .name")[0] == "LPBoost")
    assert page.text("#message") == ""
    page.run(turn, "nu", 0.05)
    page.until(lambda: page.text("#message").startswith("nu=0.05 is not allowed: with 10"))


def test_points_of_ones_own(page: Visitor) -> None:
    choose(page, "data", "own")
    page.until(lambda: page.run("return document.querySelector('canvas.drawing') !== null"))
    click = (
        "const c = document.querySelector('canvas'), b = c.getBoundingClientRect();"
        "c.dispatchEvent(new MouseEvent('click', {bubbles: true, shiftKey: arguments[2],"
        "clientX: b.left + arguments[0] * b.width, clientY: b.top + arguments[1] * b.height}))"
    )
    page.run(click, 0.2, 0.2, False)
    page.run(click, 0.8, 0.8, True)
    page.until(lambda: "rows = [" in page.text("#python"))
    assert where(page) == "Round 1 / 1"  # one stump is enough, and its vote is shown at once
    assert re.search(r"\((2.0|1.9)\d*, (8.0|7.9)\d*, 1\)", page.text("#python"))
    assert re.search(r"\((8.0|7.9)\d*, (2.0|1.9)\d*, -1\)", page.text("#python"))
    page.run("document.querySelector('canvas').focus()")
    page.press(LEFT, LEFT, ENTER)
    page.until(lambda: "(4.6, 5.0, 1)" in page.text("#python"))
    page.run("document.getElementById('undo').click()")
    page.until(lambda: "(4.6, 5.0, 1)" not in page.text("#python"))
    for k in range(12):  # faster than runs are recorded: the page asks for the last of them
        page.run(click, k / 12, 0.5, k % 2 == 0)
    page.until(lambda: page.text("#python").count("    (") == 14)
    assert page.text("#message") == ""
    page.run("document.getElementById('clear').click()")
    page.until(lambda: "both classes" in page.text(".rule"))
    assert page.complaints() == []


def test_the_python_that_is_shown_gives_the_numbers_that_are_shown(page: Visitor) -> None:
    choose(page, "data", "circles")
    choose(page, "noise", 0.1)
    choose(page, "rounds", 4)
    choose(page, "first", "real-adaboost")
    page.until(lambda: "RealAdaBoostClassifier" in page.text("#python"))
    page.until(lambda: where(page) == "Round 0 / 4")
    page.press(END)
    out = io.StringIO()
    with redirect_stdout(out):
        exec(compile(page.text("#python"), "the page", "exec"), {})
    grant = {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]}
    page.driver.execute_cdp_cmd("Browser.grantPermissions", grant)
    page.run("document.getElementById('code').open = true")
    page.driver.find_element("id", "copy").click()
    page.until(lambda: page.text("#copied") == "Copied.")
    script = "navigator.clipboard.readText().then(arguments[0])"
    assert page.driver.execute_async_script(script) == page.text("#python")
    _, epsilon, _, error, _ = out.getvalue().splitlines()[-1].split(maxsplit=4)
    assert page.text(".epsilon") == f"{float(epsilon):.3f}"
    assert page.text(".error") == f"{float(error):.3f}"


def test_the_token_leaves_the_address_and_lasts_a_reload(page: Visitor, server: LabServer) -> None:
    assert TOKEN not in page.driver.current_url
    assert "token" not in page.run("return document.cookie + location.href")
    page.driver.refresh()
    page.until(lambda: where(page) == "Round 0 / 40")
    own = f"http://127.0.0.1:{server.server_port}/"
    assert all(address.startswith((own, "data:")) for address in page.fetched())
    assert not any(TOKEN in address for address in page.fetched())


def test_without_a_token_the_page_says_what_to_do(page: Visitor, server: LabServer) -> None:
    page.run("sessionStorage.clear()")
    page.driver.get(f"http://127.0.0.1:{server.server_port}/")
    page.until(lambda: "open the address that the terminal shows" in page.text("#message"))


def test_a_wrong_number_is_told(page: Visitor) -> None:
    choose(page, "rounds", 1000)
    page.until(lambda: page.text("#message") == "Rounds: a whole number between 1 and 200, please.")
    choose(page, "rounds", 5)
    page.until(lambda: where(page) == "Round 0 / 5")
    assert page.text("#message") == ""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_small_screen(page: Visitor, scheme: str) -> None:
    choose(page, "second", "lpboost")
    page.until(lambda: len(page.texts(".panel canvas")) == 2)
    page.look(400, 860, scheme)
    page.press(RIGHT)
    assert page.run("return document.documentElement.scrollWidth") <= 400
    paper = page.run("return getComputedStyle(document.body).backgroundColor")
    light = sum(int(v) for v in paper.removeprefix("rgb(").removesuffix(")").split(",")) > 380
    assert light == (scheme == "light")
    small = page.run(
        "return [...document.querySelectorAll('button, select, input')].filter(e =>"
        "e.offsetParent && e.getBoundingClientRect().height < 24).map(e => e.id)"
    )
    assert small == []  # everything can be hit with a finger


def test_a_replay_opens_from_disk(browser: Visitor, tmp_path: Path) -> None:
    path = export(tmp_path / "run.html", boosters=["adaboost", "lpboost"], data="xor", rounds=6)
    browser.look(1280)
    browser.driver.get(path.as_uri())
    browser.until(lambda: where(browser) == "Round 0 / 6")
    browser.press(RIGHT)
    assert where(browser) == "Round 1 / 6"
    assert browser.texts(".panel .name") == ["AdaBoost", "LPBoost"]
    assert browser.fetched() == []
    assert browser.complaints() == []
    assert not browser.run("return document.getElementById('choices').offsetParent")


def test_ten_thousand_hostile_names_are_but_text(browser: Visitor, tmp_path: Path) -> None:
    names = [f"{HOSTILE[k % len(HOSTILE)]} {k}" for k in range(10_000)]
    one, other = "A" + "\n".join(names[::2]), "B" + "\n".join(names[1::2])
    X = [[0, 0], [1, 1], [2, 2], [3, 0]]
    path = tmp_path / "run.html"
    title, axes = "".join(HOSTILE), ["\n".join(names), HOSTILE[2]]
    export(path, X, [one, other, one, other], rounds=2, title=title, axes=axes)
    browser.driver.get(path.as_uri())
    browser.until(lambda: where(browser).startswith("Round 0 / "))
    browser.press(RIGHT)
    assert browser.run("return window.pwned === undefined")
    assert browser.run("return document.querySelectorAll('script').length") == 2
    assert (
        browser.run("return document.querySelectorAll('main img, main a, main style').length") == 0
    )
    clean = one.encode("utf-8", "replace").decode()
    assert browser.text("#class-0").replace("\ufffd", "?") == f"class {clean}".replace("\x00", "?")
    assert browser.text("#title")[:33] == HOSTILE[0]
    assert browser.fetched() == []
    assert browser.complaints() == []

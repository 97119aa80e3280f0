"""Elements escape what they hold, payloads read back, charts draw what they are given."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from importlib.resources import files

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from weaklearn.page import document, payload, tag
from weaklearn.page.element import embedded, plain
from weaklearn.page.plot import Plot, joined, meter, sparkline
from weaklearn.page.scale import Scale, round_numbers


class Seen(HTMLParser):
    """What a parser of HTML finds: elements with their attributes, and texts."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@given(st.text(), st.text())
def test_texts_and_attributes_are_never_markup(text: str, attribute: str) -> None:
    seen = Seen(str(tag("p", text, title=attribute or "x")))
    assert [name for name, _ in seen.elements] == ["p"]
    assert seen.elements[0][1] == {"title": plain(attribute or "x")}
    assert "".join(seen.texts) == plain(text)


@given(st.recursive(st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_payloads_read_back_and_hold_no_markup(value: object) -> None:
    text = payload(value)
    assert json.loads(text) == value
    assert text.isascii()
    assert not re.search(r"[<>&]", text)
    assert "".join(Seen(f"<script>{text}</script>").texts) == text


def test_payloads_know_numpy() -> None:
    told = payload({"x": np.array([1.0, np.inf]), "n": np.int64(3), "b": np.True_, "none": None})
    assert json.loads(told) == {"x": [1.0, None], "n": 3, "b": True, "none": None}


@pytest.mark.parametrize("name", ["onclick", "onload", "style", "a b", 'x="'])
def test_no_handler_and_no_style_can_be_an_attribute(name: str) -> None:
    with pytest.raises(ValueError, match="no attribute"):
        tag("p", **{name: "1"})


@pytest.mark.parametrize("name", ["script", "style", "p onload", ""])
def test_no_script_can_be_an_element(name: str) -> None:
    with pytest.raises(ValueError, match="no element"):
        tag(name)


def test_what_is_embedded_ends_where_it_ends() -> None:
    with pytest.raises(ValueError, match="before its end"):
        embedded("script", "1;</SCRIPT><p>")


def test_the_policy_names_the_script_and_the_style() -> None:
    page = document("a < b", tag("p", "x"), script="let a = 1;", data={"k": "</script>"})
    seen = Seen(page)
    policy = next(a["content"] for n, a in seen.elements if a.get("http-equiv"))
    assert policy is not None
    style = files("weaklearn.page").joinpath("style.css").read_text("utf-8")
    for text in ("let a = 1;", style):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "a < b" in seen.texts


def test_the_style_fetches_nothing() -> None:
    style = files("weaklearn.page").joinpath("style.css").read_text("utf-8")
    assert not re.search(r"url\(|@import|https?:|expression\(", style)


@example(1e8, 0.00390625, 8)  # marks differ in the thirteenth digit
@given(st.floats(-1e9, 1e9), st.floats(1e-6, 1e9), st.integers(2, 9))
def test_round_numbers_lie_inside_and_are_few(low: float, wide: float, most: int) -> None:
    high = low + wide
    found = round_numbers(low, high, most)
    assert len(found) <= most
    room = 1e-6 * wide + 1e-11 * max(abs(low), abs(high))
    assert all(low - room <= x <= high + room for x in found)
    steps = np.diff(found)
    apart = 1e-8 + 2 * np.spacing(max(abs(low), abs(high)))  # floats lie no closer than that
    assert len(steps) < 2 or np.allclose(steps, steps[0], rtol=1e-3, atol=apart)


def test_spans_lay_numbers_on_places() -> None:
    assert Scale(0, 10).at([0, 5, 10], 100, 200).tolist() == [100, 150, 200]
    assert Scale(1, 100, log=True).at([1, 10, 100], 0, 2).round(9).tolist() == [0, 1, 2]
    assert Scale.around([3.0, np.nan], room=0.0, zero=True).low == 0
    assert Scale.around([]).high > Scale.around([]).low


def test_paths_part_where_numbers_are_none() -> None:
    assert joined(np.array([0.0, 1.0, 2.0]), np.array([0.0, np.nan, 0.25])) == "M0 0M2 0.2"
    plot = Plot(Scale(0, 1), Scale(0, 1), width=100, height=100, left=0, right=0)
    assert plot.stairs([0, 0.5, 1], [0, 1]).count("L") == 3


def test_pictures_say_what_they_show() -> None:
    plot = Plot(Scale(0, 1), Scale(0, 1), x_label="a < b", y_label="&")
    plot.rect(0, 1, 0, 1, "f-blue", "<tip>")
    seen = Seen(str(plot.element("told", "name")))
    svg = seen.elements[0][1]
    assert (svg["role"], svg["aria-label"], svg["data-chart"]) == (
        "img",
        "told; arrow keys read it out",
        "name",
    )
    assert {"a < b", "&", "<tip>"} <= set(seen.texts)
    for small in (meter(2.0), sparkline([0.0, 3.0], "told"), sparkline([], "none")):
        assert Seen(str(small)).elements[0][1]["role"] == "img"

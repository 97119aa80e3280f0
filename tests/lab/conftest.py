"""The page in a real browser, as it is first shown."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browser import Visitor, visiting
from tests.lab.page import where
from tests.lab.visiting import opened
from weaklearn.lab.server import LabServer


@pytest.fixture(scope="module")
def server() -> Iterator[LabServer]:
    with opened() as server:
        yield server


@pytest.fixture(scope="module")
def browser() -> Iterator[Visitor]:
    with visiting() as browser:
        yield browser


@pytest.fixture
def page(browser: Visitor, server: LabServer) -> Visitor:
    """The page as it is first shown: the ten points."""
    browser.look(1280)
    browser.driver.get("about:blank")
    browser.driver.get(server.address)
    browser.until(lambda: where(browser) == "Round 0 / 40")
    browser.complaints()
    return browser

"""A headless Chromium for the pages that this library makes."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

HOW = "on Debian: apt-get install chromium chromium-driver"


def paths() -> tuple[str | None, str | None]:
    """Where the browser and its driver are."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    found = (path for name in names if (path := shutil.which(name)))
    return next(found, None), shutil.which("chromedriver")


def why_not() -> str:
    """Why there is no browser to test in; empty where there is one."""
    browser, driver = paths()
    if browser is None:
        return f"no browser: neither chromium nor google-chrome is on the path ({HOW})"
    if driver is None:
        return f"no driver of the browser: chromedriver is not on the path ({HOW})"
    return ""


needed = pytest.mark.skipif(why_not() != "", reason=why_not())


class Visitor:
    """A browser with a page open."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def run(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(script, *arguments)

    def look(self, width: int, height: int = 900, scheme: str = "light") -> None:
        """How large the window is, and whether it is dark outside."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})

    def text(self, selector: str) -> str:
        found: str = self.run("return document.querySelector(arguments[0]).textContent", selector)
        return found

    def texts(self, selector: str) -> list[str]:
        script = "return [...document.querySelectorAll(arguments[0])].map(e => e.textContent)"
        found: list[str] = self.run(script, selector)
        return found

    def press(self, *keys: str) -> None:
        """Keys, wherever the focus is."""
        from selenium.webdriver import ActionChains

        chain = ActionChains(self.driver)
        for key in keys:
            chain.send_keys(key)
        chain.perform()

    def until(self, true: Callable[[], Any], seconds: float = 600.0) -> Any:
        from selenium.webdriver.support.ui import WebDriverWait

        return WebDriverWait(self.driver, seconds, poll_frequency=0.05).until(lambda _: true())

    def complaints(self) -> list[str]:
        """What the console holds: errors, and what the page's policy forbade."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def fetched(self) -> list[str]:
        """The addresses that the page asked for."""
        script = "return performance.getEntriesByType('resource').map(e => e.name)"
        found: list[str] = self.run(script)
        return found


@contextmanager
def visiting() -> Iterator[Visitor]:
    """A browser that is closed in the end."""
    from selenium import webdriver

    browser, path = paths()
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(path))
    driver.set_page_load_timeout(600)
    driver.set_script_timeout(600)
    try:
        yield Visitor(driver)
    finally:
        driver.quit()

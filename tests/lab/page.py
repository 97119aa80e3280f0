"""What a visitor of the lab's page does, and what there is to see."""

from __future__ import annotations

from typing import Any

from tests.browser import Visitor


def written(rule: str) -> str:
    """A rule as the page writes it."""
    return rule.replace("x[0]", "x₁").replace("x[1]", "x₂").replace("-", "−")


def where(page: Visitor) -> str:
    return page.text("#where")


def choose(page: Visitor, name: str, value: Any) -> None:
    page.run(
        "const e = document.getElementById(arguments[0]); e.value = arguments[1];"
        "e.dispatchEvent(new Event('input', {bubbles: true}))",
        name,
        str(value),
    )


def open_at(page: Visitor, address: str) -> None:
    """Asks the open page for the picture that an address stands for."""
    page.run("location.hash = arguments[0]", address)


def spot(page: Visitor, across: float, up: float) -> tuple[float, float]:
    """Where in the window a place of the first plane is, in shares of the plane."""
    found: tuple[float, float] = page.run(
        "const c = document.querySelector('.panel canvas'); c.scrollIntoView({block: 'center'});"
        "const b = c.getBoundingClientRect();"
        "return [b.left + arguments[0] * b.width, b.top + (1 - arguments[1]) * b.height]",
        across,
        up,
    )
    return found


def mouse(page: Visitor, *steps: tuple[str, float, float]) -> None:
    """The mouse itself: pressed, moved and released at places of the first plane."""
    for kind, across, up in steps:
        x, y = spot(page, across, up)
        held = {"button": "left", "buttons": 1, "clickCount": 1} if kind != "mouseMoved" else {}
        page.driver.execute_cdp_cmd(
            "Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, **held}
        )


def click(page: Visitor, across: float, up: float) -> None:
    mouse(page, ("mousePressed", across, up), ("mouseReleased", across, up))


def drag(page: Visitor, start: tuple[float, float], end: tuple[float, float]) -> None:
    middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    mouse(page, ("mousePressed", *start), ("mouseMoved", *middle), ("mouseMoved", *end))
    mouse(page, ("mouseReleased", *end))

"""``export``: a recording as one HTML page that replays it without server or network."""

from __future__ import annotations

import html
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from ..files.disk import write
from ..page.html_json import as_json, digest
from .choices import METHODS, MOST_POINTS
from .plane import Plane, Points
from .recipe import own_points, script
from .recording import record, record_points
from .refusal import Refusal
from .scenes import OWN
from .setting import Setting

_FARTHEST = 1e100  # a plane beyond could not be measured in float64
_STYLE = '<link rel="stylesheet" href="lab.css">'
_SCRIPT = '<script src="lab.js" defer></script>'
_SUBJECTS = (
    *("state", "unpack", "plane", "panel", "charts", "votes", "rounds", "points", "request"),
    *("address", "story", "picture", "exhibit", "begin"),
)
_TITLE = "<title>weaklearn lab</title>"


@dataclass(frozen=True)
class Asset:
    """Files that come with the package, as one: one after another, in one scope."""

    kind: str
    parts: tuple[str, ...]

    @cached_property
    def text(self) -> str:
        folder = files(__package__) / "page"
        return "".join((folder / name).read_text("utf-8") for name in self.parts)


# What can be asked for, and nothing else: no path of a request ever meets a file system.
ASSETS = {
    "/": Asset("text/html; charset=utf-8", ("lab.html",)),
    "/lab.css": Asset("text/css; charset=utf-8", ("lab.css",)),
    "/lab.js": Asset("text/javascript; charset=utf-8", tuple(f"{name}.js" for name in _SUBJECTS)),
}


def export(
    path: str | os.PathLike[str],
    X: Any = None,
    y: Any = None,
    *,
    boosters: Sequence[str] = ("adaboost",),
    settings: Sequence[Mapping[str, float]] | Mapping[str, float] = (),
    learner: str = "stump",
    rounds: int = 40,
    data: str = "toy",
    n: int = 120,
    noise: float = 0.0,
    held_out: float = 0.0,
    seed: int = 0,
    title: str | None = None,
    axes: Sequence[str] | None = None,
) -> Path:
    """Writes a replay of one or two boosters as a self-contained page, and returns its path.

    The points are a set of the lab (``data``: "toy", "moons", "circles", "xor", "slope" or
    "clouds"), or X with two columns and y with two classes; ``axes`` names the two, by default the
    column names of X. ``settings`` has the parameters of each booster that are not its defaults,
    ``noise`` is the share of labels to flip, ``held_out`` the share of the points kept for testing.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = export(
    ...         f"{folder}/run.html",
    ...         boosters=("adaboost", "adaboost"),
    ...         settings=({}, {"learning_rate": 0.1}),
    ...         rounds=5,
    ...     )
    ...     page.stat().st_size < 150_000
    True
    """
    path = Path(path)
    if path.exists() and not path.is_file():
        raise ValueError(f"path={str(path)!r} is no regular file; name one, such as 'run.html'.")
    asked: dict[str, Any] = {
        "boosters": [boosters] if isinstance(boosters, str) else boosters,
        "settings": [settings] if isinstance(settings, Mapping) else settings,
        "learner": learner,
        "rounds": rounds,
        "noise": noise,
        "held_out": held_out,
        "seed": seed,
    }
    if data == OWN:
        raise Refusal("data='own' is not allowed: pass your own points from Python, as X and y.")
    if X is None and y is None:
        shown = record(Setting.read(asked | {"data": data, "n": n}))
    else:
        shown = _record_own(Setting.read(asked), X, y, axes)
    if title is not None:
        shown["title"] = _clean(title)
    write(path, page(shown).encode("utf-8"))
    return path


def page(shown: dict[str, Any]) -> str:
    """The HTML page of a recording, with style and script inside and a policy of their hashes."""
    style, script = (ASSETS[name].text for name in ("/lab.css", "/lab.js"))
    policy = (
        f"default-src 'none'; script-src '{digest(script)}'; style-src '{digest(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    head = f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
    title = html.escape(shown["title"])
    text = ASSETS["/"].text
    for mark, put in (
        ('<meta charset="utf-8">\n', f'<meta charset="utf-8">\n{head}'),
        (_TITLE, f"<title>{title}</title>"),
        (_STYLE, f"<style>{style}</style>"),
        (f"{_SCRIPT}\n", ""),
        (
            "</body>",
            f'<script type="application/json" id="recording">{as_json(shown)}</script>\n'
            f"<script>{script}</script>\n</body>",
        ),
    ):
        assert text.count(mark) == 1, mark
        text = text.replace(mark, put)
    return text


def _clean(text: Any) -> str:
    """The text with characters replaced that UTF-8 cannot encode."""
    return str(text).encode("utf-8", "replace").decode("utf-8")


def _record_own(setting: Setting, X: Any, y: Any, axes: Sequence[str] | None) -> dict[str, Any]:
    """The recording of a setting on the user's own points."""
    try:
        points, labels = np.asarray(X, np.float64), np.asarray(y)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"X holds what is not a number ({error}); the lab draws a plane, so pass two columns "
            "of numbers, such as X[['age', 'height']]."
        ) from None
    if points.ndim != 2 or points.shape[1] != 2:
        raise ValueError(
            f"X has the shape {points.shape}; the lab draws a plane, so it must have two columns."
        )
    if labels.shape != (len(points),):
        raise ValueError(f"y has the shape {labels.shape}; it must hold one label per row of X.")
    if not 2 <= len(points) <= MOST_POINTS:
        raise ValueError(f"X has {len(points)} rows; the lab takes 2 to {MOST_POINTS}.")
    for row, column in np.argwhere(~(np.abs(points) <= _FARTHEST)):
        raise ValueError(
            f"X holds {points[row, column]:g} in row {row}, column {column}; the lab draws numbers "
            f"between -{_FARTHEST:g} and {_FARTHEST:g}."
        )
    classes = np.unique(labels)
    if len(classes) != 2:
        raise ValueError(f"y holds {len(classes)} classes; the lab shows two; pass y with two.")
    plain = [label.item() if hasattr(label, "item") else str(label) for label in labels]
    names = [_clean(c) for c in classes]
    needs, lines = own_points(points.tolist(), plain)
    if any(booster in METHODS.values() for booster, _ in setting.runs):
        lines += "\ny = np.where(y == np.unique(y)[1], 1, -1)"
    found = setting.divided(points, labels)
    own = Points("your own points", found, Plane.around(points), names, _axes(X, axes))
    return record_points(setting, own) | {"code": script(setting, needs, lines)}


def _axes(X: Any, axes: Sequence[str] | None) -> list[str]:
    """The names of the two axes, empty where unknown."""
    names = getattr(X, "columns", ("", "")) if axes is None else axes
    if isinstance(names, str) or len(names) != 2:
        raise ValueError(f"axes={axes!r} is not allowed: it must hold two names.")
    return [_clean(name) if isinstance(name, str) else "" for name in names]

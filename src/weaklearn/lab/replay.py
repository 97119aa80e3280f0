"""A run as one page that replays it: no server, no network."""

from __future__ import annotations

import base64
import hashlib
import html
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..files.disk import write
from .assets import ASSETS
from .choices import BOOSTERS, LEARNERS, MOST_POINTS
from .film import Plane, film, game, scene
from .packing import as_json
from .recipe import own_points, spelt
from .refusal import Refusal
from .scenes import OWN
from .setting import Setting

_STYLE = '<link rel="stylesheet" href="lab.css">'
_SCRIPT = '<script src="lab.js" defer></script>'
_TITLE = "<title>weaklearn lab</title>"


def export(
    path: str | os.PathLike[str],
    X: Any = None,
    y: Any = None,
    *,
    boosters: Sequence[str] = ("adaboost",),
    learner: str = "stump",
    rounds: int = 40,
    data: str = "toy",
    n: int = 120,
    noise: float = 0.0,
    seed: int = 0,
    title: str | None = None,
) -> Path:
    """Writes a replay of one or two boosters as a self-contained page, and gives its path.

    The points are a set of the lab (``data``: "toy", "moons", "circles", "xor", "slope" or
    "clouds"), or X with two columns and y with two classes.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = export(f"{folder}/run.html", boosters=("adaboost", "lpboost"), rounds=5)
    ...     page.stat().st_size < 100_000
    True
    """
    path = Path(path)
    if path.exists() and not path.is_file():
        raise ValueError(f"path={str(path)!r} is no regular file; name one, such as 'run.html'.")
    asked: dict[str, Any] = {"boosters": boosters, "learner": learner, "rounds": rounds}
    if isinstance(boosters, str):
        asked["boosters"] = [boosters]
    if data == OWN:
        raise Refusal("data='own' is not allowed: pass points of your own from Python, as X and y.")
    if X is None and y is None:
        asked |= {"data": data, "n": n, "noise": noise, "seed": seed}
        shown = film(Setting.read(asked))
    else:
        shown = _own_film(Setting.read(asked), X, y)
    if title is not None:
        shown["title"] = _clean(title)
    write(path, page(shown).encode("utf-8"))
    return path


def page(shown: dict[str, Any]) -> str:
    """A film in the lab's own page, with style and script inside and a policy that names them."""
    style, script = (ASSETS[name].text for name in ("/lab.css", "/lab.js"))
    policy = (
        f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; "
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
            f'<script type="application/json" id="film">{as_json(shown)}</script>\n'
            f"<script>{script}</script>\n</body>",
        ),
    ):
        assert text.count(mark) == 1, mark
        text = text.replace(mark, put)
    return text


def _digest(text: str) -> str:
    """How a policy names what may stand in the page: by its hash."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _clean(text: Any) -> str:
    """A text that can be written as UTF-8."""
    return str(text).encode("utf-8", "replace").decode("utf-8")


def _own_film(setting: Setting, X: Any, y: Any) -> dict[str, Any]:
    """The film of someone's own points."""
    points, labels = np.asarray(X, np.float64), np.asarray(y)
    if points.ndim != 2 or points.shape[1] != 2:
        raise ValueError(
            f"X has the shape {points.shape}; the lab draws a plane, so it must have two columns."
        )
    if labels.shape != (len(points),):
        raise ValueError(f"y has the shape {labels.shape}; it must hold one label a row of X.")
    if not np.isfinite(points).all():
        raise ValueError("X holds a value that is no finite number; the lab cannot draw it.")
    if not 2 <= len(points) <= MOST_POINTS:
        raise ValueError(f"X has {len(points)} rows; the lab takes 2 to {MOST_POINTS}.")
    classes, codes = np.unique(labels, return_inverse=True)
    if len(classes) != 2:
        raise ValueError(f"y holds {len(classes)} classes; the lab shows games of two.")
    plane = Plane.around(points)
    estimator = LEARNERS[setting.learner].estimator()
    chosen = [BOOSTERS[name] for name in setting.boosters]
    plain = [label.item() if hasattr(label, "item") else str(label) for label in labels]
    needs, lines = own_points(points.tolist(), plain)
    forms = [booster.form.__name__ for booster in chosen]
    return {
        "title": " and ".join(booster.name for booster in chosen),
        "scene": scene(points, codes, plane, [_clean(c) for c in classes]),
        "games": [game(b, estimator, setting.rounds, points, labels, plane) for b in chosen],
        "code": spelt(needs, lines, forms, LEARNERS[setting.learner].spelt, setting.rounds),
    }

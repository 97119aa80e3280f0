"""The Python that plays the same games."""

from __future__ import annotations

from typing import Any

from .choices import LEARNERS
from .scenes import OWN, SCENES
from .setting import Setting


def recipe(setting: Setting) -> str:
    """Lines of Python whose numbers are those of the page.

    >>> print(recipe(Setting(rounds=3)))
    import weaklearn as wl
    <BLANKLINE>
    X, y = wl.datasets.toy()
    <BLANKLINE>
    model = wl.AdaBoostClassifier(n_estimators=3)
    for r in wl.rounds(model, X, y):
        print(r.t, r.epsilon, r.alpha, r.error, r.rule)
    <BLANKLINE>
    """
    if setting.data == OWN:
        needs, lines = own_points([point[:2] for point in setting.points], _labels(setting))
    else:
        chosen = SCENES[setting.data]
        needs, lines = chosen.needs, chosen.spelt.format(n=setting.n, seed=setting.seed)
    return spelt(setting, needs, lines)


def _labels(setting: Setting) -> list[int]:
    return [label for *_, label in setting.points]


def own_points(points: Any, labels: list[Any]) -> tuple[tuple[str, ...], str]:
    """Points and labels written out; a label is a literal of Python, whatever it holds."""
    rows = "".join(f"    ({x!r}, {y!r}, {label!a}),\n" for (x, y), label in zip(points, labels))
    lines = (
        f"rows = [\n{rows}]\nX = np.array([row[:2] for row in rows])\n"
        "y = np.array([row[2] for row in rows])"
    )
    return ("import numpy as np",), lines


def spelt(setting: Setting, needs: tuple[str, ...], data: str) -> str:
    """The whole script; ``needs`` and ``data`` are the imports and the lines that make X and y."""
    imports = [need for need in needs if "numpy" in need] + ["import weaklearn as wl"]
    imports += [need for need in needs if "numpy" not in need]
    if setting.noise:
        data += f"\ny = wl.datasets.flip_labels(y, {setting.noise}, random_state={setting.seed})"
    learner = LEARNERS[setting.learner].spelt
    games = []
    for booster, turned in setting.games:
        words = [f"n_estimators={setting.rounds}", *(f"{k}={v!r}" for k, v in turned.items())]
        called = ", ".join([learner, *words] if learner else words)
        games.append(
            f"model = wl.{booster.form.__name__}({called})\n"
            "for r in wl.rounds(model, X, y):\n"
            "    print(r.t, r.epsilon, r.alpha, r.error, r.rule)\n"
        )
    return "\n".join(["\n".join(imports) + "\n", data + "\n", *games])

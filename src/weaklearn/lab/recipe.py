"""The Python that plays the same games."""

from __future__ import annotations

from typing import Any

from .choices import BOOSTERS, LEARNERS
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
    if setting.noise:
        lines += f"\ny = wl.datasets.flip_labels(y, {setting.noise}, random_state={setting.seed})"
    forms = [BOOSTERS[name].form.__name__ for name in setting.boosters]
    return spelt(needs, lines, forms, LEARNERS[setting.learner].spelt, setting.rounds)


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


def spelt(needs: tuple[str, ...], data: str, forms: list[str], learner: str, rounds: int) -> str:
    """The whole script, of its parts."""
    imports = [need for need in needs if "numpy" in need] + ["import weaklearn as wl"]
    imports += [need for need in needs if "numpy" not in need]
    settings = f"{learner and learner + ', '}n_estimators={rounds}"
    games = [
        f"model = wl.{form}({settings})\n"
        "for r in wl.rounds(model, X, y):\n"
        "    print(r.t, r.epsilon, r.alpha, r.error, r.rule)\n"
        for form in forms
    ]
    return "\n".join(["\n".join(imports) + "\n", data + "\n", *games])

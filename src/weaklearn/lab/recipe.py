"""The Python code of a setting, which the page shows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from .choices import LEARNERS, METHODS
from .scenes import OWN, SCENES
from .setting import Setting


def recipe(setting: Setting) -> str:
    """A Python script that prints the same numbers as the page shows.

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
        found = setting.examples()
        labels = np.empty(len(setting.points), np.int64)
        labels[found.order] = np.concatenate([found.y, found.y_test])
        needs, lines = own_points([point[:2] for point in setting.points], labels.tolist())
        return script(replace(setting, noise=0.0), needs, lines)  # the labels have it already
    chosen = SCENES[setting.data]
    needs, lines = chosen.needs, chosen.code.format(n=setting.n, seed=setting.seed)
    return script(setting, needs, lines)


def own_points(points: Any, labels: list[Any]) -> tuple[tuple[str, ...], str]:
    """The imports and the code that define X and y, with every label as a Python literal."""
    rows = "".join(f"    ({x!r}, {y!r}, {label!a}),\n" for (x, y), label in zip(points, labels))
    lines = (
        f"rows = [\n{rows}]\nX = np.array([row[:2] for row in rows])\n"
        "y = np.array([row[2] for row in rows])"
    )
    return ("import numpy as np",), lines


def script(setting: Setting, needs: tuple[str, ...], data: str) -> str:
    """The complete script; ``needs`` and ``data`` are the imports and the code of X and y."""
    if setting.held_out and not any("numpy" in need for need in needs):
        needs = ("import numpy as np", *needs)
    imports = [need for need in needs if "numpy" in need] + ["import weaklearn as wl"]
    imports += [need for need in needs if "numpy" not in need]
    if setting.held_out:
        data += (
            f"\nheld_out = np.random.default_rng([{setting.seed}, 1]).random(len(y)) "
            f"< {setting.held_out}\n"
            "X_test, y_test = X[held_out], y[held_out]\n"
            "X, y = X[~held_out], y[~held_out]"
        )
    if setting.noise:
        data += (
            f"\ny = wl.datasets.flip_labels(y, {setting.noise}, random_state={setting.noise_seed})"
        )
    learner = LEARNERS[setting.learner].code
    runs = []
    for booster, own in setting.runs:
        if booster in METHODS.values():
            runs.append(_method(booster.form.__name__, learner, setting))
            continue
        words = [f"n_estimators={setting.rounds}", *(f"{k}={v!r}" for k, v in own.items())]
        arguments = ", ".join([learner, *words] if learner else words)
        runs.append(
            f"model = wl.{booster.form.__name__}({arguments})\n"
            "for r in wl.rounds(model, X, y):\n"
            "    print(r.t, r.epsilon, r.alpha, r.error, r.rule)\n"
        )
        if setting.held_out:
            runs[-1] += (
                "for vote in model.fit(X, y).staged_predict(X_test):\n"
                '    print("test error", (vote != y_test).mean())\n'
            )
    return "\n".join(["\n".join(imports) + "\n", data + "\n", *runs])


def _method(form: str, learner: str, setting: Setting) -> str:
    """The code of a run that is no boosting; it prints the round and the training error."""
    if form == "DecisionTreeClassifier":
        return (
            f"for t in range(1, {setting.rounds} + 1):\n"
            "    model = wl.DecisionTreeClassifier(max_leaf_nodes=t + 1).fit(X, y)\n"
            "    print(t, (model.predict(X) != y).mean())\n"
        )
    if form == "BaggingClassifier":
        stump = learner or "wl.DecisionTreeClassifier(max_depth=1)"
        return (
            f"model = wl.BaggingClassifier(\n    {stump}, n_estimators={setting.rounds}, "
            f"random_state={setting.seed}\n).fit(X, y)\n"
            "votes = 0\n"
            "for t, h in enumerate(model.estimators_, start=1):\n"
            "    votes = votes + h.predict(X)\n"
            "    print(t, ((votes > 0) != (y > 0)).mean())\n"
        )
    return (
        "from weaklearn.online import OnlinePerceptron\n\n"
        "learner, t = OnlinePerceptron(fit_intercept=True), 0\n"
        f"while t < {setting.rounds}:\n"
        "    before = t\n"
        "    for x, label in zip(X, y):\n"
        "        learner.update(x, label)\n"
        f"        if learner.mistakes > t and t < {setting.rounds}:\n"
        "            t, w = learner.mistakes, learner.w\n"
        "            print(t, ((X @ w[:2] + w[2] > 0) != (y > 0)).mean())\n"
        "    if t == before:\n"
        "        break\n"
    )

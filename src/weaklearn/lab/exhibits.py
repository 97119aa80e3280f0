"""Scenes that are no plane: the game of Hedge, the first features on a face, rules in a message."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib.util import find_spec
from typing import Any

import numpy as np

from ..datasets import messages
from ..estimators.online.hedge import Hedge
from ..text import SpamFilter
from ..theory.bounds import mw_bound
from ..vision import WindowClassifier
from .refusal import Refusal

_LONGEST = 400  # characters of a message
_ERRORS = (0.5, 0.45, 0.5, 0.3, 0.55, 0.5, 0.2, 0.4)  # how often each expert is wrong
_ROUNDS = 80
_N_FEATURES = 6
_N_RULES = 40


def exhibit(asked: Mapping[str, Any]) -> dict[str, Any]:
    """What a scene shows, as JSON: ``exhibit`` names it, and spam takes a ``text``.

    >>> exhibit({"exhibit": "spam", "text": "Claim your free prize now"})["label"]
    'spam'
    """
    name = asked["exhibit"]
    if not isinstance(name, str) or name not in EXHIBITS:
        raise Refusal(f"there is no such scene; there are {', '.join(EXHIBITS)}.")
    others = [key for key in asked if key != "exhibit" and not (name == "spam" and key == "text")]
    if others:
        raise Refusal(f"the scene {name} takes no other fields.")
    return {"exhibit": name} | EXHIBITS[name](asked)


@cache
def _learnt_hedge() -> dict[str, Any]:
    rng = np.random.default_rng(0)
    losses = (rng.random((_ROUNDS, len(_ERRORS))) < np.array(_ERRORS)).astype(float)
    model = Hedge(n_rounds=_ROUNDS)
    trace = model.run(losses)
    totals = np.cumsum(losses, axis=0)
    best = totals.min(axis=1)
    return {
        "names": [f"Expert {k}, wrong {share:.0%}" for k, share in enumerate(_ERRORS, start=1)],
        "losses": losses.tolist(),
        "p": trace.p.tolist(),
        "total": np.cumsum((trace.p[:_ROUNDS] * losses).sum(axis=1)).tolist(),
        "best": best.tolist(),
        "bound": [mw_bound(float(least), len(_ERRORS), float(trace.eta)) for least in best],
        "eta": float(trace.eta),
    }


def _hedge(asked: Mapping[str, Any]) -> dict[str, Any]:
    return _learnt_hedge()


@cache
def _learnt_face() -> dict[str, Any]:
    from skimage.data import lfw_subset

    windows: Any = lfw_subset()  # type: ignore[no-untyped-call]
    labels = np.repeat(["face", "other"], 100)
    model = WindowClassifier(n_estimators=_N_FEATURES).fit(windows, labels)
    found = model.cascade_
    used = list(dict.fromkeys(found.node_feature.tolist()))
    features = []
    for feature in used:
        start, stop = found.feature_start[feature : feature + 2]
        rects = zip(found.rects[start:stop].tolist(), found.rect_weight[start:stop].tolist())
        features.append([[*rect, weight] for rect, weight in rects])
    history = model.history_
    return {
        "faces": [_grey(window) for window in (windows[:100].mean(axis=0), *windows[:7])],
        "size": windows.shape[1],
        "features": features,
        "epsilon": history["epsilon"][: len(features)].tolist(),
        "error": history["train_error"][: len(features)].tolist(),
    }


def _face(asked: Mapping[str, Any]) -> dict[str, Any]:
    if find_spec("skimage") is None:
        raise Refusal("this scene needs scikit-image for its faces: pip install scikit-image.")
    return _learnt_face()


def _grey(window: Any) -> list[int]:
    return [int(v) for v in np.rint(255 * np.clip(window, 0, 1)).ravel()]


@cache
def _filter() -> SpamFilter:
    texts, labels = messages()
    return SpamFilter(n_estimators=_N_RULES).fit(texts, labels)


@cache
def _examples() -> tuple[str, ...]:
    """Four spam and four other messages of those most is said of."""
    texts, labels = messages()
    said = {text: len(_filter().explain(text).reasons) for text in texts}
    kinds = [[t for t, kind in zip(texts, labels) if kind == of] for of in ("spam", "ham")]
    return tuple(text for kind in kinds for text in sorted(kind, key=lambda t: -said[t])[:4])


def _spam(asked: Mapping[str, Any]) -> dict[str, Any]:
    text = asked.get("text", _examples()[0])
    if not isinstance(text, str) or not 0 < len(text) <= _LONGEST:
        raise Refusal(f"text must be a message of 1 to {_LONGEST} characters.")
    verdict = _filter().explain(text)
    return {
        "text": text,
        "base": float(verdict.base),
        "reasons": [[term, float(by)] for term, by in verdict.reasons],
        "label": str(verdict.label),
        "probability": float(verdict.probability),
        "examples": list(_examples()),
    }


EXHIBITS: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "hedge": _hedge,
    "face": _face,
    "spam": _spam,
}

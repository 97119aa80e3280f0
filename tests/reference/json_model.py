"""A model in its JSON form, evaluated as docs/export.md describes the fields: one row at a time."""

from __future__ import annotations

import json
import math
from bisect import bisect_left
from typing import Any


class JsonModel:
    """Scores of a row, a dict from column names to values; None is missing."""

    def __init__(self, text: str) -> None:
        self.model = json.loads(text)
        assert (self.model["format"], self.model["version"]) == ("weaklearn", 1)

    def scores(self, row: dict[str, Any]) -> list[float]:
        x = [self._cell(column, row[column["name"]]) for column in self.model["columns"]]
        F = list(self.model["intercept"])
        for term in self.model["terms"]:
            place = 0
            for column, cuts, n in zip(term["columns"], term["cuts"], term["shape"], strict=True):
                place = place * n + self._bin(x[column], cuts, n)
            for k, value in enumerate(term["values"][place]):
                F[k] += value
        for tree in self.model["trees"]:
            self._add(tree, 0, tree["vote"], x, F)
        return [f / self.model["divisor"] for f in F]

    def _cell(self, column: dict[str, Any], value: Any) -> Any:
        if column["kind"] != "category":
            return value
        known = {
            int(category["integer"]) if isinstance(category, dict) else category: code
            for category, code in column["categories"]
        }
        return -1 if value is None else known.get(value, column["unknown"])

    def _bin(self, x: Any, cuts: Any, n: int) -> int:
        if x is None or (cuts is None and x == -1):
            return n - 1
        return x if cuts is None else bisect_left([_exact(cut) for cut in cuts], x)

    def _add(self, tree: Any, place: int, weight: float, x: list[Any], F: list[float]) -> None:
        node = tree["nodes"][place]
        if "values" in node:
            for k, value in enumerate(node["values"], tree["first"]):
                F[k] += weight * value
            return
        of = x[node["column"]]
        category = self.model["columns"][node["column"]]["kind"] == "category"
        if of is None or (category and of == -1):
            chosen = node["missing"]
        elif "sets" in node:
            chosen = next(c for c, s in zip(node["children"], node["sets"]) if of in s)
        else:
            chosen = node["children"]["cut" in node and of > _exact(node["cut"])]
        if chosen is not None:
            self._add(tree, chosen, weight, x, F)
            return
        for part, each in zip(node["parts"], node["children"], strict=True):
            self._add(tree, each, weight * part, x, F)

    def answers(self, F: list[float]) -> list[float]:
        """The probability of each class, or the number in a list."""
        if self.model["link"]["form"] != "bagged":
            return linked(self.model["link"], F)
        mean = [0.0] * max(1, len(self.model["classes"]))
        for member in self.model["members"]:
            part = F[member["first"] : member["first"] + member["scores"]]
            for k, share in zip(member["classes"], linked(member["link"], part), strict=True):
                mean[k] += share / len(self.model["members"])
        return mean


def linked(link: dict[str, Any], F: list[float]) -> list[float]:
    """What a link makes of scores."""
    form = link["form"]
    if form in ("identity", "means"):
        return F
    if form == "exp":
        return [math.exp(min(F[0], 700.0))]
    if form == "sure":
        return [1.0]
    if form == "powers":
        rest = link["shift"]
        parts = [((1 - rest) * f + rest / len(F)) ** link["scale"] for f in F]
        return [part / sum(parts) for part in parts]
    scaled = [link["scale"] * f + link["shift"] for f in F]
    if form == "share":
        second = (1 + min(max(F[0], -1.0), 1.0)) / 2
        return [1 - second, second]
    if form == "sigmoid":
        return [_sigmoid(-scaled[0]), _sigmoid(scaled[0])]
    parts = [_sigmoid(f) for f in scaled]
    if form == "softmax":
        parts = [math.exp(f - max(scaled)) for f in scaled]
    return [part / sum(parts) for part in parts]


def _sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x > -700 else 0.0


def _exact(cut: Any) -> Any:
    return int(cut) if isinstance(cut, str) else cut

"""Export of sums of terms or trees to JSON, and to JavaScript that evaluates it."""

from __future__ import annotations

import json
import re
from importlib import resources
from typing import Any

from ..base.messages.value_text import show
from ..base.trees.tree_arrays import EVERY_CHILD
from ..intake.raw_column import Kind
from .branches import NO_CATEGORY, Branching, Test
from .link import BAGGED, Link
from .model_ir import InputColumn, ModelIR, Part

FORMAT, VERSION = "weaklearn", 1
# What cannot name a constant in JavaScript, and what the evaluator needs.
_TAKEN = re.compile(
    "arguments|await|break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|"
    "eval|export|extends|false|finally|for|function|if|implements|import|in|instanceof|interface|"
    "let|new|null|package|private|protected|public|return|static|super|switch|this|throw|true|try|"
    "typeof|var|void|while|with|yield|undefined|NaN|Infinity|module|exports|require|evaluator|"
    "Array|BigInt|Boolean|Date|Error|JSON|Map|Math|Number|Object|String|TypeError"
)
_EXACT = 2**53  # integers up to here are exact as doubles, which is all that JavaScript reads
_KINDS = {
    Kind.NUMBER: "number",
    Kind.CATEGORY: "category",
    Kind.WIDE: "integer",
    Kind.DATETIME: "datetime",
    Kind.TIMEDELTA: "timedelta",
}


def json_source(model: ModelIR) -> str:
    """The model as one line of JSON, whose fields are described in docs/export.md."""
    text = json.dumps(
        json_fields(model), allow_nan=False, ensure_ascii=False, separators=(",", ":")
    )
    return re.sub("[\ud800-\udfff]", lambda half: f"\\u{ord(half[0]):04x}", text)


def javascript_source(model: ModelIR, name: str, module: bool) -> str:
    """JavaScript that defines an object ``name`` with predict, predictProba and scores of a row.

    ``module``: an ECMAScript module, whose default export is that object.
    """
    if not (name.isascii() and name.isidentifier()) or _TAKEN.fullmatch(name):
        raise ValueError(
            f"name={show(name)} is not allowed: it must be a plain name that has no meaning in "
            "JavaScript, such as 'model'"
        )
    head = "".join(f"// {line}\n" for line in (*model.words(), *model.notes))
    # As it may stand in a page: no end of a script, and no line end that JSON allows in texts.
    data = json_source(model).replace("<", "\\u003c")
    data = data.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    given = f"export default {name};" if module else _COMMON.format(name=name)
    return f"{head}{evaluator_source()}\nconst {name} = evaluator({data});\n{given}\n"


def evaluator_source() -> str:
    """JavaScript that defines ``evaluator``, a function of the objects of ``json_fields``."""
    return resources.files(__package__).joinpath("evaluate.js").read_text("utf-8")


_COMMON = 'if (typeof module === "object" && module.exports) module.exports = {name};'


def json_fields(model: ModelIR) -> dict[str, Any]:
    """The model as objects that JSON holds; docs/export.md describes them."""
    title, *_ = model.words()
    place = {source.feature: k for k, source in enumerate(model.sources)}
    return {
        "format": FORMAT,
        "version": VERSION,
        "title": title,
        "notes": list(model.notes),
        "columns": [_column(source) for source in model.sources],
        "intercept": list(model.intercept),
        "terms": [_term(part, place) for part in model.parts],
        "trees": [_tree(tree, place) for tree in model.branches],
        "divisor": model.divisor,
        "link": {"form": BAGGED} if model.shares else _link(model.link),
        "members": [
            {
                "link": _link(share.link),
                "first": share.first,
                "scores": share.n_scores,
                "classes": list(share.classes),
            }
            for share in model.shares
        ],
        "classes": [json_label(label) for label in model.classes],
        "tie": "second" if model.second_on_ties else "first",
    }


def _column(source: InputColumn) -> dict[str, Any]:
    schema = source.schema
    column: dict[str, Any] = {
        "name": source.name,
        "position": source.feature,
        "kind": _KINDS[schema.kind],
    }
    if schema.kind is Kind.CATEGORY:
        pooled = len(schema.categories) if source.joins_pool else NO_CATEGORY
        codes = [[json_label(category), code] for category, code in source.codes.items()]
        return column | {"categories": codes, "unknown": pooled}
    if schema.kind in (Kind.DATETIME, Kind.TIMEDELTA):
        return column | {"unit": schema.unit, "zoned": schema.tz is not None}
    return column


def json_label(label: Any) -> Any:
    """A class or a category as JSON holds it."""
    if isinstance(label, int) and abs(label) > _EXACT:
        return {"integer": str(label)}
    return label if isinstance(label, (str, int, float)) else str(label)


def _cut(cut: Any) -> Any:
    """A cut as a number; those of integers as digits, which no reader rounds."""
    return str(cut) if isinstance(cut, int) else float(cut)


def _term(part: Part, place: dict[int, int]) -> dict[str, Any]:
    values = part.values.reshape(-1, part.values.shape[-1])
    return {
        "name": part.name,
        "columns": [place[side.source.feature] for side in part.sides],
        "cuts": [None if side.cuts is None else list(map(_cut, side.cuts)) for side in part.sides],
        "shape": [side.n_cells for side in part.sides],
        "values": values.tolist(),
    }


def _link(link: Link) -> dict[str, Any]:
    return {"form": link.form, "scale": link.scale, "shift": link.shift}


def _tree(tree: Branching, place: dict[int, int]) -> dict[str, Any]:
    nodes = [_node(node, place) for node in tree.nodes]
    return {"vote": tree.vote, "first": tree.output, "nodes": nodes}


def _node(node: Test | tuple[float, ...], place: dict[int, int]) -> dict[str, Any]:
    if not isinstance(node, Test):
        return {"values": list(node)}
    several = node.missing == EVERY_CHILD
    found: dict[str, Any] = {
        "column": place[node.feature],
        "children": list(node.children),
        "missing": None if several else node.children[node.missing],
    }
    if node.cut is not None:
        found["cut"] = _cut(node.cut)
    if node.sets is not None:
        found["sets"] = [list(codes) for codes in node.sets]
    if several:
        found["parts"] = list(node.parts)
    return found

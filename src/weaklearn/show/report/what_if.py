"""The what-if panel: the values of a row are moved, and its prediction and reasons follow."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base.loss import Loss
from ...base.messages.table import printable
from ...base.messages.value_text import row_number
from ...base.offered import fact, offers
from ...base.sample import take_rows
from ...estimators.model import Model
from ...export.json import json_fields
from ...export.link import BAGGED, EXP, IDENTITY, MEANS, POWERS, SURE
from ...export.model_ir import InputColumn, ModelIR
from ...intake.dataset_batches import in_memory
from ...intake.raw_column import Raw
from ...intake.schema import open_table
from ...page.element import Element, Node, tag
from ...persistence.model_bytes import written
from ...prediction.positive import threshold_of
from ..data.importance import Importance
from .choices import Choices, choices_of, value_of
from .columns import FEWEST, raw_column
from .section import Absent, Part, ReportContext, Section, attempt, note

_TITLE = "What if"
_LARGEST = 1_000_000  # characters of the model and all that goes with it
_LARGEST_FILE = 500_000  # bytes of the model in its file, beyond which it is not written at all
_MOST = 40  # columns that can be moved
_FIRST = 8  # those that are seen at once
_ROWS = 12  # of data to start from, where rows may be shown
_TOO_LARGE = (
    "the model is too large for a page, more than 1 MB of numbers; to_javascript(path) writes it "
    "for a page of your own"
)


def what_if(context: ReportContext, hardest_rows: Sequence[int]) -> Part:
    """Controls for the columns, and what the model, written into the page, makes of them.

    It starts from a typical row, which is none of the data; where rows may be shown, also from
    ``hardest_rows``.
    """
    found = _exported(context)
    if isinstance(found, str):
        return Absent(_TITLE, found)
    columns = [_choices(context, source) for source in found.sources]
    if not columns:
        return Absent(_TITLE, "the model predicts the same for every row")
    rows = hardest_rows[:_ROWS] if context.examples else ()
    columns, starts = _with_rows(context, columns, rows)
    order = _strongest_first(context.model, columns)
    shown, rest = order[:_MOST][:_FIRST], order[:_MOST][_FIRST:]
    text = _text(context, found, columns, starts)
    if len(text) > _LARGEST:
        return Absent(_TITLE, _TOO_LARGE)
    levers: list[Node] = [_lever(columns[k], k) for k in shown]
    if rest:
        words = f"{len(rest)} columns that matter less"
        inside = tag("div", [_lever(columns[k], k) for k in rest], class_="inside levers")
        summary = tag("summary", tag("span", words, class_="says"))
        levers.append(tag("details", summary, inside, class_="quiet"))
    body: list[Node] = [_panel(context, levers, starts)]
    body += [note(text) for text in _notes(found, len(columns))]
    about = (
        "Move the values of a row, and see what the model makes of them. It starts from a typical "
        "row (medians, the commonest categories), which is none of the data."
    )
    if any(each.is_number and each.missing for each in columns):
        about += " A field that is left empty is a missing value."
    return Section("what-if", _TITLE, body, about, {"what_if": text})


def _exported(context: ReportContext) -> ModelIR | str:
    """The model as exports write it, or why the page cannot hold it."""
    model = context.model
    if not isinstance(model, Model) or not offers(model, "to_javascript"):
        return "the model is none that can be written as JavaScript"
    if context.several_labels or context.outputs or context.table is None:
        return "it is for models of columns that predict one class or one number"
    if context.rows.n < FEWEST:
        return "there are too few rows to say what a typical one is"
    if _has_means_of_targets(context):
        return (
            "leaves of its trees are means of few targets, which are nearly rows of data; with "
            "examples=True it would be there"
        )
    try:
        if _n_bytes(model) > _LARGEST_FILE:
            return _TOO_LARGE
        found: ModelIR = model._model_ir(False)
    except (NotImplementedError, TypeError, ValueError) as error:
        return f"the model cannot be written as JavaScript: {error}"
    if found.link.form == SURE:
        return "the model knows one class"
    if found.shares or found.link.form == BAGGED:
        return "the model averages what its members make of their scores, so that no reasons add up"
    return found


def _n_bytes(model: Model) -> int:
    """The size of the model in a file; 0 where a file cannot hold it."""
    try:
        return len(written(model, compact=True)[0])
    except ValueError:
        return 0


def _has_means_of_targets(context: ReportContext) -> bool:
    """Whether leaves may hold the targets of single rows, which the report is not to show."""
    if context.classes is not None or context.examples:
        return False
    return context.model._loss is None  # trees, forests, bags and blends of these


def _choices(context: ReportContext, source: InputColumn) -> Choices:
    return choices_of(source, _raw(context, source), 1 if context.examples else FEWEST)


def _raw(context: ReportContext, source: InputColumn, table: Any = None) -> Raw | None:
    """The column of the rows, or of ``table``; None where they lack it."""
    table = context.table if table is None else table
    if table.names is None or context.schema.names is None:
        place = source.feature
        return raw_column(table, place) if place < table.shape[1] else None
    name = context.schema.names[source.feature]
    return raw_column(table, table.names.index(name)) if name in table.names else None


# Rows to start from: what each is called, and its numbers or places among values.
Starts = list[tuple[str, list[Any]]]


def _with_rows(
    context: ReportContext, columns: list[Choices], rows: Sequence[int]
) -> tuple[list[Choices], Starts]:
    """The columns with all values of some rows of data, and these rows after the typical one."""
    read: list[list[Any]] = []
    if len(rows):
        table = open_table(in_memory(take_rows(context.evaluated.X, np.asarray(rows))))
        raws = [_raw(context, each.column, table) for each in columns]
        for each, raw in zip(columns, raws, strict=True):
            read.append([value_of(each.column, raw, i) for i in range(len(rows))])
        columns = [
            each.with_values([pair for pair in pairs if pair is not None])
            for each, pairs in zip(columns, read, strict=True)
        ]
    starts: Starts = [("the typical row", [each.typical for each in columns])]
    for i, row in enumerate(rows):
        cells = [(each, pairs[i]) for each, pairs in zip(columns, read, strict=True)]
        starts.append((f"row {row_number(row)}", [_place(each, pair) for each, pair in cells]))
    return columns, starts


def _place(column: Choices, pair: tuple[Any, str] | None) -> Any:
    if pair is None:
        return None
    return pair[0] if column.is_number else column.values.index(pair[0])


def _strongest_first(model: Any, columns: Sequence[Choices]) -> list[int]:
    """The columns by their importance, where the model knows it."""
    found = attempt(Importance.from_model, model, by="gain")
    place = {} if found is None else {name: k for k, name in enumerate(found.columns)}
    known = [place.get(each.column.name, len(place)) for each in columns]
    return sorted(range(len(columns)), key=lambda k: known[k])


def _notes(model: ModelIR, n: int) -> list[str]:
    found = [text[0].upper() + text[1:] + "." for text in model.notes]
    if n > _MOST:
        found.append(
            f"Of {n:,} columns that the model uses, the {_MOST} that matter most can be moved; the "
            "others stay as in the row it starts from."
        )
    return found


# ---------------------------------------------------------------------------------------- elements


def _panel(context: ReportContext, levers: Sequence[Node], starts: Starts) -> Element:
    options = [tag("option", name, value=k) for k, (name, _) in enumerate(starts)]
    pick = tag("select", options, id="what-if-start", aria_label="the row to start from")
    several = context.classes is not None and len(context.classes) > 2
    of = tag(
        "select",
        tag("option", "reasons for the predicted class", value=-1),
        [
            tag("option", f"reasons for {name}", value=k)
            for k, name in enumerate(context.classes or ())
        ],
        id="what-if-class",
        aria_label="the class whose reasons are shown",
    )
    answer = tag(
        "div",
        tag(
            "p",
            tag("strong", id="what-if-answer"),
            tag("span", id="what-if-more", class_="small"),
            class_="verdict",
            aria_live="polite",
        ),
        tag(
            "div",
            of if several else None,
            tag("table", tag("tbody", id="what-if-reasons"), class_="facts bars reasons"),
            tag("p", id="what-if-sum", class_="small"),
            class_="why",
        ),
        class_="answer",
    )
    again = tag("button", "Start again", type="button", id="what-if-again")
    tools = tag("div", pick if len(starts) > 1 else None, again, class_="tools")
    moved = tag("div", tools, levers, class_="levers")
    return tag("div", moved, answer, id="what-if-panel", class_="what-if", hidden=True)


def _lever(column: Choices, k: int) -> Element:
    """The control of a column: a slider and a field for numbers, else a list."""
    name, known = f"lever-{k}", printable(column.column.name)
    label = tag("label", known, for_=name)
    if not column.is_number:
        options = [tag("option", text, value=i) for i, text in enumerate(column.texts)]
        if column.missing or not column.values:
            options.append(tag("option", "(missing)", value=""))
        return tag("div", label, tag("select", options, id=name, data_lever=k), class_="lever")
    field = tag(
        "input",
        type="number",
        id=name,
        data_lever=k,
        step="any",
        placeholder="missing" if column.missing else None,
        data_gaps=column.missing,
    )
    low, high = column.ends or (0.0, 0.0)
    slide = tag(
        "input",
        type="range",
        min=f"{low:.12g}",
        max=f"{high:.12g}",
        step=f"{column.step:.6g}" if column.step else 1,
        data_slide=k,
        aria_label=known,
    )
    return tag("div", label, field, slide if high > low else None, class_="lever")


# -------------------------------------------------------------------------------------------- data


def _text(
    context: ReportContext, model: ModelIR, columns: Sequence[Choices], starts: Starts
) -> str:
    """What the script reads, as a text of JSON, in which numbers keep all their digits."""
    fields = json_fields(model)
    for field, each in zip(fields["columns"], columns, strict=True):
        field["name"] = printable(field["name"])
        if "categories" in field:  # rare ones may be names
            known = [pair for pair in field["categories"] if pair[0] in each.values]
            field["categories"] = known
    names = context.classes or ()
    scale = {
        **{IDENTITY: "prediction", EXP: "logarithm of the prediction"},
        **{MEANS: "probability", POWERS: "average share"},
    }
    one = model.link.form == MEANS and context.classes is None
    loss = fact(context.model, "_loss")
    log_odds = isinstance(loss, Loss) and loss.name == "log_loss" and len(names) == 2
    usual = "log-odds" if log_odds else "score"  # as explanations call it
    found = {
        "model": fields,
        "n": model.n_features,
        "columns": [
            {
                "name": printable(each.column.name),
                "number": each.is_number,
                "values": each.values,
                "texts": each.texts,
            }
            for each in columns
        ],
        "starts": [values for _, values in starts],
        "classes": names,
        "positive": context.positive if len(names) == 2 else None,
        "threshold": threshold_of(context.model),
        "scale": "prediction" if one else scale.get(model.link.form, usual),
    }
    return json.dumps(found, allow_nan=False, separators=(",", ":"))

"""Commands on a saved model: rules, inspect, certify, explain, verify, plan, check, report."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import asdict, replace
from typing import Any

from ..base.messages.table import Table, printable
from . import data, output, sink
from .certifying import certificate_record, certified
from .fault import FAILED, Fault, in_options
from .fitting import first_rules
from .output import say
from .predicting import prediction_columns


def rules(path: str, n: int | None, merge: bool, as_json: bool) -> int:
    """Runs ``weaklearn rules``."""
    model = data.model_at(path)
    if merge and hasattr(model, "rules"):
        try:
            table = model.rules(n, merge=True)
        except (TypeError, ValueError):
            name = type(model).__name__
            raise Fault(f"{name} has no rules to merge; leave --merge out.") from None
    elif n is None and hasattr(model, "rules"):
        table = model.rules()
    else:
        table = first_rules(model, n or model.n_features_in_)
    if table is None:
        raise Fault(f"{type(model).__name__} has neither rules nor importances.")
    if as_json:
        output.show_json(output.records(table))
    else:
        output.show(_unabridged(table))
    return 0


def _unabridged(table: Table) -> Table:
    """The same table with all of its rows printed."""
    return Table(table.title, table.columns, table.rows, table.note, shown=len(table.rows))


def inspect(path: str, as_json: bool) -> int:
    """Runs ``weaklearn inspect``."""
    from ..persistence.save_load import inspect as contents_at

    found = contents_at(path)
    if as_json:
        record = {name: getattr(found, name) for name in found.__dataclass_fields__}
        origin = found.origin
        record["origin"] = None if origin is None else origin.in_words()
        output.show_json(record)
    else:
        output.show(found.table())
    return 0


def certify(
    model_path: str,
    path: str,
    *,
    target: str | None,
    weights: str | None,
    test: str | None,
    unseen: bool,
    delta: float,
    ignore: tuple[str, ...],
    as_json: bool,
    **reading: Any,
) -> int:
    """Runs ``weaklearn certify``."""
    model = data.model_at(model_path)
    if not hasattr(model, "certify"):
        raise Fault(f"{type(model).__name__} has no guarantees to certify.")
    if unseen and test is not None:
        raise Fault(
            "--unseen and --test are both given: DATA are either training rows or test rows; leave "
            "one option out."
        )
    rows = data.rows_for(model, path, reading, target=target, weights=weights, ignore=ignore)
    given: dict[str, Any] = {"delta": delta}
    if unseen:
        given |= {"X_test": rows.X, "y_test": rows.y}
    else:
        given |= {"X": rows.X, "y": rows.y}
        given |= {} if rows.weights is None else {"sample_weight": rows.weights}
    given |= _test_rows(model, test, rows.target, ignore, reading)
    found = certified(model, given)
    if as_json:
        output.show_json([certificate_record(c) for c in found])
    else:
        output.show(found.table())
    return 0


def _test_rows(
    model: Any, path: str | None, target: str | None, ignore: tuple[str, ...], reading: Any
) -> dict[str, Any]:
    """The arguments ``X_test`` and ``y_test`` from a second file, if one is named."""
    if path is None:
        return {}
    found = data.rows_for(model, path, reading, target=target, ignore=ignore)
    return {"X_test": found.X, "y_test": found.y}


def explain(
    model_path: str,
    path: str,
    output_path: str | None,
    *,
    rows: tuple[int, ...],
    top: int,
    ignore: tuple[str, ...],
    as_json: bool,
    **reading: Any,
) -> int:
    """Runs ``weaklearn explain``."""
    model = data.model_at(model_path)
    if not hasattr(model, "explain"):
        raise Fault(f"{type(model).__name__} cannot attribute its scores to columns.")
    X = data.rows_for(model, path, reading, labelled=False, ignore=ignore).X
    beyond = [row for row in rows if row > len(X)]
    if beyond:
        raise Fault(f"--row {beyond[0]} is not allowed: {path} has {len(X):,} rows.")
    if output_path is not None:
        _write_contributions(model.explain(X), output_path, as_json)
        say(f"The contributions of {len(X):,} rows are written to {output_path}.")
        return 0
    chosen = [row - 1 for row in rows] or list(range(min(3, len(X))))
    some = X.take(chosen)
    found = model.explain(some)
    columns = prediction_columns(model, some, hasattr(model, "predict_proba"))
    predictions = [{name: c[k] for name, c in columns.items()} for k in range(len(chosen))]
    if as_json:
        output.show_json(
            [_contributions(found, k, row + 1) | predictions[k] for k, row in enumerate(chosen)],
        )
        return 0
    for k, row in enumerate(chosen):
        output.show(found.table(k, top), f"Row {row + 1}{_prediction_text(predictions[k])}")
    return 0


def _prediction_text(prediction: dict[str, Any]) -> str:
    """The prediction of a row and its probability; empty for several outputs.

    >>> _prediction_text({"prediction": "yes", "probability no": 0.25, "probability yes": 0.75})
    ' (prediction yes, probability 0.75)'
    >>> _prediction_text({"prediction": 2.5})
    ' (prediction 2.5)'
    """
    if "prediction" not in prediction:
        return ""
    label = prediction["prediction"]
    text = f"{label:.4g}" if isinstance(label, float) else printable(str(label))
    p = prediction.get(f"probability {label}")
    return f" (prediction {text})" if p is None else f" (prediction {text}, probability {p:.4g})"


def _contributions(found: Any, k: int, row: int) -> dict[str, Any]:
    """The explanation of one row as a JSON object."""
    return {
        "row": row,
        "scale": found.scale,
        "base": found.base,
        "score": found.scores[k],
        "contributions": dict(zip(found.names, found.contributions[k], strict=True)),
        "outputs": list(found.outputs),
    }


def _write_contributions(found: Any, path: str, as_json: bool) -> None:
    n, scores = len(found), found.scores
    with sink.opened(path, as_json) as target:
        if not found.outputs:
            parts = {name: found.contributions[:, k] for k, name in enumerate(found.names)}
            base, total = _free(["base", "score"], parts)
            target.write({base: [found.base] * n, **parts, total: scores})
            return
        for c, label in enumerate(found.outputs):
            parts = {name: found.contributions[:, k, c] for k, name in enumerate(found.names)}
            row, place, base, total = _free(["row", "output", "base", "score"], parts)
            first = {row: list(range(1, n + 1)), place: [label] * n, base: [found.base[c]] * n}
            target.write({**first, **parts, total: scores[:, c]})


def _free(names: list[str], taken: Container[str]) -> list[str]:
    """The names, those that are taken by columns with an underscore appended.

    >>> _free(["base", "score"], {"age", "score"})
    ['base', 'score_']
    """
    return [name if name not in taken else _free([name + "_"], taken)[0] for name in names]


def verify(
    model_path: str,
    path: str,
    *,
    target: str | None,
    weights: str | None,
    ignore: tuple[str, ...],
    as_json: bool,
    **reading: Any,
) -> int:
    """Runs ``weaklearn verify``."""
    from ..comparison.verify import verify as verified

    model = data.model_at(model_path)
    rows = data.rows_for(model, path, reading, target=target, weights=weights, ignore=ignore)
    found = verified(model, rows.X, rows.y, rows.weights)
    if as_json:
        output.show_json(asdict(found))
    else:
        output.show_line(str(found))
    return 0 if found else FAILED


def plan(as_json: bool, **asked: Any) -> int:
    """Runs ``weaklearn plan``."""
    from ..theory.pac.planning import plan as planned

    found = planned(**asked)
    if as_json:
        names = ("gamma", "eps", "delta", "T", "m", "tries", "bits", "vc_dim", "weighted")
        output.show_json({name: getattr(found, name) for name in names})
    else:
        output.show(found.table())
    return 0


def check(
    model_path: str,
    path: str,
    *,
    reference: str | None,
    ignore: tuple[str, ...],
    as_json: bool,
    **reading: Any,
) -> int:
    """Runs ``weaklearn check``."""
    model = data.model_at(model_path)
    if not hasattr(model, "check"):
        raise Fault(
            f"{type(model).__name__} keeps no reference histograms, so that drift cannot be "
            "checked.",
            1,
        )
    X = data.rows_for(model, path, reading, labelled=False, ignore=ignore).X
    given = {}
    if reference is not None:
        known = data.rows_for(model, reference, reading, labelled=False, ignore=ignore)
        given["reference"] = known.X
    found = model.check(X, **given)
    found = replace(found, note=in_options(found.note))
    if as_json:
        output.show_json(found.to_dict())
    else:
        output.show(found.table())
    return 0 if found.ok else FAILED


def report(
    model_path: str,
    path: str,
    output_path: str,
    *,
    target: str | None,
    weights: str | None,
    test: str | None,
    title: str | None,
    examples: bool,
    delta: float,
    ignore: tuple[str, ...],
    **reading: Any,
) -> int:
    """Runs ``weaklearn report``."""
    from ..show import report as write_report

    model = data.model_at(model_path)
    rows = data.rows_for(model, path, reading, target=target, weights=weights, ignore=ignore)
    more = _test_rows(model, test, rows.target, ignore, reading)
    write_report(
        model,
        rows.X,
        rows.y,
        output_path,
        title=title,
        examples=examples,
        sample_weight=rows.weights,
        delta=delta,
        **more,
    )
    say(f"Report written to {output_path}.")
    return 0

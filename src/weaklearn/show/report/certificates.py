"""What is guaranteed, under which assumptions, in plain words."""

from __future__ import annotations

from collections.abc import Sequence

from ...base.certificate import Certificate, Certificates
from ...base.messages.number_text import number
from ...base.offered import offers
from ...page.element import Element, Node, tag
from ...theory.distinct import COPIES
from .section import Absent, Part, ReportContext, Section, attempt, note, percent
from .summary import quoted

_TITLE = "Certificates"
_REMEDY = "pass X_test and y_test"
_TRUTH = (
    "the rows were drawn independently of one another from the same source as the rows to come, "
    "and nothing about the model was chosen by looking at them in any other way"
)


def certificates_of(context: ReportContext) -> Certificates | None:
    """What the model can certify with the rows given; None where it certifies nothing."""
    model, rows, test = context.model, context.rows, context.test
    if not offers(model, "certify"):
        return None
    if rows.stay_in_files or (test is not None and test.stay_in_files):
        return attempt(model.certify)  # type: ignore[no-any-return]
    given = {} if test is None else {"X_test": test.X, "y_test": test.y}
    if rows.origin == "new" and test is None:
        given = {"X_test": rows.X, "y_test": rows.y}
    elif rows.origin in ("training", "unknown"):
        given |= {"X": rows.X, "y": rows.y}
        given |= {} if context.weights is None else {"sample_weight": context.weights}
    # Rows may be of another kind than those of training, or the model take none.
    if context.repeats != COPIES:
        given["repeats"] = context.repeats
    found: Certificates | None = attempt(model.certify, **given, delta=context.delta)
    return attempt(model.certify) if found is None else found


def certificates(context: ReportContext, found: Certificates | None) -> Part:
    """Each theorem with its numbers, and a fold with its conditions."""
    if not found:
        why = found.note if found is not None else ""
        why = why.replace(_REMEDY, f"{_REMEDY}; --test on the command line")
        return Absent(_TITLE, why or "no theorem of the library speaks of this model")
    best = quoted(found)
    body: list[Node] = []
    if best is not None:
        body.append(_quote(best, context))
    speaking = [c for c in found if c.applies and not c.vacuous]
    silent = [c for c in found if not c.applies or c.vacuous]
    body.append(tag("div", [_fold(c) for c in speaking]))
    if silent:
        says = tag("span", f"{len(silent)} more that do not apply or are vacuous", class_="says")
        inside = tag("div", [_fold(c) for c in silent], class_="inside")
        body.append(tag("details", tag("summary", says), inside, class_="quiet"))
    if found.note:
        body.append(note(found.note[0].upper() + found.note[1:] + "."))
    about = (
        "Each line is a theorem held against this model: what it promises, what was observed, and "
        "what has to be true for it."
    )
    return Section("certificates", _TITLE, body, about)


def _quote(best: Certificate, context: ReportContext) -> Element:
    least = "" if best.lower is None else f"at least {percent(best.lower)} and "
    return tag(
        "p",
        "Of rows to come, ",
        tag("strong", f"{least}at most {percent(best.bound or 0.0)} will be wrong"),
        f": this holds with probability {percent(1 - context.delta)}, provided that the rows given "
        "were drawn independently from where the rows to come will come from.",
        class_="quote",
    )


def _amount(value: float | None, unit: str) -> str:
    if value is None:
        return "–"
    return percent(value) if unit == "share" else f"{number(value, 4)} {unit}"


def in_words(c: Certificate) -> str:
    r"""A certificate in a sentence.

    >>> text = in_words(Certificate("ada-train", "training error <= product of Z_t", "",
    ...                             bound=0.05, observed=0.01))
    >>> text
    'At most 5\xa0% of the training rows can be wrong; 1\xa0% are.'
    """
    bound, seen = _amount(c.bound, c.unit), _amount(c.observed, c.unit)
    subject, _, limit = c.statement.partition(" <= ")
    if c.bound is None or c.vacuous:
        return c.statement
    if c.about == "truth" and c.unit == "share":
        least = "" if c.lower is None else f"at least {percent(c.lower)} and "
        return f"Of rows to come, {least}at most {bound} will be wrong."
    if c.observed is None:
        return f"{c.statement}: {bound}"
    if subject == "training error":
        return f"At most {bound} of the training rows can be wrong; {seen} are."
    if c.statement.startswith("share of margins") and _is_number(limit):
        return (
            f"At most {bound} of the training rows can have a margin of {limit} or less; {seen} do."
        )
    if c.unit == "rounds" and subject.startswith("rounds until"):
        most, took = number(c.bound, 4), number(c.observed, 4)
        return f"{subject.capitalize()}: at most {most}; it took {took}."
    return f"{subject[0].upper()}{subject[1:]}: at most {bound}; observed {seen}."


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _fold(c: Certificate) -> Element:
    kind = "none" if not c.applies or c.vacuous else "bad" if c.holds is False else "good"
    word = {"none": "vacuous" if c.vacuous else "does not apply", "bad": "VIOLATED"}.get(
        kind, "holds" if c.holds else "bound"
    )
    needs = [_TRUTH] if c.about == "truth" and c.applies and not c.assumed else []
    about = "rows to come" if c.about == "truth" else "the training rows"
    return tag(
        "details",
        tag(
            "summary",
            tag("span", in_words(c), class_="says"),
            tag("span", word, class_=f"mark {kind}"),
        ),
        tag(
            "div",
            tag("p", f"The theorem, about {about}: ", tag("code", c.statement.replace("<=", "≤"))),
            _list("Checked on this model", c.checked),
            _list("Assumed, and not checked", [*c.assumed, *needs]),
            tag("p", c.note[0].upper() + c.note[1:] + ".") if c.note else None,
            tag("p", f"It may fail with probability {percent(c.delta)}.") if c.delta else None,
            tag("p", "Source: ", c.source, " (", tag("code", c.id), ")"),
            class_="inside",
        ),
    )


def _list(title: str, items: Sequence[str]) -> Node:
    if not items:
        return None
    return [tag("p", f"{title}:"), tag("ul", [tag("li", item) for item in items])]

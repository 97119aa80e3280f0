"""Docstrings of estimators, completed with the text of the parameters that they inherit.

The text of a parameter is written once, in the class that declares it. It is copied into the
docstrings of subclasses when these are made, so that ``help`` and notebooks show all of it. Tools
that read source without running it show the parameters that a class describes itself.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

_PARAMETERS = "Parameters\n----------\n"
_SECTION = re.compile(r"^\w[\w ]*\n---+\n", re.MULTILINE)
_ATTRIBUTES = """\
Attributes
----------
classes_, n_features_in_, feature_names_in_, n_iter_, stop_reason_, history_, ensemble_,
estimators_, estimator_weights_, estimator_errors_, edges_, feature_importances_"""


class Entry(NamedTuple):
    """The lines of a docstring about one parameter, or about several that are described at once."""

    names: tuple[str, ...]
    text: str


def completed(
    doc: str | None, defaults: Mapping[str, Any], bases: Iterable[type] = ()
) -> str | None:
    """A docstring with the text of every parameter, and a classifier's attributes.

    ``defaults`` are the parameters in the order of the signature; those that the docstring leaves
    out are described as in the first of the ``bases`` that describes them.

    >>> class Base:
    ...     '''A base class.
    ...
    ...     Parameters
    ...     ----------
    ...     tol : float, default 0.0
    ...         The least gain.
    ...     '''
    >>> doc = "A booster.\\n\\nParameters\\n----------\\nnu : float"
    >>> print(completed(doc, {"tol": 0.5, "nu": 1}, [Base]))
    A booster.
    <BLANKLINE>
    Parameters
    ----------
    tol : float, default 0.5
        The least gain.
    nu : float
    """
    if doc is None:  # dropped by ``python -OO``
        return None
    head, section, rest = _parted(inspect.cleandoc(doc))
    own = list(entries(section))
    docs = [inspect.cleandoc(base.__dict__.get("__doc__") or "") for base in bases]
    inherited = [entry for text in docs for entry in entries(_parted(text)[1])]
    found: list[Entry] = []
    for name in defaults:
        described = _about(name, own) or _about(name, inherited)
        if described is None or described in found:
            continue
        if described not in own and len(described.names) == 1:
            described = _with_default(described, defaults[name])
        found.append(described)
    found += [entry for entry in own if entry not in found]
    if not found:
        return doc
    section = "\n".join(entry.text for entry in found)
    if "class_weight" in defaults and "Attributes\n---" not in rest:
        section += f"\n\n{_ATTRIBUTES}"
    return "\n\n".join(part for part in (head, _PARAMETERS + section, rest) if part)


def entries(section: str) -> Iterator[Entry]:
    """The entries of the text between the line under "Parameters" and the next section."""
    head: list[str] = []
    lines: list[str] = []
    for line in section.splitlines():
        if line.startswith(" "):
            lines.append(line)
        elif head and not lines and head[-1].endswith(","):
            head.append(line)  # a list of names goes on
        else:
            if head:
                yield _entry(head, lines)
            head, lines = [line], []
    if head:
        yield _entry(head, lines)


def _entry(head: list[str], lines: list[str]) -> Entry:
    names = " ".join(head).partition(" :")[0]
    return Entry(tuple(re.findall(r"\w+", names)), "\n".join(head + lines))


def _parted(doc: str) -> tuple[str, str, str]:
    """What a docstring has before its parameters, about them, and after them."""
    if _PARAMETERS in doc:
        head, _, tail = doc.partition(_PARAMETERS)
        section, _, rest = tail.partition("\n\n")
        return head.rstrip(), section, rest
    following = _SECTION.search(doc)
    cut = len(doc) if following is None else following.start()
    return doc[:cut].rstrip(), "", doc[cut:]


def _about(name: str, described: Iterable[Entry]) -> Entry | None:
    return next((entry for entry in described if name in entry.names), None)


def _with_default(entry: Entry, value: Any) -> Entry:
    """An inherited entry with the default value that the parameter has here."""
    shown = f'"{value}"' if isinstance(value, str) else repr(value)
    head, newline, text = entry.text.partition("\n")
    head = re.sub(r"default .*$", lambda _: f"default {shown}", head)
    return Entry(entry.names, head + newline + text)

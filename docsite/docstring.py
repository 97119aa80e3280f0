"""Docstrings in the manner of numpydoc, as Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable

Link = Callable[[str], str | None]

_SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}$", re.MULTILINE)
_CODE = re.compile(r"(\$`[^`]+`\$|``[^`]+``|`[^`]+`)")
_ROLE = re.compile(r":(math|func|class|meth|attr|mod):`([^`]+)`")
_WORDS = ("Parameters", "Attributes", "Returns", "Raises", "Yields")


def as_markdown(doc: str, link: Link = lambda name: None, level: int = 2) -> str:
    """A docstring as Markdown; ``link`` says where a name in double backticks is told of.

    >>> print(as_markdown("Rules.\\n\\nParameters\\n----------\\nnu : float\\n    A share."))
    Rules.
    <BLANKLINE>
    ## Parameters
    <BLANKLINE>
    `nu` : float
    :   A share.
    """
    parts = _SECTION.split(_ROLE.sub(_role, doc))
    out = [_prose(parts[0].strip(), link)]
    for name, body in zip(parts[1::2], parts[2::2], strict=True):
        out.append(f"{'#' * level} {name}" if level < 4 else f"**{name}**")
        text = body.strip("\n")
        out.append(_entries(text, link) if name in _WORDS else _prose(text, link))
    return "\n\n".join(part for part in out if part)


def _role(match: re.Match[str]) -> str:
    """Sphinx's roles as code in double backticks, or as a formula."""
    kind, text = match.groups()
    if kind == "math":
        return f"$`{' '.join(text.split())}`$"  # a formula may go on in the next line
    return f"``{text.removeprefix('~')}``"


def _prose(text: str, link: Link) -> str:
    """Paragraphs; sessions and indented lines become blocks of code."""
    out = []
    for block in re.split(r"\n\s*\n", text):
        first = block.lstrip()
        if first.startswith(".. math::"):
            formula = " ".join(first.removeprefix(".. math::").split())
            out.append(f"$${formula}$$")
        elif first.startswith(">>>"):
            out.append(f"```pycon\n{_flush(block)}\n```")
        elif block.startswith("    "):
            out.append(f"```text\n{_flush(block)}\n```")
        elif first.startswith(("* ", "- ")):
            out.append("\n".join(_item(line, link) for line in block.splitlines()))
        else:
            out.append(_inline(block, link))
    return re.sub(r"\n```\n\n```pycon\n", "\n\n", "\n\n".join(out))


def _flush(block: str) -> str:
    lines = block.strip("\n").splitlines()
    margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return "\n".join(line[margin:] for line in lines)


def _item(line: str, link: Link) -> str:
    mark = re.match(r"\s*[*-] ", line)
    if mark is None:
        return "  " + _inline(line.strip(), link)
    return "- " + _inline(line[mark.end() :], link)


def _entries(text: str, link: Link) -> str:
    """``name : kind`` above indented lines, as a list of definitions."""
    entries: list[tuple[list[str], list[str]]] = []
    for line in text.splitlines():
        if line.startswith(" ") or not line.strip():
            if entries:
                entries[-1][1].append(line)
        elif entries and not entries[-1][1] and entries[-1][0][-1].endswith(","):
            entries[-1][0].append(line)  # a list of names goes on
        else:
            entries.append(([line], []))
    return "\n\n".join(_entry(" ".join(head), body, link) for head, body in entries)


def _entry(head: str, body: list[str], link: Link) -> str:
    names, colon, kind = head.partition(" : ")
    if re.fullmatch(r"[\w*]+(, ?[\w*]+)*", names):
        names = ", ".join(f"`{name.strip()}`" for name in names.split(","))
    else:
        names = _inline(names, link)
    told = _prose(_flush("\n".join(body)), link).strip()
    indented = re.sub(r"\n(?=.)", "\n    ", told)
    kind = _inline(kind, link)
    return f"{names}{colon}{kind}\n:   {indented or '&nbsp;'}"


def _inline(text: str, link: Link) -> str:
    """Text between pieces of code has no marks of Markdown in it."""
    parts = _CODE.split(text)
    for i, part in enumerate(parts):
        if part.startswith("$`"):
            parts[i] = "$" + part[2:-2] + "$"
        elif i % 2:
            code = part.strip("`")
            target = link(code)
            parts[i] = f"`{code}`" if target is None else f"[`{code}`]({target})"
        else:
            parts[i] = re.sub(r"([*_\[\]|$#])", r"\\\1", part).replace("<", "&lt;")
    return "".join(parts)

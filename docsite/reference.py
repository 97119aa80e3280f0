"""The pages of the reference: one for each algorithm, one for each package of functions."""

from __future__ import annotations

import enum
import importlib
import inspect
import posixpath
import re
import types
from pathlib import Path
from typing import Any

import weaklearn
from weaklearn.registry import ROWS

from .docstring import as_markdown
from .families import FAMILIES, PACKAGES, TOOLS, Family, page_of

DOCS = Path(__file__).parents[1] / "docs"
_USUAL = ["fit", "partial_fit", "predict", "predict_proba", "decision_function", "transform"]
_ABOUT = """\
# Algorithms

Every algorithm has a page of its own, made from what `help(...)` shows in a session: what it does,
its parameters, what a fit leaves, and an example. The stories are told on the pages that each of
them names; which booster to choose is told in [the canon](../canon/index.md). The last column is
the number that stands for a class in [model files](../model-files.md).
"""


def reference() -> dict[str, str]:
    """Markdown by page."""
    made = {"algorithms/index.md": _index(), "algorithms/tools.md": _tools()}
    for family in FAMILIES:
        for name, story in family.stories.items():
            made[page_of(name)] = _algorithm(name, family, story)
    for packages in PACKAGES.values():
        made |= {page_of(package): _room(package) for package in packages}
    return made


def algorithms() -> set[str]:
    """All names that have a page of their own."""
    return {name for family in FAMILIES for name in family.stories}


def _link(name: str) -> str | None:
    plain = name.removeprefix("weaklearn.")
    if plain in algorithms():
        return f"{plain}.md"
    known = {package for packages in PACKAGES.values() for package in packages}
    return f"{plain}.md" if plain in known else None


def _to(story: str) -> str:
    return posixpath.relpath(story, "algorithms")


# ------------------------------------------------------------------------------------------- pages


def _index() -> str:
    parts = [_ABOUT]
    for family in FAMILIES:
        parts += [
            f"## {family.title}",
            family.about,
            "| class | | story | in files |\n|---|---|---|---|",
        ]
        lines = [
            f"| [`{name}`]({name}.md) | {_first(getattr(weaklearn, name))} "
            f"| [{_headline(story)}]({_to(story)}) | {ROWS[name].number or ''} |"
            for name, story in family.stories.items()
        ]
        parts[-1] += "\n" + "\n".join(lines)
    for title, packages in PACKAGES.items():
        lines = [
            f"| [`weaklearn.{package}`]({package}.md) | {_first(_module(package))} |"
            for package in packages
        ]
        parts += [f"## {title}", "| package | |\n|---|---|\n" + "\n".join(lines)]
    return "\n\n".join(parts) + "\n"


def _algorithm(name: str, family: Family, story: str) -> str:
    cls = getattr(weaklearn, name)
    doc = inspect.getdoc(cls) or ""
    head, _, rest = doc.partition("\n\nParameters\n---")
    parts = [
        f"# {name}",
        as_markdown(head, _link),
        f"*{family.title}. Its story:* [{_headline(story)}]({_to(story)})",
        f"```python\n{_signature(name, cls)}\n```",
    ]
    if rest:
        parts.append(as_markdown("Parameters\n---" + rest, _link))
    elif "\n---" in head:
        parts[1] = as_markdown(doc, _link)
    return "\n\n".join([*parts, _methods(cls)]) + "\n"


def _room(package: str) -> str:
    module = _module(package)
    doc = inspect.getdoc(module) or ""
    parts = [f"# {package}", as_markdown(doc, _link), f"```python\nimport weaklearn.{package}\n```"]
    for name in _public(module):
        thing = getattr(module, name)
        if isinstance(thing, types.ModuleType):
            continue
        if _link(name) is not None:
            parts.append(f"## {name}\n\n[`{name}`]({_link(name)}) has a page of its own.")
        else:
            parts.append(_thing(name, thing))
    return "\n\n".join(parts) + "\n"


def _tools() -> str:
    about = "What is done with models, whichever they are, and what comes out."
    things = [_thing(name, getattr(weaklearn, name)) for name in TOOLS]
    return "\n\n".join(["# Models kept and compared", about, *things]) + "\n"


# ------------------------------------------------------------------------------------------- parts


def _thing(name: str, thing: Any) -> str:
    """A function, a class or a constant under its heading."""
    parts = [f"## {name}"]
    if callable(thing):
        parts.append(f"```python\n{_signature(name, thing)}\n```")
        parts.append(as_markdown(inspect.getdoc(thing) or "", _link, level=3))
        if inspect.isclass(thing) and not issubclass(thing, (Warning, Exception, enum.Enum)):
            parts.append(_methods(thing, level=3))
    else:
        parts.append(_constant(thing))
    return "\n\n".join(part for part in parts if part)


def _constant(thing: Any) -> str:
    """What it holds: the names of a table, or the value."""
    names = ", ".join(f"`{key}`" for key in thing) if isinstance(thing, dict) else f"`{thing!r}`"
    return f"One of {names}." if isinstance(thing, dict) else names


def _methods(cls: type, level: int = 2) -> str:
    """The methods, those that every model has first, each with what it says of itself."""
    found = {}
    for name, member in inspect.getmembers(cls):
        if name.startswith("_") or not inspect.isroutine(member):
            continue
        if (inspect.getmodule(member) or weaklearn).__name__.startswith("weaklearn"):
            found[name] = member
    if not found:
        return ""
    order = [*(n for n in _USUAL if n in found), *(n for n in found if n not in _USUAL)]
    parts = [f"{'#' * level} Methods"]
    for name in order:
        parts.append(f"{'#' * (level + 1)} {name}" if level == 2 else f"**{name}**")
        parts.append(f"```python\n{_signature(name, found[name])}\n```")
        parts.append(as_markdown(inspect.getdoc(found[name]) or "", _link, level=level + 2))
    return "\n\n".join(part for part in parts if part)


def _signature(name: str, thing: Any) -> str:
    """A call as one would write it, without types, broken where it is long."""
    try:
        signature = inspect.signature(thing)
    except (TypeError, ValueError):
        return f"{name}(...)"
    kept = [
        _spelt(p.replace(annotation=p.empty))
        for p in signature.parameters.values()
        if p.name not in ("self", "cls")
    ]
    marks = [p.kind for p in signature.parameters.values() if p.name not in ("self", "cls")]
    kept = _starred(kept, marks)
    line = f"{name}({', '.join(kept)})"
    if len(line) <= 88:
        return line
    return f"{name}(\n" + "".join(f"    {part},\n" for part in kept) + ")"


def _spelt(parameter: inspect.Parameter) -> str:
    """A parameter with its default, which has no address in memory."""
    text = str(parameter)
    return re.sub(r"<(?:function |class ')?(?:[\w.]+\.)?(\w+)[^>]*>", r"\1", text)


def _starred(parts: list[str], kinds: list[Any]) -> list[str]:
    """With the star before what goes by name alone."""
    if inspect.Parameter.VAR_POSITIONAL in kinds:
        return parts
    for i, kind in enumerate(kinds):
        if kind is inspect.Parameter.KEYWORD_ONLY:
            return [*parts[:i], "*", *parts[i:]]
    return parts


def _module(package: str) -> types.ModuleType:
    return importlib.import_module(f"weaklearn.{package}")


def _public(module: types.ModuleType) -> list[str]:
    """What a package offers: its list, or else the functions and classes that it defines."""
    listed = getattr(module, "__all__", None)
    if listed is not None:
        return list(listed)
    return [
        name
        for name, thing in vars(module).items()
        if not name.startswith("_") and getattr(thing, "__module__", "") == module.__name__
    ]


def _first(thing: Any) -> str:
    """The first paragraph, in one line."""
    paragraph = (inspect.getdoc(thing) or "").partition("\n\n")[0]
    return as_markdown(" ".join(paragraph.split()), _link)


def _headline(story: str) -> str:
    text = (DOCS / story).read_text(encoding="utf-8")
    return text.partition("\n")[0].removeprefix("# ")

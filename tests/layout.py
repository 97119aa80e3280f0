"""The measures of the sources: lengths, local imports, classes named by strings, hasattr.

``python -m tests.layout`` prints what is over the limits today, in the form of ``layout.toml``.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "weaklearn"

MOST_LINES = 400  # of a file
MOST_LINES_OF_A_FUNCTION = 60  # without its docstring
MOST_MODULES = 40  # of a folder
# The one place that may know classes of the packages above it by their names.
REGISTRY = "src/weaklearn/registry/"
# Packages whose modules are loaded when they are used: they are optional, or take long to import.
LATE = {
    *("click", "matplotlib", "onnx", "pandas", "PIL", "polars", "pyarrow", "rich", "skimage"),
    *("dask", "distributed", "catboost", "lightgbm", "xgboost", "scipy", "sklearn", "joblib"),
    *("shap", "waitress"),
    *sys.stdlib_module_names,
}
# The command line starts quickly: what a command needs is imported when it is called.
LATE_FOLDER = "src/weaklearn/cli/"
_CLASS = re.compile(r"weaklearn(\.\w+)+\.[A-Z]\w*")

Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def modules() -> dict[str, ast.Module]:
    """The modules of the library by their path."""
    paths = sorted(SOURCE.rglob("*.py"))
    return {path.relative_to(ROOT).as_posix(): ast.parse(path.read_text()) for path in paths}


@cache
def long_files() -> dict[str, int]:
    """Files of more lines than allowed, and how many they have."""
    kernels = [p for p in (ROOT / "cpp").rglob("*.[ch]pp") if "tests" not in p.parts]
    paths = (*SOURCE.rglob("*.py"), *kernels)
    lines = {p.relative_to(ROOT).as_posix(): len(p.read_text().splitlines()) for p in paths}
    return {path: n for path, n in sorted(lines.items()) if n > MOST_LINES}


@cache
def long_functions() -> dict[str, int]:
    """Functions of more lines than allowed, docstrings left out."""
    lengths = {
        f"{path}:{function.name}": _length(function)
        for path, tree in modules().items()
        for function in _functions(tree)
    }
    return {name: n for name, n in lengths.items() if n > MOST_LINES_OF_A_FUNCTION}


@cache
def local_imports() -> dict[str, int]:
    """Imports of this library inside functions, by file: a way around the order of packages."""
    found: Counter[str] = Counter()
    for path, tree in modules().items():
        if not path.startswith(LATE_FOLDER):
            inner = {node for function in _functions(tree) for node in ast.walk(function)}
            found[path] = sum(_is_early(node) for node in inner)
    return {path: n for path, n in found.items() if n}


@cache
def class_names() -> dict[str, int]:
    """Classes of this library named by strings, by file, outside the registry."""
    found: Counter[str] = Counter()
    for path, tree in modules().items():
        if not path.startswith(REGISTRY):
            texts = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
            found[path] = sum(isinstance(s, str) and bool(_CLASS.fullmatch(s)) for s in texts)
    return {path: n for path, n in found.items() if n}


@cache
def large_folders() -> dict[str, int]:
    """Folders of more modules than allowed."""
    found = Counter(path.rpartition("/")[0] for path in modules())
    return {path: n for path, n in found.items() if n > MOST_MODULES}


@cache
def probed_attributes() -> dict[str, int]:
    """Objects asked whether they have an attribute (hasattr, getattr with a default), by file.

    Containers and models of users are asked so, as scikit-learn's conventions will have it; objects
    of this library declare what they have.
    """
    found: Counter[str] = Counter()
    for path, tree in modules().items():
        calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
        found[path] = sum(
            isinstance(call.func, ast.Name)
            and (call.func.id, len(call.args)) in (("hasattr", 2), ("getattr", 3))
            for call in calls
        )
    return {path: n for path, n in found.items() if n}


@cache
def import_graph() -> dict[str, set[str]]:
    """The modules that each module imports, inside functions too; imports for types left out."""
    names = {_module(path): path for path in modules()}
    graph: dict[str, set[str]] = {}
    for name, path in names.items():
        package = name.split(".") if path.endswith("__init__.py") else name.split(".")[:-1]
        found = graph[name] = set()
        for node in _run_time(modules()[path]):
            if isinstance(node, ast.ImportFrom):
                base = package[: len(package) - node.level + 1] if node.level else []
                home = ".".join([*base, *([node.module] if node.module else [])])
                wanted = {f"{home}.{alias.name}" for alias in node.names}
                found |= {each if each in names else home for each in wanted} & names.keys()
        found.discard(name)
    return graph


MEASURES = {
    "long_files": long_files,
    "long_functions": long_functions,
    "local_imports": local_imports,
    "class_names": class_names,
    "probed_attributes": probed_attributes,
    "large_folders": large_folders,
}


def _module(path: str) -> str:
    return path.removeprefix("src/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _run_time(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a module that are not under ``if TYPE_CHECKING``."""
    for node in ast.iter_child_nodes(tree):
        if not (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)):
            yield node
            yield from _run_time(node)


def _functions(tree: ast.AST) -> Iterator[Function]:
    return (node for node in ast.walk(tree) if isinstance(node, Function))


def _length(function: Function) -> int:
    lines = (function.end_lineno or 0) - function.lineno + 1
    if ast.get_docstring(function, clean=False) is not None:
        text = function.body[0]
        lines -= (text.end_lineno or 0) - text.lineno + 1
    return lines


def _is_early(node: ast.AST) -> bool:
    """Whether an import belongs at the top of its module."""
    if isinstance(node, ast.Import):
        return any(name.name.partition(".")[0] not in LATE for name in node.names)
    if isinstance(node, ast.ImportFrom):
        return node.level > 0 or (node.module or "").partition(".")[0] not in LATE
    return False


if __name__ == "__main__":
    for name, measure in MEASURES.items():
        print(f"[{name}]", *(f'"{path}" = {n}' for path, n in measure().items()), "", sep="\n")

"""The sources of ``weaklearn-runtime``: the same package, of which numpy alone is required.

``python -m distributions.runtime FOLDER`` copies what is built into a new folder, with a
``pyproject.toml`` made of that of the repository; ``make runtime-wheel`` builds it.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
_NAME = "weaklearn-runtime"
BUILT = ("CMakeLists.txt", "LICENSE", "README.md", "cpp", "src")
# What is kept of the table [project]; the rest is of whoever fits models.
_KEPT = ("dynamic", "readme", "license", "license-files", "authors", "classifiers")
_MODEL = "tests/frozen/3-AdaBoostClassifier-plain-two.weak"
# Tried in an empty environment; cibuildwheel says where the repository is.
TRIAL = (
    "import sys; from weaklearn import runtime; model = runtime.load(sys.argv[1]); "
    "model.predict([[None] * model.n_features_in_]); assert 'scipy' not in sys.modules"
)


def project(given: dict[str, Any]) -> dict[str, Any]:
    """The table [project] of the runtime, from that of the repository."""
    (numpy,) = (need for need in given["dependencies"] if need.startswith("numpy"))
    return {
        "name": _NAME,
        "description": f"Predicts with models of {given['name']}, where numpy alone is installed",
        "requires-python": given["requires-python"],
        "dependencies": [numpy],
        **{name: given[name] for name in _KEPT},
    }


def pyproject(text: str) -> str:
    """The ``pyproject.toml`` of the runtime: how it is built stays as in that of the repository."""
    made = project(tomllib.loads(text)["project"])
    lines = ["[project]", *(f"{name} = {_toml(value)}" for name, value in made.items())]
    sections = re.split(r"(?m)^(?=\[{1,2}[a-z])", text)
    kept = [s for s in sections if not re.match(r"\[project[].]|\[tool\.cibuildwheel\]", s)]
    told = tomllib.loads(text)["tool"]["cibuildwheel"]
    wheels = {
        "build": told["build"],
        "build-frontend": told["build-frontend"],
        "test-command": f'python -c "{TRIAL}" {{project}}/{_MODEL}',
    }
    lines += ["", "[tool.cibuildwheel]", *(f"{k} = {_toml(v)}" for k, v in wheels.items()), ""]
    return kept[0] + "\n".join(lines) + "\n" + "".join(kept[1:])


def _toml(value: Any) -> str:
    """A text, or a list of texts or of tables of texts, as TOML."""
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{name} = {_toml(each)}' for name, each in value.items())} }}"
    return json.dumps(value)


def write(folder: Path) -> None:
    """Writes the sources into a folder, which is emptied first where these were written to it."""
    made = folder / "pyproject.toml"
    ours = made.is_file() and f'name = "{_NAME}"' in made.read_text(encoding="utf-8")
    if folder.exists() and not ours and (not folder.is_dir() or any(folder.iterdir())):
        raise SystemExit(f"{folder} holds something else; name a new folder, as it is emptied.")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in BUILT:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, folder / name)
    text = pyproject((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (folder / "pyproject.toml").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("python -m distributions.runtime FOLDER")
    write(Path(sys.argv[1]))

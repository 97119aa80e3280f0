"""The names of the package: few are shown, all resolve, none costs before it is used."""

import subprocess
import sys

import pytest

import weaklearn


def test_the_shop_window_shows_about_twenty_names() -> None:
    assert 15 <= len(dir(weaklearn)) <= 25
    assert {"AdaBoostClassifier", "GradientBoostingClassifier", "load", "compare"} <= set(
        dir(weaklearn)
    )


@pytest.mark.parametrize("name", sorted({*weaklearn.__all__, *dir(weaklearn)}))
def test_every_public_name_resolves(name: str) -> None:
    assert getattr(weaklearn, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="AdaBoastClassifier"):
        weaklearn.AdaBoastClassifier  # noqa: B018


def test_importing_the_package_loads_no_heavy_one() -> None:
    heavy = ("numpy", "scipy", "sklearn", "narwhals", "matplotlib", "pandas")
    code = f"import sys, weaklearn; print([n for n in {heavy!r} if n in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"

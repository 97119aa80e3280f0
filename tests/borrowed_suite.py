"""Test files of scikit-learn, read from where it is installed and run on this library's classes.

Tests are collected where ``suite_tests`` puts them, as if they were written there. Those listed as
exceptions are run, too, and must fail: an exception that is none any more is to be struck out.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from contextlib import ExitStack
from fnmatch import fnmatchcase
from types import ModuleType
from typing import Any
from unittest import mock

import pytest
import sklearn.ensemble
import sklearn.tree


def loaded(name: str, ours: Mapping[str, type]) -> ModuleType | None:
    """The module of tests with classes of the same names exchanged; None where there is none."""
    try:
        spec = importlib.util.find_spec(f"sklearn.ensemble.tests.{name}")
    except ImportError:
        return None
    if spec is None or spec.origin is None:
        return None
    fresh = importlib.util.spec_from_file_location(f"weaklearn_{name}", spec.origin)
    assert fresh is not None
    assert fresh.loader is not None
    suite = importlib.util.module_from_spec(fresh)
    with ExitStack() as exchanged:
        for known, made in ours.items():
            home = sklearn.tree if known in sklearn.tree.__all__ else sklearn.ensemble
            exchanged.enter_context(mock.patch.object(home, known, made))
        fresh.loader.exec_module(suite)
    return suite


def suite_tests(suite: ModuleType | None) -> dict[str, Any]:
    """Every test of the module by name."""
    found = vars(suite).items() if suite is not None else ()
    return {name: test for name, test in found if name.startswith("test_") and callable(test)}


def expect_exceptions(request: pytest.FixtureRequest, reasons: Mapping[str, str]) -> None:
    """Marks the test that asks as one that must fail, where a pattern with a reason names it."""
    for pattern, reason in reasons.items():
        if fnmatchcase(request.node.name, pattern.replace("[", "[[]")):
            request.applymarker(pytest.mark.xfail(strict=True, reason=reason))


def by_pattern(exceptions: Mapping[str, str]) -> dict[str, str]:
    """The reason of each pattern, where a reason is listed once with all its patterns.

    >>> by_pattern({"a reason": "test_a test_b[*c]"})
    {'test_a': 'a reason', 'test_b[*c]': 'a reason'}
    """
    return {pattern: why for why, patterns in exceptions.items() for pattern in patterns.split()}


def untold(exceptions: Mapping[str, str], page: str) -> list[str]:
    """The tests among the exceptions that a page of the documentation does not name."""
    names = {pattern.partition("[")[0].rstrip("*") for pattern in by_pattern(exceptions)}
    return sorted(name for name in names if name not in page)

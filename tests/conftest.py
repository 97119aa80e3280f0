"""What holds for all tests: threads of others, Ctrl-C, how many examples properties try."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

# Threads of linear algebra that wait for each other use most of the processor and speed up nothing
# on tables as small as these. This library's own threads are not meant.
for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

# A shell ignores Ctrl-C for what runs in the background, and processes inherit it: a test that
# interrupts one would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Without a profile, and in the thorough one, a test tries as many examples as it names. How long
# one takes depends on what else the machine does, and fails no test.
for profile in ("plain", "fast", "thorough"):
    settings.register_profile(profile, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("plain")
FEWER, LEAST = 4, 5


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """What is collected stays to the end: nobody looks for garbage in it, now or later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.collect()
        gc.freeze()


def pytest_unconfigure() -> None:
    """At the end all may go, as in any process."""
    gc.unfreeze()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """In the profile ``fast`` a test tries a quarter of the examples that it names."""
    if config.getoption("--hypothesis-profile") != "fast":
        return
    for test in {item.function for item in items if isinstance(item, pytest.Function)}:
        if is_hypothesis_test(test):
            named = test._hypothesis_internal_use_settings
            fewer = max(LEAST, named.max_examples // FEWER)
            test._hypothesis_internal_use_settings = settings(named, max_examples=fewer)

"""The parts of the campaign: the command of each, and its share of the time."""

from __future__ import annotations

import shlex
import sys
from dataclasses import dataclass


@dataclass(frozen=True)
class Part:
    """A hunt: a module of the tests, or a target of the Makefile where it needs another build.

    ``share``: of the seconds of a campaign, relative to the other parts. ``build``: the target that
    builds what it needs.
    """

    name: str
    share: float
    module: str = ""
    target: str = ""
    variable: str = ""
    build: str = ""
    options: tuple[str, ...] = ()

    def command(self, options: list[str]) -> list[str]:
        """The command of the part, with options of every hunt."""
        words = [*self.options, *options]
        if self.module:
            return [sys.executable, "-m", self.module, *words]
        return ["make", "--no-print-directory", self.target, f"{self.variable}={shlex.join(words)}"]

    def again(self, seed: int, number: int) -> str:
        """The command, as one types it, that tries one number again."""
        words = self.command(["--seed", str(seed), "--first", str(number), "--count", "1"])
        if self.module:
            words[0] = ".venv/bin/python"
        return shlex.join(word for word in words if word != "--no-print-directory")


_IN_FEW_WAYS = ("--ways", "8")
_SHORT_LIVES = shlex.split(
    "--fits 120 --predictions 1200 --loads 120 --refusals 120 --at-once 9"  # of a trial
)
PARTS = (
    Part("model files", 10, module="tests.files.fuzz", options=_IN_FEW_WAYS),
    Part(
        "model files under asan",
        12,
        target="fuzz",
        variable="FUZZ_ARGS",
        build="asan-built",
        options=_IN_FEW_WAYS,
    ),
    Part("C++ under asan", 3, target="asan-cpp", variable="CPP_ARGS", build="asan-built"),
    Part(
        "suite under asan",
        20,
        target="asan-suite",
        variable="ASAN_ARGS",
        build="asan-built",
    ),
    Part("C++ under tsan", 8, target="tsan-cpp", variable="CPP_ARGS", build="tsan-built"),
    Part("races under tsan", 10, target="races", variable="RACES_ARGS", build="tsan-built"),
    Part("allocations", 8, target="faults", variable="FAULTS_ARGS", build="faults-built"),
    Part("inputs", 5, module="tests.campaign.inputs"),
    Part("odd tables", 5, module="tests.campaign.odd_tables"),
    Part("failed fits", 5, module="tests.campaign.failed_fits"),
    Part("disasters", 6, module="tests.campaign.disasters"),
    Part("long lives", 8, module="tests.campaign.long_lives", options=(*_SHORT_LIVES,)),
    Part("bits", 10, module="tests.campaign.bits"),
    Part("fingerprints", 5, module="tests.campaign.fingerprints"),
    Part("statistics", 6, module="tests.campaign.statistics"),
)

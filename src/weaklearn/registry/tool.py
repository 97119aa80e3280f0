"""The modules of public names that are no estimators, and of classes looked up by name."""

from __future__ import annotations

# Functions, results and warnings of ``weaklearn``, by module, in the order of the documentation.
TOOLS = {
    "load": "persistence.save_load",
    "inspect": "persistence.save_load",
    "verify": "comparison.verify",
    "prove": "comparison.prove",
    "rounds": "estimators.boosting.round_by_round",
    "merge": "estimators.gradient.merge",
    "compare": "comparison.compare",
    "Comparison": "comparison.result",
    "Certificate": "base",
    "History": "base",
    "without_profile": "production.profile",
    "ModelFileError": "files",
    "WeaklearnWarning": "base",
    "DataWarning": "base",
    "BoostingWarning": "base",
    "PassesWarning": "base",
    "ThreadsWarning": "base",
    "InconsistentVersionWarning": "base",
}

# Packages that are reached as attributes of ``weaklearn``.
PACKAGES = (
    *("base", "boosters", "callbacks", "cli", "datasets", "engines", "ensembles", "estimators"),
    *("files", "lab", "learners", "losses", "metrics", "online", "runtime", "show", "testing"),
    *("text", "theory", "vision"),
)

# Pictures that models draw of themselves.
DISPLAYS = {
    "AlternatingTreeDisplay": "show.displays.alternating_tree",
    "ImportanceDisplay": "show.displays.importance",
    "ShapeFunctionDisplay": "show.displays.shape_function",
    "WaterfallDisplay": "show.displays.waterfall",
}

"""Where the records of values that model files hold are, except schemas; they need numpy alone.

A module is imported with the first file that holds one of its numbers.
"""

from __future__ import annotations

NUMBERS: dict[str, tuple[int, ...]] = {
    "files.stump": (1,),
    "files.tree": (2,),
    "files.ensembles": (3, 4),
    "files.history": (5,),
    "files.tree_member": (6, 7, 8, 64, 65),
    "files.votes": (9, 10, 15, 62, 75, 76),
    "files.tree_votes": (11, 12),
    "files.term": (13, 14),
    "files.label_votes": (60, 61, 63),
    "files.rule": (66,),
    "files.graded_rules": (67,),
    "files.linear_trees": (78,),
    "persistence.column_record": (21,),
    "persistence.calibration_record": (22,),
    "persistence.edit_record": (23,),
}
PLACES = {number: home for home, numbers in NUMBERS.items() for number in numbers}
LOSSES = frozenset((*range(40, 60), *range(68, 75)))  # the numbers of losses
LATER = ("files.loss", "files.online")  # modules with many more

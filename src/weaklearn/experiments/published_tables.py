"""Table 2 of Freund and Schapire (1996), "Experiments with a new boosting algorithm"."""

from __future__ import annotations

from dataclasses import dataclass

from .result import FOUND, MEMORY, WEAK

# The columns that are measured again, as they are called here.
STUMP, STUMP_BOOSTED, STUMP_BAGGED = "FindAttrTest", "FindAttrTest boosted", "FindAttrTest bagged"
STUMP_PSEUDO = "FindAttrTest boosted, pseudo-loss"
TREE, TREE_BOOSTED, TREE_BAGGED = "C4.5", "C4.5 boosted", "C4.5 bagged"
COLUMNS = (STUMP, STUMP_BOOSTED, STUMP_BAGGED, STUMP_PSEUDO, TREE, TREE_BOOSTED, TREE_BAGGED)


@dataclass(frozen=True)
class Published:
    """A table of the comparison: its shape, and test errors in percent in the order of COLUMNS.

    ``n_train`` rows at its beginning are for training; None means ten-fold cross-validation.
    """

    name: str
    rows: int
    columns: int
    classes: int
    errors: tuple[float | None, ...]
    mark: str = MEMORY
    n_train: int | None = None

    @property
    def counts(self) -> bool:
        """Whether the row is reliable enough to be compared with."""
        return self.mark != WEAK


TABLES = (
    Published("soybean_small", 47, 35, 4, (57.6, 56.4, 48.7, 0.2, 2.2, 3.4, 2.2)),
    Published("labor", 57, 16, 2, (25.1, 8.8, 19.1, None, 15.8, 13.1, 11.3)),
    Published("promoters", 106, 57, 2, (29.7, 8.9, 16.6, None, 22.0, 5.0, 12.7)),
    Published("iris", 150, 4, 3, (35.2, 4.7, 28.4, 4.8, 5.9, 5.0, 5.0), FOUND),
    Published("hepatitis", 155, 19, 2, (19.7, 18.6, 16.8, None, 21.2, 16.3, 17.5)),
    Published("glass", 214, 9, 6, (51.5, 51.1, 50.9, 29.4, 31.7, 22.7, 25.7), FOUND),
    Published("audiology", 226, 69, 24, (53.5, 53.5, 53.5, 23.6, 23.1, 16.2, 20.1)),
    Published("heart_disease", 303, 13, 2, (27.8, 18.8, 22.4, None, 26.6, 21.7, 20.9)),
    Published("soybean_large", 683, 35, 19, (64.8, 64.5, 59.0, 9.8, 13.3, 6.8, 12.2), n_train=307),
    Published("ionosphere", 351, 34, 2, (17.8, 8.5, 17.3, None, 8.9, 5.8, 6.2), FOUND),
    Published("house_votes_84", 435, 16, 2, (4.4, 3.7, 4.4, None, 3.5, 5.1, 3.6)),
    Published("votes1", 435, 15, 2, (12.7, 8.9, 12.7, None, 10.3, 10.4, 9.2)),
    Published("breast_cancer_wisconsin", 699, 9, 2, (8.4, 4.4, 6.7, None, 5.0, 3.3, 3.2)),
    Published("pima_diabetes", 768, 8, 2, (26.1, 24.4, 26.1, None, 28.4, 25.7, 24.4)),
    Published("vowel", 990, 10, 11, (81.8, 81.8, 76.8, 18.2, 2.2, 0.0, 0.0), WEAK, n_train=528),
    Published("german_credit", 1000, 20, 2, (30.0, 24.9, 30.4, None, 29.4, 25.0, 24.6)),
    Published("segmentation", 2310, 19, 7, (75.8, 75.8, 54.5, 4.2, 3.6, 1.4, 2.7), FOUND),
    Published("sick_euthyroid", 3163, 25, 2, (5.6, 3.0, 5.6, None, 2.2, 2.1, 2.1)),
    Published("splice", 3190, 60, 3, (37.0, 9.2, 35.6, 4.4, 5.8, 4.9, 5.2)),
    Published("kr_vs_kp", 3196, 36, 2, (32.8, 4.4, 30.7, None, 0.5, 0.3, 0.6)),
    Published("mushroom", 8124, 22, 2, (11.3, 0.0, 11.3, None, 0.0, 0.0, 0.0)),
    Published("letter", 20_000, 16, 26, (92.9, 92.9, 91.9, 34.1, 13.8, 3.3, 6.8), n_train=16_000),
)

"""Models compared by cross-validation, proved against peers, and verified."""

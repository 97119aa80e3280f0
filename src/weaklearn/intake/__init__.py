"""Data and parameters as users pass them, checked and turned into columns, labels and weights."""

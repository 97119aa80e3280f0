"""Displays in the manner of scikit-learn: one class per picture."""

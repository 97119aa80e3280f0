"""Ensembles: weighted votes and sums of hypotheses, in every form boosters need."""

"""Theorems applied to the record of a fit: certificates with bounds and assumptions."""

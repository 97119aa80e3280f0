"""Fits and predictions on the user's Dask cluster."""

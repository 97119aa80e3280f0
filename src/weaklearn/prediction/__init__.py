"""Predictions of fitted models, one module a family.

The functions are methods of the estimators and of the models of the runtime alike: ``self`` is
either, with the fitted names of the estimator, and ``self._rows(X)`` reads X. They need numpy and
the engine alone.
"""

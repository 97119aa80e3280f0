"""What is guaranteed? The room of the theorems.

* ``bounds``: every bound as a function of its numbers, from training error and margins to the
  number of rounds, tries and examples that a promise takes.
"""

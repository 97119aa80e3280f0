"""How the documentation site is made: ``make docs`` runs mkdocs with the hooks of this folder.

Pages written by hand lie in docs/. Three kinds are made here while the site is built: a page for
each algorithm from its docstring (``reference``), a page for each chapter of the tutorial from its
notebook, which is run (``chapter``), and pages of files outside docs/ (``borrowed``).
"""

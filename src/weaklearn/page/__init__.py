"""HTML pages: escaped elements, SVG charts, one style, one document.

Nothing here knows a model. Whatever a user named, a column, a class, a file, reaches a page as the
child or the attribute of an element, or inside ``payload``, and each of these escapes it.
"""

from .document import document, packaged
from .element import Element, Node, tag
from .html_json import payload

__all__ = ["Element", "Node", "document", "packaged", "payload", "tag"]

"""Text classification: texts as terms, topics, spam, and call routing."""

from typing import TYPE_CHECKING

from ..lazy_names import lazy_names

if TYPE_CHECKING:
    from .boostexter import BoosTexterClassifier
    from .mail import Mail, read_mail
    from .router import CallRouter
    from .spam import SpamFilter
    from .vectorizer import TermVectorizer

__all__ = [
    "BoosTexterClassifier",
    "CallRouter",
    "Mail",
    "SpamFilter",
    "TermVectorizer",
    "read_mail",
]

__getattr__ = lazy_names(
    __name__,
    {
        "BoosTexterClassifier": "boostexter",
        "CallRouter": "router",
        "Mail": "mail",
        "SpamFilter": "spam",
        "TermVectorizer": "vectorizer",
        "read_mail": "mail",
    },
)

"""Text classification: texts as terms, topics, spam, and call routing."""

from typing import TYPE_CHECKING

from ..lazy_names import lazy_names

if TYPE_CHECKING:
    from .boostexter import BoosTexterClassifier as BoosTexterClassifier
    from .mail import Mail as Mail
    from .mail import read_mail as read_mail
    from .router import CallRouter as CallRouter
    from .spam import SpamFilter as SpamFilter
    from .vectorizer import TermVectorizer as TermVectorizer

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

# Made by `make stub` from the names that the module lists.
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

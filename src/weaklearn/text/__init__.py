"""Text classification: texts as terms, topics, spam, and call routing."""

from ..lazy_names import homes_of, lazy_names

_HOMES = homes_of(
    {
        "boostexter": "BoosTexterClassifier",
        "mail": "Mail read_mail",
        "router": "CallRouter",
        "spam": "SpamFilter",
        "vectorizer": "TermVectorizer",
    }
)

__getattr__ = lazy_names(__name__, _HOMES)

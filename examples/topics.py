"""Topics of short news, several per text, by rules of one term each."""

import numpy as np
from sklearn.pipeline import make_pipeline

from weaklearn import AdaBoostMHClassifier, TermVectorizer, metrics

TOPICS = ["sport", "business", "politics", "health"]
NEWS = [
    ("The team won the final match after extra time", "sport"),
    ("Striker scores twice as the team wins the cup", "sport"),
    ("Coach leaves the club after a lost season", "sport"),
    ("The runner broke the record at the final race", "sport"),
    ("Club sold: investors pay a record price for the team", "sport business"),
    ("Shares of the club fall after the lost match", "sport business"),
    ("Sponsors leave the race, and prices of tickets rise", "sport business"),
    ("Minister opens the new stadium before the match", "sport politics"),
    ("Parliament votes on the money for the stadium", "sport politics"),
    ("Doctors warn runners of injuries to the knee", "sport health"),
    ("The striker is out with an injury, doctors say", "sport health"),
    ("The bank raises its profit and its dividend", "business"),
    ("Shares rise as the market hopes for profit", "business"),
    ("The market fell, and investors sold their shares", "business"),
    ("Oil prices rise again, investors worry", "business"),
    ("New tax: the bank warns the government", "business politics"),
    ("The government wants a tax on profit", "business politics"),
    ("Minister and investors talk about prices and the market", "business politics"),
    ("Parliament votes for a new tax on oil", "business politics"),
    ("Shares of the maker of the vaccine rise", "business health"),
    ("Hospital sold to investors, doctors protest", "business health"),
    ("The election is near: parties open their campaigns", "politics"),
    ("The minister lost the vote and leaves the government", "politics"),
    ("Parliament votes, and the government stays", "politics"),
    ("Voters are tired of the campaign before the election", "politics"),
    ("The government pays for a new hospital", "politics health"),
    ("Minister: every child gets the vaccine", "politics health"),
    ("Doctors and nurses vote for a strike, the minister worries", "politics health"),
    ("A new vaccine against the flu works, doctors say", "health"),
    ("Patients wait longer in the hospital this winter", "health"),
    ("Doctors find out why patients sleep badly", "health"),
    ("The flu is back, and hospitals are full of patients", "health"),
]

texts = [text for text, _ in NEWS]
Y = np.array([[topic in topics.split() for topic in TOPICS] for _, topics in NEWS], dtype=int)

model = make_pipeline(TermVectorizer(), AdaBoostMHClassifier(n_estimators=40))
model.fit(texts, Y)

terms = model[0].get_feature_names_out()
print("the first rules, one term each for all topics:")
for stump in model[-1].ensemble_.members[:5]:
    tree = stump.tree
    absent, present = tree.values[tree.value[1]], tree.values[tree.value[2]]
    scores = ", ".join(f"{topic} {c:+.2f}" for topic, c in zip(TOPICS, present))
    print(f"  with {str(terms[tree.feature[0]])!r}: {scores}")

F = model.decision_function(texts)
print(f"\nHamming loss {metrics.hamming_loss(Y, F):.3f}, one-error {metrics.one_error(Y, F):.3f}")
print(f"coverage {metrics.coverage(Y, F):.3f}, micro F1 {metrics.f1(Y, F):.3f}\n")

for text in ("Investors wait for the election", "Doctors of the team warn before the final match"):
    found = model.predict([text])[0]
    print(f"{text}: {', '.join(t for t, has in zip(TOPICS, found) if has) or 'no topic'}")
